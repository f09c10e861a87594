// tests/autograd/edge_ops.h: helpers of the tests of ops over edges, groups and pairs of nodes.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "autograd/ops.h"
#include "base/parallel.h"

namespace scrl {

inline void fill_random(Matrix& m, std::uint32_t stream, float low = -1.0f, float high = 1.0f) {
  const Rng rng(17, Purpose::kTest, stream);
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) = low + (high - low) * rng.uniform_at(static_cast<std::uint64_t>(i * m.cols() + j));
}

// About `degree` entries per row besides the loop, a hub in row 0, and no symmetry.
inline Csr random_pattern(Index n, Index degree, bool loops) {
  Rng rng(23);
  std::vector<NodeId> row, column;
  const auto add = [&](Index i, Index j) {
    row.push_back(static_cast<NodeId>(i));
    column.push_back(static_cast<NodeId>(j));
  };
  for (Index i = 0; i < n; ++i) {
    if (loops) add(i, i);
    for (Index e = 0; e < (i == 0 ? n / 2 : degree); ++e)
      add(i, static_cast<Index>(rng.below(static_cast<std::uint64_t>(n))));
  }
  return csr_from_triplets(n, n, row, column, {}, Dup::kBinary);
}

// The values of `loss` and of the gradients of all params, for 1, 2 and 3 threads, are equal bits.
inline void expect_same_bits_for_threads(Tape& tape, Var loss, const std::vector<Param*>& params) {
  const Plan plan = tape.plan({loss});
  const Pass pass{.training = true, .seed = 3, .epoch = 2};
  std::vector<std::vector<float>> alone;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    tape.params_changed();
    tape.forward(plan, pass);
    tape.backward(plan, pass, loss);
    std::vector<std::vector<float>> found = {loss.value().packed()};
    for (const Param* p : params) found.push_back(p->grad.packed());
    if (count == 1) alone = found;
    EXPECT_EQ(found, alone) << count << " threads";
  }
  set_threads(0);
}

inline Var replay(Tape& tape, Var v, Pass pass = {}) {
  tape.forward(tape.plan({v}), pass);
  return v;
}

}  // namespace scrl
