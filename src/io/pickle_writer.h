// io/pickle_writer.h: the three kinds of object that Planetoid files hold, as Python pickles of
// protocol 3, which pickle.load of every Python 3 reads with numpy and scipy.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "scrl/csr.h"

namespace scrl {

std::string pickle_of(const Csr& matrix);  // scipy.sparse.csr_matrix of float32

// A numpy array of int32, row by row.
std::string pickle_of(std::span<const std::int32_t> values, Index rows, Index cols);

// collections.defaultdict(list): list i under the key i.
std::string pickle_of(const std::vector<std::vector<NodeId>>& lists);

}  // namespace scrl
