// What the tests of ops share: small matrices away from the kink of relu.
#pragma once
#include <vector>

#include "autograd/ops.h"

namespace scrl {

inline Matrix random_matrix(Index rows, Index cols, std::uint32_t stream) {
  const Rng rng(11, Purpose::kTest, stream);
  Matrix m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      const float u = 2.0f * rng.uniform_at(static_cast<std::uint64_t>(i * cols + j)) - 1.0f;
      m(i, j) = u + (u < 0 ? -0.1f : 0.1f);  // away from the kink of relu
    }
  return m;
}

inline const SparseOperand& sparse_5x4() {
  static const SparseOperand S = [] {
    const std::vector<NodeId> r = {0, 0, 1, 2, 2, 2, 4, 4}, c = {0, 3, 1, 0, 1, 2, 2, 3};
    const std::vector<float> v = {0.5f, -1.0f, 2.0f, 1.0f, 0.3f, -0.7f, 1.5f, 0.4f};
    return sparse_operand(csr_from_triplets(5, 4, r, c, v, Dup::kSum));
  }();
  return S;
}

struct Inputs {
  Param X{"X", 4, 5}, Y{"Y", 4, 5}, W{"W", 5, 3}, b{"b", 1, 5}, slope{"slope", 1, 1};
  Inputs() {
    X.value = random_matrix(4, 5, 1);
    Y.value = random_matrix(4, 5, 2);
    W.value = random_matrix(5, 3, 3);
    b.value = random_matrix(1, 5, 4);
    slope.value = random_matrix(1, 1, 5);
  }
  std::vector<Param*> all() { return {&X, &Y, &W, &b, &slope}; }
};

}  // namespace scrl
