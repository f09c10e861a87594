#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using kernels::Op;
using GroupedGemmTest = EveryLevel;
SCRL_EVERY_LEVEL(GroupedGemmTest);

// Group 0 has most rows, group 1 none, the others few; every eleventh row is in no group.
std::vector<std::int32_t> skewed(Index n, Index groups) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const Index g = i % 3 == 0 && groups > 2 ? 2 + i / 3 % (groups - 2) : 0;
    out[i] = static_cast<std::int32_t>(i % 11 == 5 ? -1 : g);
  }
  return out;
}

TEST_P(GroupedGemmTest, EqualsTheReference) {
  struct Shape {
    Index n, groups, h, m;
  };
  for (const auto& [n, groups, h, m] :
       {Shape{1, 1, 1, 1}, {20, 5, 7, 3}, {300, 9, 64, 64}, {301, 150, 33, 17}, {90, 2, 16, 130}}) {
    const kernels::RowGroups g = kernels::row_groups(skewed(n, groups), groups);
    const Matrix x = random_matrix(n, h, 1), W = random_matrix(groups * h, m, 2);
    const Matrix dout = random_matrix(n, m, 3);
    for (const bool add : {false, true}) {
      SCOPED_TRACE(cat("n=", n, " groups=", groups, " h=", h, " m=", m, " add=", add));
      Matrix out = random_matrix(n, m, 4), expected = out;
      kernels::grouped_gemm(g, x, Op::kN, W, out, add);
      reference::grouped_gemm(g, x, Op::kN, W, expected, add);
      expect_near(out, expected, 2e-5);
      expect_zero_padding(out);
      Matrix dx = random_matrix(n, h, 5), expected_dx = dx;
      kernels::grouped_gemm(g, dout, Op::kT, W, dx, add);
      reference::grouped_gemm(g, dout, Op::kT, W, expected_dx, add);
      expect_near(dx, expected_dx, 2e-5);
      expect_zero_padding(dx);
      Matrix dW = random_matrix(groups * h, m, 6), expected_dW = dW;
      kernels::grouped_gemm_gradient(g, x, dout, dW, add);
      reference::grouped_gemm_gradient(g, x, dout, expected_dW, add);
      expect_near(dW, expected_dW, 5e-5);
      expect_zero_padding(dW);
    }
  }
}

TEST_P(GroupedGemmTest, GroupsHoldTheirRowsInOrder) {
  const std::vector<std::int32_t> of = {2, 0, -1, 2, 0, 2};
  const kernels::RowGroups g = kernels::row_groups(of, 4);
  EXPECT_EQ(g.rows, (std::vector<NodeId>{1, 4, 0, 3, 5}));
  EXPECT_EQ(g.first, (std::vector<Index>{0, 2, 2, 5, 5}));
  EXPECT_EQ(g.outside, (std::vector<NodeId>{2}));
  EXPECT_EQ(g.by_size, (std::vector<Index>{2, 0, 1, 3}));
}

TEST_P(GroupedGemmTest, ThreadsDoNotChangeTheBits) {
  const kernels::RowGroups g = kernels::row_groups(skewed(2000, 300), 300);
  const Matrix x = random_matrix(2000, 20, 1), W = random_matrix(300 * 20, 30, 2);
  expect_thread_independent([&] {
    Matrix out(2000, 30), dW(300 * 20, 30);
    kernels::grouped_gemm(g, x, Op::kN, W, out);
    kernels::grouped_gemm_gradient(g, x, out, dW);
    return dW;
  });
}

TEST_P(GroupedGemmTest, WrongArguments) {
  const kernels::RowGroups g = kernels::row_groups(std::vector<std::int32_t>{0, 1, -1}, 2);
  const Matrix x(3, 4), W(8, 5), odd(9, 5);
  Matrix out(3, 5), narrow(3, 4);
  expect_error([&] { kernels::row_groups(std::vector<std::int32_t>{2}, 2); }, {"group 2", "1"});
  expect_error([&] { kernels::grouped_gemm(g, x, Op::kN, odd, out); }, {"2 matrices", "9x5"});
  expect_error([&] { kernels::grouped_gemm(g, x, Op::kN, W, narrow); }, {"3x5", "got 3x4"});
  expect_error([&] { kernels::grouped_gemm(g, Matrix(2, 4), Op::kN, W, out); }, {"3 rows", "2x4"});
}

}  // namespace
}  // namespace scrl
