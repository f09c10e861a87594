// walks/initial.h: what skip-gram and LINE start from.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tensor/matrix.h"

namespace scrl {

// Uniform in [-0.5, 0.5) / columns; a function of seed and stream. The other table starts as zeros.
void initial_vectors(Matrix& in, std::uint64_t seed, std::uint32_t stream = 0);

// degree^0.75, what negatives are drawn in proportion to (Mikolov et al., NIPS 2013).
std::vector<double> noise_weights(std::span<const double> degree);

}  // namespace scrl
