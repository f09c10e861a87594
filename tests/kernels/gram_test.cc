#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using GramTest = EveryLevel;
SCRL_EVERY_LEVEL(GramTest);

std::vector<double> gram(const Matrix& A, const Matrix& B) {
  std::vector<double> out(static_cast<std::size_t>(A.cols() * B.cols()), 9.0);
  kernels::gram(A, B, out);
  return out;
}

std::vector<double> twin(const Matrix& A, const Matrix& B) {
  std::vector<double> out(static_cast<std::size_t>(A.cols() * B.cols()));
  reference::gram(A, B, out);
  return out;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

TEST_P(GramTest, EqualsTheReference) {
  for (const Index rows : {0, 1, 3, 383, 384, 385, 1000}) {
    for (const Index a : {1, 5, 16, 33}) {
      for (const Index b : {1, 7, 17, 40}) {
        SCOPED_TRACE(cat("rows=", rows, " a=", a, " b=", b));
        const Matrix A = random_matrix(rows, a, 1), B = random_matrix(rows, b, 2);
        EXPECT_LT(largest_difference(gram(A, B), twin(A, B)), 1e-4);
      }
    }
  }
}

// More rows than one group of blocks holds.
TEST_P(GramTest, ManyRows) {
  const Matrix A = random_matrix(6144 * 2 + 100, 9, 3), B = random_matrix(A.rows(), 6, 4);
  EXPECT_LT(largest_difference(gram(A, B), twin(A, B)), 2e-4);
}

// Sums of equal sign are where float loses digits: block by block in double they stay.
TEST_P(GramTest, LongSumsKeepTheirDigits) {
  const Matrix A = random_matrix(40000, 8, 5, 0.5f, 1.5f);
  const auto expected = twin(A, A);
  EXPECT_LT(largest_difference(gram(A, A), expected) / expected[0], 3e-7);
}

TEST_P(GramTest, ThreadsDoNotChangeTheBits) {
  const Matrix A = random_matrix(14000, 40, 6), B = random_matrix(14000, 33, 7);
  set_threads(1);
  const auto alone = gram(A, B);
  for (const int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(gram(A, B), alone) << count;
  }
}

TEST_P(GramTest, ShapeErrorsNameBothShapes) {
  std::vector<double> out(12);
  expect_error([&] { kernels::gram(Matrix(2, 3), Matrix(5, 4), out); }, {"gram", "2x3", "5x4"});
  expect_error([&] { kernels::gram(Matrix(2, 3), Matrix(2, 5), out); }, {"gram", "15", "12"});
}

}  // namespace
}  // namespace scrl
