// ranks/halo.h: rows of a distributed matrix that products on this rank need from other ranks.
//
// Rows [first_row[r], first_row[r + 1]) of all nodes belong to rank r. Where a rank works with rows
// of others too, it numbers them [halo below | own | halo above]: ascending as before, so that
// every row of a sparse matrix keeps its order of summation.
#pragma once
#include <span>
#include <vector>

#include "ranks/communicator.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

class Halo {
 public:
  // `rows`: the rows of a sparse matrix that belong to this rank, with columns of all nodes. All
  // ranks call it together. REQUIRES: `ranks` outlives it.
  Halo(Communicator& ranks, std::vector<Index> first_row, const Csr& rows);

  Index below() const { return below_; }
  Index own() const { return own_; }
  Index above() const { return static_cast<Index>(wanted_.size()) - below_; }
  Index rows() const { return own_ + static_cast<Index>(wanted_.size()); }
  Index rows_sent() const { return static_cast<Index>(given_.size()); }

  // The same rows with local columns. REQUIRES: every column is in `rows` of the constructor.
  Csr local(const Csr& rows) const;
  // x (rows(), h): its own rows are filled, the others come from their owners. All ranks together.
  void fetch(Matrix& x) const;

 private:
  Index local_of(Index global) const;

  Communicator& ranks_;
  std::vector<Index> first_row_;
  Index own_first_, own_, below_;
  std::vector<NodeId> wanted_;  // rows of others, ascending, and how many of each rank
  std::vector<Index> wanted_of_;
  std::vector<NodeId> given_;  // own rows that others want, rank after rank
  std::vector<Index> given_to_;
};

}  // namespace scrl
