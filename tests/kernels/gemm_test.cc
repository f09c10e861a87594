#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using kernels::Op;
using GemmTest = EveryLevel;
SCRL_EVERY_LEVEL(GemmTest);

Matrix operand(Op op, Index rows, Index cols, std::uint64_t seed) {
  return op == Op::kN ? random_matrix(rows, cols, seed) : random_matrix(cols, rows, seed);
}

void expect_product(Index m, Index n, Index k, Op ta, Op tb, bool accumulate) {
  SCOPED_TRACE(cat("m=", m, " n=", n, " k=", k, " ta=", ta == Op::kT, " tb=", tb == Op::kT,
                   " accumulate=", accumulate));
  const Matrix A = operand(ta, m, k, 1), B = operand(tb, k, n, 2);
  Matrix C = random_matrix(m, n, 3), expected = C;
  kernels::gemm(ta, A, tb, B, C, accumulate);
  reference::gemm(ta, A, tb, B, expected, accumulate);
  expect_near(C, expected, 1e-6 * std::sqrt(static_cast<double>(k) + 8));
  expect_zero_padding(C);
}

TEST_P(GemmTest, EqualsTheReference) {
  for (const Op ta : {Op::kN, Op::kT}) {
    for (const Op tb : {Op::kN, Op::kT}) {
      for (const bool accumulate : {false, true}) {
        for (const Index n : kWidths) {
          expect_product(5, n, 9, ta, tb, accumulate);
          expect_product(n, 18, 33, ta, tb, accumulate);
          expect_product(29, 3, n, ta, tb, accumulate);
        }
        expect_product(1, 1, 1, ta, tb, accumulate);
        expect_product(131, 67, 700, ta, tb, accumulate);  // several blocks of k, several tiles
        expect_product(33, 530, 20, ta, tb, accumulate);   // several tiles across
        expect_product(57, 18, 3001, ta, tb, accumulate);  // slices of k
      }
    }
  }
}

TEST_P(GemmTest, WholeNumbersAreExact) {
  Matrix A = random_matrix(100, 2000, 4, -4.0f, 4.0f), B = random_matrix(2000, 40, 5, -4.0f, 4.0f);
  for (Matrix* m : {&A, &B}) {
    for (Index i = 0; i < m->rows(); ++i) {
      for (float& v : m->row_span(i)) v = std::round(v);
    }
  }
  Matrix C(100, 40), expected(100, 40);
  kernels::gemm(Op::kN, A, Op::kN, B, C);
  reference::gemm(Op::kN, A, Op::kN, B, expected);
  EXPECT_TRUE(same_bytes(C, expected));
}

TEST_P(GemmTest, EmptySides) {
  Matrix C = random_matrix(4, 5, 6);
  const Matrix before = C;
  kernels::gemm(Op::kN, Matrix(4, 0), Op::kN, Matrix(0, 5), C, true);
  EXPECT_TRUE(same_bytes(C, before));
  kernels::gemm(Op::kN, Matrix(4, 0), Op::kN, Matrix(0, 5), C);
  EXPECT_TRUE(same_bytes(C, Matrix(4, 5)));
  Matrix no_rows(0, 5), no_columns(4, 0);
  kernels::gemm(Op::kN, Matrix(0, 3), Op::kN, Matrix(3, 5), no_rows);
  kernels::gemm(Op::kN, Matrix(4, 3), Op::kN, Matrix(3, 0), no_columns);
}

TEST_P(GemmTest, ThreadsDoNotChangeTheBits) {
  struct Shape {
    Index m, n, k;
    Op ta, tb;
  };
  for (const auto& [m, n, k, ta, tb] :
       {Shape{1000, 128, 512, Op::kN, Op::kN}, Shape{512, 128, 3000, Op::kT, Op::kN},
        Shape{700, 512, 128, Op::kN, Op::kT}}) {
    SCOPED_TRACE(cat(m, " ", n, " ", k));
    const Matrix A = operand(ta, m, k, 7), B = operand(tb, k, n, 8);
    expect_thread_independent([&, m = m, n = n, ta = ta, tb = tb] {
      Matrix C = random_matrix(m, n, 9);
      kernels::gemm(ta, A, tb, B, C, true);
      return C;
    });
  }
}

// The buffers of a large product are used again by a small one.
TEST_P(GemmTest, ASmallProductAfterALargeOne) {
  expect_product(200, 300, 900, Op::kN, Op::kN, false);
  expect_product(3, 3, 2500, Op::kT, Op::kN, false);
  expect_product(15, 17, 5, Op::kN, Op::kT, false);
}

TEST_P(GemmTest, ShapeErrorsNameBothShapes) {
  Matrix C(2, 4);
  expect_error([&] { kernels::gemm(Op::kN, Matrix(2, 3), Op::kN, Matrix(4, 4), C); },
               {"gemm", "2x3", "4x4"});
  expect_error([&] { kernels::gemm(Op::kT, Matrix(3, 5), Op::kN, Matrix(3, 4), C); },
               {"gemm", "5x4", "2x4"});
  expect_error([&] { kernels::gemm(Op::kN, C, Op::kN, Matrix(4, 4), C); }, {"its own"});
}

}  // namespace
}  // namespace scrl
