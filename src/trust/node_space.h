// trust/node_space.h: nodes as points, without any label: what scrl query measures distances by.
//
//   z_i = [ unit(x_i) | unit((P x)_i) | unit((P^2 x)_i) ],   P = D^-1 (A + I)
// x: the features by latent semantic analysis (neighbors/lsa.h), or random directions where there
// are none. Near are nodes that are alike themselves, by their neighbours and by those two hops
// away: what the methods of this program look at.
#pragma once
#include <cstdint>

#include "data/dataset.h"
#include "tensor/matrix.h"

namespace scrl {

// nodes x 3 r, rows of length 1, r at most 48. The same bits for any number of threads.
Matrix node_space(const Dataset& data, std::uint64_t seed);

}  // namespace scrl
