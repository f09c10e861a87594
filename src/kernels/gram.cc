// A^T B of two tall matrices, with sums that stay exact over many rows.
//
// The dense product (gemm_plan.h) multiplies blocks of a few hundred rows in float; its results are
// added in double, one after the other. A group of them is done at a time, so that what lies
// between stays small however many rows there are. Blocks of rows in the sense of
// base/block_tree.h are added along their tree.
#include <algorithm>

#include "base/block_tree.h"
#include "kernels/entry.h"
#include "kernels/gemm_plan.h"
#include "kernels/products.h"

namespace scrl::kernels {
namespace {

constexpr Index kRowsPerGroup = 16 * 384;
struct Products;
struct Blocks;

// sums (m,n) += A^T B over rows [begin, end).
void add_rows(const Matrix& A, const Matrix& B, Index begin, Index end, double* sums) {
  const Index m = A.cols(), n = B.cols();
  for (Index first = begin; first < end; first += kRowsPerGroup) {
    GemmPlan plan = gemm_plan(Op::kT, A, Op::kN, B, m, n, std::min(kRowsPerGroup, end - first));
    plan.a = A.row(first), plan.b = B.row(first);
    plan.slices = plan.k_blocks;
    plan.ldc = (n + kLane - 1) / kLane * kLane;
    plan.slice_stride = m * plan.ldc;
    plan.out = scratch<float, Products>(plan.slices * plan.slice_stride);
    gemm_run(plan);
    parallel_for(m, std::max<Index>(1, 4096 / n), [&](Index from, Index to) {
      for (Index i = from; i < to; ++i) {
        double* const sum = sums + i * n;
        for (Index s = 0; s < plan.slices; ++s) {
          const float* const product = plan.out + s * plan.slice_stride + i * plan.ldc;
          for (Index j = 0; j < n; ++j) sum[j] += static_cast<double>(product[j]);
        }
      }
    });
  }
}

}  // namespace

void gram(const Matrix& A, const Matrix& B, std::span<double> out) {
  const Index m = A.cols(), n = B.cols(), rows = A.rows();
  check(B.rows() == rows, "gram: A is ", rows, "x", m, ", so B must have ", rows, " rows, got ",
        B.rows(), "x", n);
  check(static_cast<Index>(out.size()) == m * n, "gram: A has ", m, " columns and B has ", n,
        ", so there must be room for ", m * n, " sums, got ", out.size());
  std::fill(out.begin(), out.end(), 0.0);
  if (m == 0 || n == 0) return;
  const Index blocks = block_count(rows), block = block_rows();
  if (blocks == 1) return add_rows(A, B, 0, rows, out.data());
  TreeSum<double> tree(scratch<double, Blocks>(TreeSum<double>::room(blocks, m * n)), m * n);
  for (Index b = 0; b < blocks; ++b) {
    std::fill_n(tree.next(), m * n, 0.0);
    add_rows(A, B, b * block, std::min(rows, (b + 1) * block), tree.next());
    tree.push_block(b);
  }
  std::copy_n(tree.total(), m * n, out.begin());
}

}  // namespace scrl::kernels
