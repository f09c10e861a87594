#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using ContrastTest = EveryLevel;
SCRL_EVERY_LEVEL(ContrastTest);

Matrix unit_rows(Index n, Index h, std::uint64_t seed) {
  const Matrix x = random_matrix(n, h, seed);
  Matrix out(n, h);
  std::vector<float> norms;
  reference::l2_normalize_rows(x, out, norms);
  return out;
}

TEST_P(ContrastTest, EqualsTheReference) {
  // One block, several, and remainders; blocks have 126 rows.
  const std::pair<Index, Index> shapes[] = {{1, 3},    {2, 1},   {5, 17},   {126, 5},
                                            {127, 33}, {252, 8}, {301, 64}, {400, 16}};
  for (const auto& [n, h] : shapes) {
    for (const float tau : {0.4f, 0.9f}) {
      SCOPED_TRACE(cat("n=", n, " h=", h, " tau=", tau));
      const Matrix U = unit_rows(n, h, 1), V = unit_rows(n, h, 2);
      std::vector<double> sums, expected_sums;
      const double loss = kernels::info_nce(U, V, tau, sums);
      EXPECT_NEAR(loss, reference::info_nce(U, V, tau, expected_sums), 2e-6);
      ASSERT_EQ(sums.size(), expected_sums.size());
      for (std::size_t r = 0; r < sums.size(); ++r)
        ASSERT_NEAR(sums[r] / expected_sums[r], 1.0, 2e-6) << r;
      for (const bool add : {false, true}) {
        Matrix dU = random_matrix(n, h, 3), dV = random_matrix(n, h, 4), eU = dU, eV = dV;
        const float dout = 2.5f * static_cast<float>(n);  // else n divides every difference away
        kernels::info_nce_backward(U, V, tau, sums, dout, {&dU, &dV, add, add});
        reference::info_nce_backward(U, V, tau, expected_sums, dout, {&eU, &eV, add, add});
        expect_near(dU, eU, 2e-5);
        expect_near(dV, eV, 2e-5);
        expect_zero_padding(dU);
        expect_zero_padding(dV);
      }
    }
  }
}

TEST_P(ContrastTest, OneGradientAlone) {
  const Matrix U = unit_rows(200, 20, 5), V = unit_rows(200, 20, 6);
  std::vector<double> sums;
  kernels::info_nce(U, V, 0.5f, sums);
  Matrix dU(200, 20), dV(200, 20), alone(200, 20);
  kernels::info_nce_backward(U, V, 0.5f, sums, 100.0f, {&dU, &dV, false, false});
  kernels::info_nce_backward(U, V, 0.5f, sums, 100.0f, {&alone, nullptr, false, false});
  EXPECT_TRUE(same_bytes(alone, dU));
  kernels::info_nce_backward(U, V, 0.5f, sums, 100.0f, {nullptr, &alone, false, false});
  EXPECT_TRUE(same_bytes(alone, dV));
}

TEST_P(ContrastTest, LargeBlocksToo) {
  // Beyond 4096 rows the twin takes too long: many copies of few rows, whose sums are known.
  const Index n = 4100, distinct = 4;
  const Matrix few = unit_rows(distinct, 24, 7);
  Matrix U(n, 24), V(n, 24);
  for (Index i = 0; i < n; ++i) {
    std::copy_n(few.row(i % distinct), 24, U.row(i));
    std::copy_n(few.row((i + 1) % distinct), 24, V.row(i));
  }
  std::vector<double> sums;
  const double loss = kernels::info_nce(U, V, 0.5f, sums);
  double expected = 0.0;
  for (Index i = 0; i < distinct; ++i) {
    double sum = -std::exp(2.0);
    for (Index j = 0; j < distinct; ++j) {
      double dot = 0.0;
      for (Index c = 0; c < 24; ++c) dot += static_cast<double>(few(i, c)) * few(j, c);
      sum += 2.0 * n / distinct * std::exp(2.0 * dot);
      if (j == (i + 1) % distinct) expected -= 2.0 * dot / distinct;
    }
    EXPECT_NEAR(sums[i] / sum, 1.0, 2e-6);
    EXPECT_NEAR(sums[n + i] / sums[(i + 1) % distinct], 1.0, 2e-6);
    expected += std::log(sum) / distinct;
  }
  EXPECT_NEAR(loss, expected, 1e-5);
}

TEST_P(ContrastTest, ThreadsDoNotChangeTheBits) {
  const Matrix U = unit_rows(900, 24, 8), V = unit_rows(900, 24, 9);
  expect_thread_independent([&] {
    std::vector<double> sums;
    Matrix all(2 * 900 + 1, 24), dU(900, 24), dV(900, 24);
    all(1800, 0) = static_cast<float>(kernels::info_nce(U, V, 0.5f, sums));
    kernels::info_nce_backward(U, V, 0.5f, sums, 900.0f, {&dU, &dV, false, false});
    for (Index i = 0; i < 900; ++i) {
      std::copy_n(dU.row(i), 24, all.row(i));
      std::copy_n(dV.row(i), 24, all.row(900 + i));
    }
    return all;
  });
}

TEST_P(ContrastTest, WrongArguments) {
  const Matrix U(3, 4), V(3, 5);
  Matrix d(3, 4);
  std::vector<double> sums(6);
  expect_error([&] { kernels::info_nce(U, V, 0.5f, sums); }, {"info_nce", "3x4", "3x5"});
  expect_error([&] { kernels::info_nce(U, U, 0.0f, sums); }, {"tau", "got 0"});
  expect_error([&] { kernels::info_nce(Matrix(0, 4), Matrix(0, 4), 1.0f, sums); }, {"0x4"});
  sums.pop_back();
  expect_error(
      [&] {
        kernels::info_nce_backward(U, U, 0.5f, sums, 1.0f, {&d, nullptr, false, false});
      },
      {"twice as many", "got 5"});
}

}  // namespace
}  // namespace scrl
