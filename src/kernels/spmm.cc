// out = A X.  A (n,m) sparse rows, X (m,h), out (n,h).
//
// A task is a panel of columns times a run of rows. A panel is narrow enough for the rows of X that
// are gathered again and again to stay in the second-level cache; within it the sums of one row of
// out live in registers. The order of a sum follows from the shapes alone.
// A panel that is too long for the cache is taken in blocks of rows where rows of A are long. X
// comes in panels (tensor/matrix.h), or is copied into them where that pays.
#include <algorithm>

#include "kernels/entry.h"
#include "kernels/kernels.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/adam-inl.h"

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
  Index block, blocks;  // which rows of X are used, of how many equal parts
  Index block_rows;
  bool accumulate;
  const AdamStep* adam;  // if not null, out holds weights, and the product is their gradient
  Matrix *m, *v;
};
}  // namespace scrl::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The entries of row i whose columns are in the block.
HWY_INLINE std::pair<Index, Index> entries(const SpmmTask& t, Index i) {
  if (t.blocks == 1) return {t.row_ptr[i], t.row_ptr[i + 1]};
  const NodeId *begin = t.col + t.row_ptr[i], *end = t.col + t.row_ptr[i + 1];
  const auto from = [&](Index column) {
    return std::lower_bound(begin, end, static_cast<NodeId>(column)) - t.col;
  };
  return {from(t.block * t.block_rows), from((t.block + 1) * t.block_rows)};
}

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));

// Stores the product, or uses it as a gradient.
struct StoreSum {
  const SpmmTask& t;
  HWY_INLINE void operator()(hn::Vec<decltype(kTag)> sum, Index i, Index j) const {
    float* out = t.out->at(i, j);
    const auto before = t.accumulate ? hn::Load(kTag, out) : hn::Zero(kTag);
    hn::Store(hn::Add(before, sum), kTag, out);
  }
};
struct StepBySum {
  const SpmmTask& t;
  AdamUpdate update;
  HWY_INLINE void operator()(hn::Vec<decltype(kTag)> sum, Index i, Index j) const {
    update(sum, t.out->at(i, j), t.m->at(i, j), t.v->at(i, j));
  }
};

// Columns [j, j + kVectors * kWidth) of the task in rows [begin, end). Non-zero number e of a row
// goes to sum e % 2: one sum alone would wait for its own last addition.
template <int kVectors, class Use>
void spmm_strip(const SpmmTask& t, Index begin, Index end, Index j, const Use& use) {
  using Vector = hn::Vec<decltype(kTag)>;
  const float* const from = t.x + j;
  for (Index i = begin; i < end; ++i) {
    Vector even[kVectors], odd[kVectors];
    for (int v = 0; v < kVectors; ++v) even[v] = odd[v] = hn::Zero(kTag);
    const auto add = [&](Index k, Vector* sum) HWY_ATTR {
      const float* x = from + t.col[k] * t.x_step;
      const Vector a = hn::Set(kTag, t.values[k]);
      for (int v = 0; v < kVectors; ++v)
        sum[v] = hn::MulAdd(a, hn::Load(kTag, x + v * kWidth), sum[v]);
    };
    const auto [first, last] = entries(t, i);
    Index k = first;
    for (; k + 2 <= last; k += 2) add(k, even), add(k + 1, odd);
    if (k < last) add(k, even);
    for (int v = 0; v < kVectors; ++v) use(hn::Add(even[v], odd[v]), i, t.first + j + v * kWidth);
  }
}

// All columns of the task, a multiple of 16 of them, in rows [begin, end).
template <class Use>
void spmm_columns(const SpmmTask& t, Index begin, Index end, const Use& use) {
  constexpr int kWidest = HWY_TARGET == HWY_AVX3 ? 8 : 4;  // times 2 sums: half the registers
  Index j = 0;
  for (; j + kWidest * kWidth <= t.columns; j += kWidest * kWidth)
    spmm_strip<kWidest>(t, begin, end, j, use);
  for (; j + 4 * kWidth <= t.columns; j += 4 * kWidth) spmm_strip<4>(t, begin, end, j, use);
  for (; j + 2 * kWidth <= t.columns; j += 2 * kWidth) spmm_strip<2>(t, begin, end, j, use);
  for (; j < t.columns; j += kWidth) spmm_strip<1>(t, begin, end, j, use);
}

void spmm_panel(const SpmmTask& t, Index begin, Index end) {
  t.adam ? spmm_columns(t, begin, end, StepBySum{t, AdamUpdate(*t.adam)})
         : spmm_columns(t, begin, end, StoreSum{t});
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
constexpr Index kFewFloats = 1 << 15;      // stay in a cache whatever the layout
constexpr Index kMostPanelRows = 1 << 15;  // with more, not even the narrowest panel stays in L2
constexpr Index kLongRow = 64;             // non-zeros per row and block from which on blocks pay
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
  const bool pays = cols > kPanel && rows * cols > kFewFloats && rows <= kMostPanelRows;
  return pays ? Layout::kPanels : Layout::kRows;
}

namespace {

struct Moments {
  const AdamStep* step = nullptr;
  Matrix *m = nullptr, *v = nullptr;
};

void multiply(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
              bool accumulate, const Moments& moments) {
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
  const bool pack = !panels && X.size() > kPanelFloats && X.rows() <= kMostPanelRows &&
                    A.nnz() >= kReuse * X.rows();
  const Index fitting = kPanelFloats / std::max<Index>(1, X.rows()) / kLane * kLane;
  const Index width = panels ? kPanel : pack ? std::min(stride, std::max(fitting, kPanel)) : stride;
  const float* const x = pack ? pack_panels(X, width) : X.data();

  // A thread that keeps to a panel loads it once; rows are cut only as far as threads need work. No
  // sum crosses a task, so the cut does not show in the result.
  const Index panel_count = chunk_count(stride, width);
  const Index runs = std::clamp<Index>(chunk_count(kTasksPerThread * threads(), panel_count), 1,
                                       chunk_count(A.nnz() + A.rows, kTaskWork));
  const Index run_work = chunk_count(A.nnz() + A.rows, runs);
  // Rows of A long enough to be worth several visits take the rows of X block by block.
  const Index fitting_blocks = chunk_count(X.rows() * std::min(width, stride), kPanelFloats);
  const Index blocks = moments.step || pack ? 1
                                            : std::clamp<Index>(A.nnz() / (kLongRow * A.rows), 1,
                                                                std::max<Index>(1, fitting_blocks));
  const auto body = SCRL_DISPATCH(spmm_panel);
  parallel_for(panel_count * runs, 1, [&](Index number, Index) {
    const Index j = number / runs * width, run = number % runs;
    // The padding of X may reach further than that of out, or the other way round.
    const Index columns = std::min({width, stride - j, out.stride() - j});
    SpmmTask task = {.row_ptr = A.row_ptr.data(),
                     .col = A.col.data(),
                     .values = values.data(),
                     .x = x + (panels || pack ? j * X.rows() : j),
                     .x_step = panels ? kPanel : std::min(width, stride - j),
                     .out = &out,
                     .first = j,
                     .columns = columns,
                     .block = 0,
                     .blocks = blocks,
                     .block_rows = chunk_count(X.rows(), blocks),
                     .accumulate = accumulate,
                     .adam = moments.step,
                     .m = moments.m,
                     .v = moments.v};
    for (; task.block < blocks; ++task.block, task.accumulate = true)
      body(task, first_row(A, run * run_work), first_row(A, (run + 1) * run_work));
  });
}

}  // namespace

void spmm(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
          bool accumulate) {
  multiply(A, values, X, out, accumulate, {});
}

void spmm_adam(const Csr& A, std::span<const float> values, const Matrix& X, const AdamStep& step,
               Matrix& w, Matrix& m, Matrix& v) {
  check_step(step);
  for (const Matrix* moment : {&m, &v}) {
    check_same_shape("spmm_adam", "w", w, "a moment", *moment);
    check_same_layout("spmm_adam", w, *moment);
  }
  multiply(A, values, X, w, /*accumulate=*/false, {&step, &m, &v});
}

void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate) {
  spmm(A, A.val, X, out, accumulate);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
