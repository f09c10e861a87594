// neighbors/knn_descent.h: better neighbour lists from the neighbours of neighbours (the idea of
// NN-descent: Dong, Moses and Li, WWW 2011). Internal to neighbors/knn*.
//
// Unlike there a round has no order: every row reads the lists of the round before, its own and
// those of others, and writes its own list only. So threads do not matter.
#pragma once
#include <vector>

#include "neighbors/knn_rows.h"

namespace scrl::knn {

class NnDescent {
 public:
  NnDescent(const Rows& rows, Lists& lists);

  // One round; the number of lists it changed.
  Index round();

 private:
  struct Link {
    NodeId to;
    bool fresh;  // not there in the round before
  };
  void link();

  const Rows& rows_;
  Lists& lists_;
  const int reach_;                  // links per row in each direction
  std::vector<std::uint8_t> fresh_;  // rows x reach: entry n of a list came in the last round
  std::vector<Index> begin_;         // of the links of each row
  std::vector<Link> links_;          // those it lists and those that list it
};

}  // namespace scrl::knn
