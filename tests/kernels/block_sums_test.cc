// Sums over rows along the tree of blocks, for all kernels that make some. What a kernel makes of
// one block is tested in its own file; here, what several blocks give is put together from that.
#include <bit>
#include <map>

#include "base/block_tree.h"
#include "kernels/adam.h"
#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using kernels::Cut;
using kernels::Op;
using BlockSumsTest = EveryLevel;
SCRL_EVERY_LEVEL(BlockSumsTest);

constexpr Index kRows[] = {1, 63, 64, 65, 128, 200, 449, 1000};

Matrix rows_of(const Matrix& x, Index begin, Index end) {
  Matrix out(end - begin, x.cols());
  for (Index i = begin; i < end; ++i)
    for (Index j = 0; j < x.cols(); ++j) out(i - begin, j) = x(i, j);
  return out;
}

// Entries of A in columns [begin, end).
Csr columns_of(const Csr& A, Index begin, Index end) {
  Csr out;
  out.rows = A.rows, out.cols = end - begin;
  for (Index i = 0; i < A.rows; ++i) {
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) {
      if (A.col[e] < begin || A.col[e] >= end) continue;
      out.col.push_back(A.col[e] - static_cast<NodeId>(begin));
      out.val.push_back(A.val[e]);
    }
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

// part(begin, end) of each block, added as base/block_tree.h defines it.
template <class Part>
Matrix tree(Index rows, Index first, Index last, const Part& part) {
  const Index block = block_rows();
  if (last - first == 1) return part(first * block, std::min(rows, (first + 1) * block));
  const Index half =
      static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(last - first - 1)));
  Matrix left = tree(rows, first, first + half, part);
  kernels::scale(1.0f, tree(rows, first + half, last, part), left, /*accumulate=*/true);
  return left;
}
template <class Part>
Matrix tree(Index rows, const Part& part) {
  return tree(rows, 0, block_count(rows), part);
}

// `run` gives the bytes of `expected` for several threads.
void expect_bytes(const Matrix& expected, const std::function<Matrix()>& run) {
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    EXPECT_TRUE(same_bytes(run(), expected)) << count << " threads";
  }
  set_threads(0);
}

TEST_P(BlockSumsTest, TransposedProducts) {
  for (const Index block : {64, 128}) {
    const BlockRowsForTest blocks(block);
    for (const Index n : kRows) {
      for (const Index h : {1, 17, 70}) {
        SCOPED_TRACE(cat("block=", block, " n=", n, " h=", h));
        const Matrix A = random_matrix(n, h, 1), B = random_matrix(n, 33, 2);
        const Matrix sum = tree(n, [&](Index begin, Index end) {
          Matrix C(h, 33);
          kernels::gemm(Op::kT, rows_of(A, begin, end), Op::kN, rows_of(B, begin, end), C);
          return C;
        });
        const Matrix before = random_matrix(h, 33, 3);
        Matrix added = before;
        kernels::scale(1.0f, sum, added, /*accumulate=*/true);
        for (const bool add : {false, true}) {
          if (add && n <= block) continue;  // one block: each of its terms is added to C
          expect_bytes(add ? added : sum, [&] {
            Matrix C = before;
            kernels::gemm(Op::kT, A, Op::kN, B, C, add);
            return C;
          });
        }
      }
    }
  }
}

// Short rows are summed one by one, long ones block by block of X.
TEST_P(BlockSumsTest, SparseProductsOverNodes) {
  const BlockRowsForTest blocks(256);
  for (const double density : {0.002, 0.02, 0.1, 0.6}) {
    for (const Index n : {200, 256, 257, 700, 1900}) {
      for (const Index h : {1, 16, 33, 130}) {
        for (const Precision precision : {Precision::kFloat32, Precision::kBf16}) {
          SCOPED_TRACE(cat("density=", density, " n=", n, " h=", h,
                           " bf16=", precision == Precision::kBf16));
          const Csr A = random_csr(40, n, density, 1);
          const Matrix X = random_matrix(n, h, 2);
          const Matrix sum = tree(n, [&](Index begin, Index end) {
            Matrix out(40, h);
            kernels::spmm(columns_of(A, begin, end), rows_of(X, begin, end), out, false, precision);
            return out;
          });
          const Matrix before = random_matrix(40, h, 3);
          Matrix added = before;
          kernels::scale(1.0f, sum, added, /*accumulate=*/true);
          for (const bool add : {false, true}) {
            expect_bytes(add ? added : sum, [&] {
              Matrix out = before;
              kernels::spmm(A, X, out, add, precision, Cut::kBlocks);
              return out;
            });
          }
          const kernels::AdamStep step = {.lr = 0.1,
                                          .beta1 = 0.9,
                                          .beta2 = 0.99,
                                          .epsilon = 1e-8,
                                          .weight_decay = 0.01,
                                          .correction1 = 0.5,
                                          .correction2 = 0.25};
          const Matrix m = random_matrix(40, h, 4), v = random_matrix(40, h, 5, 0.1f, 1.0f);
          Matrix w = before, own_m = m, own_v = v;
          kernels::adam(step, sum, w, own_m, own_v);
          expect_bytes(w, [&] {
            Matrix out = before, out_m = m, out_v = v;
            kernels::spmm_adam(A, A.val, X, step, out, out_m, out_v, precision);
            EXPECT_TRUE(same_bytes(out_m, own_m) && same_bytes(out_v, own_v));
            return out;
          });
        }
      }
    }
  }
}

TEST_P(BlockSumsTest, HiddenLayers) {
  const BlockRowsForTest blocks(128);
  const Index h = 40, n2 = 20;
  const Matrix bias = random_matrix(1, h, 2), W = random_matrix(h, n2, 3);
  const Rng rng(7, Purpose::kDropout, 2, 5);
  for (const Index n : kRows) {
    SCOPED_TRACE(n);
    const Matrix x = random_matrix(n, h, 1), dout = random_matrix(n, n2, 4);
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(n * kernels::hidden_words(h)));
    Matrix out(n, n2);
    kernels::hidden_gemm(x, bias, 0.5f, &rng, W, bits.data(), out);
    Matrix dx(n, h), want_dbias(1, h), want_dW(h, n2);
    reference::hidden_gemm_backward(x, bias, bits.data(), 2.0f, W, dout,
                                    {dx, want_dbias, want_dW, false, false});
    const Matrix sum = tree(n, [&](Index begin, Index end) {
      Matrix part(h, n2), part_dx(end - begin, h), part_dbias(1, h);
      kernels::hidden_gemm_backward(
          rows_of(x, begin, end), bias, bits.data() + begin * kernels::hidden_words(h), 2.0f, W,
          rows_of(dout, begin, end), {part_dx, part_dbias, part, false, false});
      return part;
    });
    expect_near(sum, want_dW, 6e-5);
    expect_bytes(sum, [&] {
      Matrix own_dx(n, h), dbias(1, h), dW(h, n2);
      kernels::hidden_gemm_backward(x, bias, bits.data(), 2.0f, W, dout,
                                    {own_dx, dbias, dW, false, false});
      expect_near(own_dx, dx, 1e-5);
      expect_near(dbias, want_dbias, 6e-5);
      return dW;
    });
    if (n <= 128) continue;
    Matrix added = random_matrix(h, n2, 6), got = added, dbias = random_matrix(1, h, 7);
    kernels::scale(1.0f, sum, added, /*accumulate=*/true);
    kernels::scale(1.0f, dbias, want_dbias, /*accumulate=*/true);
    kernels::hidden_gemm_backward(x, bias, bits.data(), 2.0f, W, dout,
                                  {dx, dbias, got, true, true});
    EXPECT_TRUE(same_bytes(got, added));
    expect_near(dbias, want_dbias, 6e-5);
  }
}

// Sums of numbers in double precision: rounded once, so the twin tells whether all were added.
TEST_P(BlockSumsTest, SumsInDoublePrecision) {
  for (const Index block : {64, 256}) {
    const BlockRowsForTest blocks(block);
    for (const Index n : kRows) {
      for (const Index h : {1, 17, 33, 70}) {
        SCOPED_TRACE(cat("block=", block, " n=", n, " h=", h));
        const Matrix x = random_matrix(n, h, 1), y = random_matrix(n, h, 2);
        const std::size_t width = static_cast<std::size_t>(h);
        Matrix expected = random_matrix(1, h, 3), sums = expected;
        reference::column_sums(x, expected, true);
        kernels::column_sums(x, sums, true);
        expect_near(sums, expected, 1e-6);
        EXPECT_NEAR(kernels::dot(x, y), reference::dot(x, y), 1e-10);
        EXPECT_NEAR(kernels::dot(in_layout(x, Layout::kPanels), in_layout(y, Layout::kPanels)),
                    reference::dot(x, y), 1e-10);
        std::vector<double> sum(width), dots(width), want_sum(width), want_dots(width);
        kernels::column_moments(x, y, sum, dots);
        reference::column_moments(x, y, want_sum, want_dots);
        std::vector<double> products(width * width), want_products(width * width);
        kernels::gram(x, y, products);
        reference::gram(x, y, want_products);
        for (std::size_t j = 0; j < width; ++j) {
          EXPECT_NEAR(sum[j], want_sum[j], 1e-10);
          EXPECT_NEAR(dots[j], want_dots[j], 1e-10);
        }
        for (std::size_t j = 0; j < width * width; ++j)
          EXPECT_NEAR(products[j], want_products[j], 1e-4);
      }
    }
  }
}

TEST_P(BlockSumsTest, BalancedAssignments) {
  for (const Index block : {64, 256}) {
    const BlockRowsForTest blocks(block);
    for (const Index n : kRows) {
      SCOPED_TRACE(cat("block=", block, " n=", n));
      const Matrix z = random_matrix(n, 7, 1);
      std::vector<NodeId> some;
      for (Index i = 0; i < n; i += 2) some.push_back(static_cast<NodeId>(i));
      for (const auto& rows : {std::vector<NodeId>{}, some}) {
        Matrix Q(n, 7), expected(n, 7);
        kernels::sinkhorn(z, 0.1f, 4, rows, Q);
        reference::sinkhorn(z, 0.1f, 4, rows, expected);
        expect_near(Q, expected, 1e-5);
      }
    }
  }
}

// The bits follow from the blocks alone: another size gives others, any number of threads the same.
TEST_P(BlockSumsTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(9000, 40, 1), y = random_matrix(9000, 40, 2);
  const auto all = [&] {
    Matrix out(3, 40), Q(9000, 40);
    Matrix sums(1, 40);
    kernels::column_sums(x, sums);
    std::vector<double> sum(40), dots(40), products(1600);
    kernels::column_moments(x, y, sum, dots);
    kernels::gram(x, y, products);
    kernels::sinkhorn(x, 0.05f, 3, {}, Q);
    for (Index j = 0; j < 40; ++j) {
      out(0, j) = sums(0, j) + Q(j, j);
      out(1, j) = static_cast<float>(dots[static_cast<std::size_t>(j)] * 1e9);
      out(2, j) = static_cast<float>(products[static_cast<std::size_t>(41 * j)]);
    }
    out(0, 0) = static_cast<float>(kernels::dot(x, y));
    return out;
  };
  std::map<Index, Matrix> by_size;
  for (const Index block : {64, 1024, 65536}) {
    const BlockRowsForTest blocks(block);
    expect_thread_independent(all);
    by_size[block] = all();
  }
  expect_near(by_size[64], by_size[65536], 1e-4);
  EXPECT_FALSE(same_bytes(by_size[64], by_size[65536]));
}

}  // namespace
}  // namespace scrl
