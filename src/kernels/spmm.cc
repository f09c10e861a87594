// out = A X.  A (n,m) sparse rows, X (m,h), out (n,h).
//
// A task is a panel of columns times a run of rows. A panel is narrow enough for the rows of X that
// are gathered again and again to stay in the second-level cache; within it the sums of one row of
// out live in registers. Whatever the panels, an element of out is summed in the column order of A.
#include <algorithm>

#include "kernels/entry.h"
#include "kernels/kernels.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#ifndef SCRL_KERNELS_SPMM_ONCE
#define SCRL_KERNELS_SPMM_ONCE
namespace scrl::kernels {
struct SpmmTask {
  const Index* row_ptr;
  const NodeId* col;
  const float* values;
  const float* x;  // row r of the panel is at x + r * x_stride
  Index x_stride;
  float* out;
  Index out_stride;
  bool accumulate;
};
}  // namespace scrl::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns [j, j + kVectors * lanes) of rows [begin, end).
template <int kVectors>
void spmm_strip(const SpmmTask& t, Index begin, Index end, Index j) {
  const hn::CappedTag<float, kLane> d;
  constexpr Index kWidth = static_cast<Index>(MaxLanes(d));
  for (Index i = begin; i < end; ++i) {
    hn::Vec<decltype(d)> sum[kVectors];
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
    const Index last = t.row_ptr[i + 1];
    for (Index k = t.row_ptr[i]; k < last; ++k) {
      const float* x = t.x + t.col[k] * t.x_stride + j;
      const auto a = hn::Set(d, t.values[k]);
      for (int v = 0; v < kVectors; ++v)
        sum[v] = hn::MulAdd(a, hn::Load(d, x + v * kWidth), sum[v]);
    }
    float* out = t.out + i * t.out_stride + j;
    for (int v = 0; v < kVectors; ++v) {
      const auto before = t.accumulate ? hn::Load(d, out + v * kWidth) : hn::Zero(d);
      hn::Store(hn::Add(before, sum[v]), d, out + v * kWidth);
    }
  }
}

// Columns [0, last) of the panel, last a multiple of 16, in rows [begin, end).
void spmm_panel(const SpmmTask& t, Index begin, Index end, Index last) {
  Index j = 0;
  const hn::CappedTag<float, kLane> d;
  constexpr Index kWidth = static_cast<Index>(MaxLanes(d));
  for (; j + 8 * kWidth <= last; j += 8 * kWidth) spmm_strip<8>(t, begin, end, j);
  for (; j + 4 * kWidth <= last; j += 4 * kWidth) spmm_strip<4>(t, begin, end, j);
  for (; j + 2 * kWidth <= last; j += 2 * kWidth) spmm_strip<2>(t, begin, end, j);
  for (; j < last; j += kWidth) spmm_strip<1>(t, begin, end, j);
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(spmm_panel);
namespace {

constexpr Index kTaskWork = 4096;        // rows + non-zeros of one run of rows
constexpr Index kPanelFloats = 1 << 18;  // of X in a panel: half of a common L2 cache
constexpr Index kNarrowestPanel = 2 * kLane;
constexpr Index kReuse = 8;  // uses of a row of X from which on it pays to copy it
struct PackedX;

// First row of run number `run`: its predecessors hold at least run * kTaskWork rows + non-zeros.
Index first_row(const Csr& A, Index run) {
  Index low = 0, high = A.rows;
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (A.row_ptr[middle] + middle < run * kTaskWork) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// X panel after panel, each row by row. In X itself the rows of a panel would lie a power of two
// apart and share a few sets of the cache.
const float* pack_panels(const Matrix& X, Index width) {
  float* const packed = scratch<float, PackedX>(X.size());
  parallel_for(X.rows(), row_grain(X), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index j = 0; j < X.stride(); j += width) {
        const Index columns = std::min(width, X.stride() - j);
        std::copy_n(X.row(i) + j, columns, packed + j * X.rows() + i * columns);
      }
    }
  });
  return packed;
}

}  // namespace

void spmm(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
          bool accumulate) {
  check(A.cols == X.rows(), "spmm: A is ", A.rows, "x", A.cols, ", so X must have ", A.cols,
        " rows, got ", X.rows(), "x", X.cols());
  check(out.rows() == A.rows && out.cols() == X.cols(), "spmm: A is ", A.rows, "x", A.cols,
        " and X is ", X.rows(), "x", X.cols(), ", so out must be ", A.rows, "x", X.cols(), ", got ",
        out.rows(), "x", out.cols());
  check(static_cast<Index>(values.size()) == A.nnz(), "spmm: A has ", A.nnz(), " non-zeros, got ",
        values.size(), " values");
  check(&X != &out, "spmm: X and out must be two matrices");
  const Index stride = X.stride();
  if (stride == 0) return;
  const bool in_panels = X.size() > kPanelFloats && A.nnz() >= kReuse * X.rows();
  const Index fitting = kPanelFloats / std::max<Index>(1, X.rows()) / kLane * kLane;
  const Index width = in_panels ? std::min(stride, std::max(fitting, kNarrowestPanel)) : stride;
  const float* const x = in_panels ? pack_panels(X, width) : X.data();

  const Index runs = chunk_count(A.nnz() + A.rows, kTaskWork);
  const auto body = SCRL_DISPATCH(spmm_panel);
  // Panel by panel: threads that follow each other through the task numbers share a panel.
  parallel_for(chunk_count(stride, width) * runs, 1, [&](Index number, Index) {
    const Index j = number / runs * width, run = number % runs;
    const Index columns = std::min(width, stride - j);
    const SpmmTask task = {.row_ptr = A.row_ptr.data(),
                           .col = A.col.data(),
                           .values = values.data(),
                           .x = x + j * X.rows(),
                           .x_stride = columns,
                           .out = out.data() + j,
                           .out_stride = stride,
                           .accumulate = accumulate};
    body(task, first_row(A, run), first_row(A, run + 1), columns);
  });
}

void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate) {
  spmm(A, A.val, X, out, accumulate);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
