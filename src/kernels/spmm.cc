// out = A X.  A (n,m) sparse rows, X (m,h), out (n,h).
//
// A task is a panel of columns times a run of rows. A panel is narrow enough for the rows of X that
// are gathered again and again to stay in the second-level cache; within it the sums of one row of
// out live in registers. Whatever the panels, an element of out is summed in the column order of A.
// X comes in panels (tensor/matrix.h), or is copied into them where that pays.
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
  const float* x;  // column `first` of row r is at x + r * x_step
  Index x_step;
  Matrix* out;
  Index first, columns;
  bool accumulate;
};
}  // namespace scrl::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns [j, j + kVectors * lanes) of the task in rows [begin, end).
template <int kVectors>
void spmm_strip(const SpmmTask& t, Index begin, Index end, Index j) {
  const hn::CappedTag<float, kLane> d;
  constexpr Index kWidth = static_cast<Index>(MaxLanes(d));
  for (Index i = begin; i < end; ++i) {
    hn::Vec<decltype(d)> sum[kVectors];
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
    const Index last = t.row_ptr[i + 1];
    for (Index k = t.row_ptr[i]; k < last; ++k) {
      const float* x = t.x + t.col[k] * t.x_step + j;
      const auto a = hn::Set(d, t.values[k]);
      for (int v = 0; v < kVectors; ++v)
        sum[v] = hn::MulAdd(a, hn::Load(d, x + v * kWidth), sum[v]);
    }
    for (int v = 0; v < kVectors; ++v) {
      float* out = t.out->at(i, t.first + j + v * kWidth);
      const auto before = t.accumulate ? hn::Load(d, out) : hn::Zero(d);
      hn::Store(hn::Add(before, sum[v]), d, out);
    }
  }
}

// All columns of the task, a multiple of 16 of them, in rows [begin, end).
void spmm_panel(const SpmmTask& t, Index begin, Index end) {
  Index j = 0;
  const hn::CappedTag<float, kLane> d;
  constexpr Index kWidth = static_cast<Index>(MaxLanes(d));
  for (; j + 8 * kWidth <= t.columns; j += 8 * kWidth) spmm_strip<8>(t, begin, end, j);
  for (; j + 4 * kWidth <= t.columns; j += 4 * kWidth) spmm_strip<4>(t, begin, end, j);
  for (; j + 2 * kWidth <= t.columns; j += 2 * kWidth) spmm_strip<2>(t, begin, end, j);
  for (; j < t.columns; j += kWidth) spmm_strip<1>(t, begin, end, j);
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(spmm_panel);
namespace {

constexpr Index kTaskWork = 4096;     // rows + non-zeros of the shortest run of rows
constexpr Index kTasksPerThread = 8;  // so that the delay of one thread is taken up by the others
constexpr Index kPanelFloats = 1 << 18;    // of X in a panel: half of a common L2 cache
constexpr Index kMostPanelRows = 1 << 15;  // with more, not even the narrowest panel stays in L2
constexpr Index kReuse = 8;                // uses of a row of X from which on it pays to copy it
struct PackedX;

// The first row before which there are at least `work` rows + non-zeros.
Index first_row(const Csr& A, Index work) {
  Index low = 0, high = A.rows;
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (A.row_ptr[middle] + middle < work) {
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

Layout gather_layout(Index rows, Index cols) {
  const bool pays = cols > kPanel && rows * cols > kPanelFloats && rows <= kMostPanelRows;
  return pays ? Layout::kPanels : Layout::kRows;
}

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
  if (stride == 0 || A.rows == 0) return;
  const bool panels = X.layout() == Layout::kPanels;
  const bool pack = !panels && X.size() > kPanelFloats && A.nnz() >= kReuse * X.rows();
  const Index fitting = kPanelFloats / std::max<Index>(1, X.rows()) / kLane * kLane;
  const Index width = panels ? kPanel : pack ? std::min(stride, std::max(fitting, kPanel)) : stride;
  const float* const x = pack ? pack_panels(X, width) : X.data();

  // A thread that keeps to a panel loads it once; rows are cut only as far as threads need work. No
  // sum crosses a task, so the cut does not show in the result.
  const Index panel_count = chunk_count(stride, width);
  const Index runs = std::clamp<Index>(chunk_count(kTasksPerThread * threads(), panel_count), 1,
                                       chunk_count(A.nnz() + A.rows, kTaskWork));
  const Index run_work = chunk_count(A.nnz() + A.rows, runs);
  const auto body = SCRL_DISPATCH(spmm_panel);
  parallel_for(panel_count * runs, 1, [&](Index number, Index) {
    const Index j = number / runs * width, run = number % runs;
    // The padding of X may reach further than that of out, or the other way round.
    const Index columns = std::min({width, stride - j, out.stride() - j});
    const SpmmTask task = {.row_ptr = A.row_ptr.data(),
                           .col = A.col.data(),
                           .values = values.data(),
                           .x = x + (panels || pack ? j * X.rows() : j),
                           .x_step = panels ? kPanel : std::min(width, stride - j),
                           .out = &out,
                           .first = j,
                           .columns = columns,
                           .accumulate = accumulate};
    body(task, first_row(A, run * run_work), first_row(A, (run + 1) * run_work));
  });
}

void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate) {
  spmm(A, A.val, X, out, accumulate);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
