#include "kernels/reference.h"
#include "support/every_level.h"

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

TEST_P(SpmmTest, InBf16EqualsTheReferenceOfRoundedRows) {
  for (const Index h : kWidths) {
    for (const Layout layout : {Layout::kRows, Layout::kPanels}) {
      for (const bool accumulate : {false, true}) {
        SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
        const Csr A = random_csr(50, 40, 0.3, 1);
        const Matrix X = random_matrix(40, h, 2);
        Matrix out = in_layout(random_matrix(50, h, 3), layout), expected = random_matrix(50, h, 3);
        kernels::spmm(A, in_layout(X, layout), out, accumulate, Precision::kBf16);
        reference::spmm(A, reference::in_bf16(X), expected, accumulate);
        expect_near(in_layout(out, Layout::kRows), expected, 2e-6);
        expect_zero_padding(in_layout(out, Layout::kRows));
      }
    }
  }
}

TEST_P(SpmmTest, Bf16RoundsToTheNearestAndTiesToEven) {
  Csr one;
  one.rows = one.cols = 1, one.row_ptr = {0, 1}, one.col = {0}, one.val = {1.0f};
  const float step = 0x1p-7f, tiny = 0x1p-20f;  // of bf16 above 1
  const std::vector<std::pair<float, float>> cases = {
      {0.0f, 0.0f},
      {-1.5f, -1.5f},
      {1 + 0.5f * step, 1.0f},                   // a tie, down
      {1 + 1.5f * step, 1 + 2 * step},           // a tie, up
      {1 + 0.5f * step + tiny, 1 + step},        // no tie
      {-(1 + 0.5f * step + tiny), -(1 + step)},  // away from zero alike
      {2 - tiny, 2.0f},                          // into the next power of two
  };
  for (const auto& [given, expected] : cases) {
    Matrix X(1, 50), out(1, 50);
    X.fill(given);
    kernels::spmm(one, X, out, false, Precision::kBf16);
    EXPECT_EQ(out(0, 0), expected) << given;
    EXPECT_EQ(out(0, 49), expected) << given;
    EXPECT_EQ(reference::in_bf16(X)(0, 0), expected) << given;
  }
}

TEST_P(SpmmTest, InBf16BytesDoNotDependOnThreads) {
  const Csr A = random_csr(3000, 2000, 0.05, 11);
  const Matrix X = random_matrix(2000, 130, 12);
  Matrix first;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    Matrix out(3000, 130);
    kernels::spmm(A, X, out, false, Precision::kBf16);
    if (count == 1)
      first = std::move(out);
    else
      EXPECT_TRUE(same_bytes(out, first)) << count;
  }
}

TEST_P(SpmmTest, TakesOtherValuesOnThePattern) {
  const Csr A = random_csr(30, 20, 0.3, 6);
  const Matrix X = random_matrix(20, 33, 7);
  std::vector<float> values(A.val.size());
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<float>(e + 1) / 64.0f;
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
  Csr no_terms;
  no_terms.rows = 3, no_terms.row_ptr = {0, 0, 0, 0};
  for (const Layout layout : kLayouts) {
    Matrix sums = in_layout(random_matrix(3, 40, 9), layout);
    kernels::spmm(no_terms, Matrix(0, 40, layout), sums);
    expect_same_bits(sums, Matrix(3, 40));
  }
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

// Of the products below the second copies X into panels by itself, if it does not come in them.
TEST_P(SpmmTest, LayoutsDoNotChangeTheBits) {
  const Csr small = random_csr(50, 40, 0.3, 15), large = random_csr(500, 3000, 0.02, 16);
  ASSERT_GE(large.nnz(), 8 * large.cols);
  for (const Csr* A : {&small, &large}) {
    for (const Index h : {1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 130}) {
      if (A == &large && h < 65) continue;
      const Matrix X = random_matrix(A->cols, h, 17), before = random_matrix(A->rows, h, 18);
      for (const bool accumulate : {false, true}) {
        Matrix in_rows = before, in_bf16 = before;
        kernels::spmm(*A, X, in_rows, accumulate);
        kernels::spmm(*A, X, in_bf16, accumulate, Precision::kBf16);
        for (const Layout layout : kLayouts) {
          for (const Layout out_layout : kLayouts) {
            SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate,
                             " X in panels=", layout == Layout::kPanels,
                             " out in panels=", out_layout == Layout::kPanels));
            Matrix out = in_layout(before, out_layout);
            kernels::spmm(*A, in_layout(X, layout), out, accumulate);
            expect_same_bits(out, in_rows);
            out = in_layout(before, out_layout);
            kernels::spmm(*A, in_layout(X, layout), out, accumulate, Precision::kBf16);
            expect_same_bits(out, in_bf16);
          }
        }
      }
    }
  }
}

TEST_P(SpmmTest, ThreadsDoNotChangeTheBitsOfPanels) {
  const Csr A = random_csr(3000, 3000, 0.01, 19);
  const Matrix X = in_layout(random_matrix(3000, 130, 20), Layout::kPanels);
  expect_thread_independent([&] {
    Matrix out(3000, 130, Layout::kPanels);
    kernels::spmm(A, X, out);
    return out;
  });
}

// Rows so long, and X with so many, that X may be taken in several blocks.
TEST_P(SpmmTest, LongRowsOverManyRowsOfX) {
  const Csr A = random_csr(40, 20000, 0.05, 21);
  const Matrix X = random_matrix(20000, 40, 22), before = random_matrix(40, 40, 23);
  for (const bool accumulate : {false, true}) {
    Matrix expected = before;
    reference::spmm(A, X, expected, accumulate);
    for (const Layout layout : kLayouts) {
      SCOPED_TRACE(cat("accumulate=", accumulate, " panels=", layout == Layout::kPanels));
      const Matrix in = in_layout(X, layout);
      const auto run = [&] {
        Matrix out = in_layout(before, layout);
        kernels::spmm(A, in, out, accumulate);
        return out;
      };
      expect_near(run(), expected, 4e-5);  // a thousand terms
      expect_zero_padding(run());
      expect_thread_independent(run);
    }
  }
}

// Rows that no cache holds are gathered whole, and fetched ahead; long rows of A go block by block.
TEST_P(SpmmTest, InBf16OverManyRowsOfX) {
  const Csr some = random_csr(60, 40000, 0.002, 24), many = random_csr(10, 20000, 0.2, 25);
  for (const Csr* A : {&some, &many}) {
    const Matrix X = random_matrix(A->cols, 70, 26);
    Matrix expected(A->rows, 70);
    reference::spmm(*A, reference::in_bf16(X), expected);
    const auto run = [&] {
      Matrix out(A->rows, 70);
      kernels::spmm(*A, X, out, false, Precision::kBf16);
      return out;
    };
    expect_near(run(), expected, 2e-4);  // thousands of terms
    expect_zero_padding(run());
    expect_thread_independent(run);
  }
}

// Panels are for a matrix that is too large for the cache, when one of its panels is not.
TEST(GatherLayoutTest, PanelsWhereTheyPay) {
  using kernels::gather_layout;
  EXPECT_EQ(gather_layout(7575, 512), Layout::kPanels);
  EXPECT_EQ(gather_layout(7575, 128), Layout::kPanels);
  EXPECT_EQ(gather_layout(7575, 18), Layout::kRows) << "a single panel";
  EXPECT_EQ(gather_layout(20, 512), Layout::kRows) << "all of it fits the cache";
  EXPECT_EQ(gather_layout(1'000'000, 512), Layout::kRows) << "not even a panel fits";
  EXPECT_EQ(gather_layout(0, 512), Layout::kRows);
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
