#include <numeric>

#include "every_level.h"
#include "kernels/reference.h"

namespace scrl {
namespace {

using SpmmTest = EveryLevel;
SCRL_EVERY_LEVEL(SpmmTest);

TEST_P(SpmmTest, EqualsTheReference) {
  for (const Index h : kWidths) {
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
      const Csr A = random_csr(50, 40, 0.3, 1);
      const Matrix X = random_matrix(40, h, 2);
      Matrix out = random_matrix(50, h, 3), expected = out;
      kernels::spmm(A, X, out, accumulate);
      reference::spmm(A, X, expected, accumulate);
      expect_near(out, expected, 2e-6);
      expect_zero_padding(out);
    }
  }
}

TEST_P(SpmmTest, WholeNumbersAreExact) {
  Csr A = random_csr(300, 200, 0.2, 4);
  for (float& v : A.val) v = std::round(8 * v);
  Matrix X = random_matrix(200, 130, 5, -8.0f, 8.0f);
  for (Index i = 0; i < X.rows(); ++i) {
    for (float& v : X.row_span(i)) v = std::round(v);
  }
  Matrix out(300, 130), expected(300, 130);
  kernels::spmm(A, X, out);
  reference::spmm(A, X, expected);
  EXPECT_TRUE(same_bytes(out, expected));
}

TEST_P(SpmmTest, TakesOtherValuesOnThePattern) {
  const Csr A = random_csr(30, 20, 0.3, 6);
  const Matrix X = random_matrix(20, 33, 7);
  std::vector<float> values(A.val.size());
  std::iota(values.begin(), values.end(), 1.0f);
  Matrix out(30, 33), expected(30, 33);
  kernels::spmm(A, values, X, out);
  reference::spmm(A, values, X, expected);
  expect_near(out, expected, 1e-5);
}

TEST_P(SpmmTest, EmptyMatrices) {
  Csr A;
  A.rows = 3, A.cols = 2, A.row_ptr = {0, 0, 0, 0};
  const Matrix X = random_matrix(2, 5, 8);
  Matrix out = random_matrix(3, 5, 9);
  kernels::spmm(A, X, out);
  EXPECT_TRUE(same_bytes(out, Matrix(3, 5)));
  Csr none;
  none.cols = 2;
  Matrix nothing(0, 5);
  kernels::spmm(none, X, nothing);
  Matrix no_columns(3, 0);
  kernels::spmm(A, Matrix(2, 0), no_columns);
}

// A row with most of the work, and more rows than one task takes.
TEST_P(SpmmTest, SkewedRowsAndThreads) {
  Csr A = random_csr(9000, 6000, 0.002, 10);
  Csr hub;
  hub.rows = A.rows + 1, hub.cols = A.cols;
  for (Index j = 0; j < A.cols; ++j) {
    hub.col.push_back(static_cast<NodeId>(j));
    hub.val.push_back(0.01f);
  }
  hub.row_ptr.push_back(hub.nnz());
  hub.col.insert(hub.col.end(), A.col.begin(), A.col.end());
  hub.val.insert(hub.val.end(), A.val.begin(), A.val.end());
  for (Index i = 0; i < A.rows; ++i) hub.row_ptr.push_back(A.row_ptr[i + 1] + A.cols);
  const Matrix X = random_matrix(hub.cols, 70, 11);
  const auto run = [&] {
    Matrix out = random_matrix(hub.rows, 70, 12);
    kernels::spmm(hub, X, out, true);
    return out;
  };
  Matrix expected = random_matrix(hub.rows, 70, 12);
  reference::spmm(hub, X, expected, true);
  expect_near(run(), expected, 1e-5);
  expect_thread_independent(run);
}

TEST_P(SpmmTest, ShapeErrorsNameBothShapes) {
  const Csr A = random_csr(5, 4, 0.5, 13);
  Matrix out(5, 2), small(4, 2);
  expect_error([&] { kernels::spmm(A, Matrix(3, 2), out); }, {"spmm", "5x4", "3x2"});
  expect_error([&] { kernels::spmm(A, Matrix(4, 2), small); }, {"spmm", "5x4", "5x2", "4x2"});
  expect_error([&] { kernels::spmm(A, std::vector<float>(1), Matrix(4, 2), out); },
               {"spmm", cat(A.nnz()), "got 1"});
  const Csr square = random_csr(4, 4, 0.5, 14);
  expect_error([&] { kernels::spmm(square, small, small); }, {"two matrices"});
}

}  // namespace
}  // namespace scrl
