#include "walks/initial.h"

#include <cmath>

#include "base/rng.h"

namespace scrl {

void initial_vectors(Matrix& in, std::uint64_t seed, std::uint32_t stream) {
  const Rng rng(seed, Purpose::kInit, stream);
  const float scale = 1.0f / static_cast<float>(in.cols());
  for (Index i = 0; i < in.rows(); ++i) {
    for (Index j = 0; j < in.cols(); ++j) {
      const auto index = static_cast<std::uint64_t>(i * in.cols() + j);
      in(i, j) = (rng.uniform_at(index) - 0.5f) * scale;
    }
  }
}

std::vector<double> noise_weights(std::span<const double> degree) {
  std::vector<double> out;
  out.reserve(degree.size());
  for (const double d : degree) out.push_back(std::pow(d, 0.75));
  return out;
}

}  // namespace scrl
