// A^T B of two tall matrices, with sums that stay exact over many rows.
//
// The dense product (gemm_plan.h) multiplies blocks of a few hundred rows in float; its results are
// added in double, block after block. A group of blocks is done at a time, so that what lies
// between stays small however many rows there are.
#include <algorithm>

#include "kernels/entry.h"
#include "kernels/gemm_plan.h"
#include "kernels/products.h"

namespace scrl::kernels {
namespace {

constexpr Index kRowsPerGroup = 16 * 384;
struct Products;

}  // namespace

void gram(const Matrix& A, const Matrix& B, std::span<double> out) {
  const Index m = A.cols(), n = B.cols(), rows = A.rows();
  check(B.rows() == rows, "gram: A is ", rows, "x", m, ", so B must have ", rows, " rows, got ",
        B.rows(), "x", n);
  check(static_cast<Index>(out.size()) == m * n, "gram: A has ", m, " columns and B has ", n,
        ", so there must be room for ", m * n, " sums, got ", out.size());
  std::fill(out.begin(), out.end(), 0.0);
  if (m == 0 || n == 0) return;
  for (Index first = 0; first < rows; first += kRowsPerGroup) {
    GemmPlan plan = gemm_plan(Op::kT, A, Op::kN, B, m, n, std::min(kRowsPerGroup, rows - first));
    plan.a = A.row(first), plan.b = B.row(first);
    plan.slices = plan.k_blocks;
    plan.ldc = (n + kLane - 1) / kLane * kLane;
    plan.slice_stride = m * plan.ldc;
    plan.out = scratch<float, Products>(plan.slices * plan.slice_stride);
    gemm_run(plan);
    parallel_for(m, std::max<Index>(1, 4096 / n), [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        double* const sum = out.data() + i * n;
        for (Index s = 0; s < plan.slices; ++s) {
          const float* const product = plan.out + s * plan.slice_stride + i * plan.ldc;
          for (Index j = 0; j < n; ++j) sum[j] += static_cast<double>(product[j]);
        }
      }
    });
  }
}

}  // namespace scrl::kernels
