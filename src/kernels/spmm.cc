// out = A X.  A (n,m) sparse rows, X (m,h), out (n,h).
//
// A task is a panel of columns times a run of rows. A panel is narrow enough for the rows of X that
// are gathered again and again to stay in the second-level cache; within it the sums of one row of
// out live in registers (spmm_strips.cc). The order of a sum follows from the shapes alone.
// A panel that is too long for the cache is taken in blocks of rows where rows of A are long. X
// comes in panels (tensor/matrix.h), or is copied into them where that pays. In bf16 it always is,
// twice as many columns to a panel, or in whole rows if no panel stays in a cache.
// Sums over nodes, the gradients of weights, go along the tree of base/block_tree.h: row by row of
// A where rows are short, else block by block of X for all rows of a task.
#include <algorithm>
#include <bit>

#include "base/block_tree.h"
#include "kernels/entry.h"
#include "kernels/products.h"
#include "kernels/spmm_task.h"

namespace scrl::kernels {
namespace {

constexpr Index kTaskWork = 4096;     // rows + non-zeros of the shortest run of rows
constexpr Index kTasksPerThread = 8;  // so that the delay of one thread is taken up by the others
constexpr Index kPanelFloats = 1 << 18;    // of X in a panel: half of a common L2 cache
constexpr Index kFewFloats = 1 << 15;      // stay in a cache whatever the layout
constexpr Index kMostPanelRows = 1 << 15;  // with more, not even the narrowest panel stays in L2
constexpr Index kLongRow = 64;             // non-zeros per row and block from which on blocks pay
constexpr Index kPackedFloats = 1 << 16;   // that a task rounds to bf16
constexpr Index kReuse = 8;                // uses of a row of X from which on it pays to copy it
struct PackedX;
struct PackedWords;
struct Levels;

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

const std::uint32_t* packed_words(const Matrix& X, Index width) {
  const Index stride = chunk_count(X.stride(), kWordColumns) * kWordColumns;
  std::uint32_t* const words = scratch<std::uint32_t, PackedWords>(X.rows() * stride / 2);
  const Index rows = std::max<Index>(1, kPackedFloats / width), runs = chunk_count(X.rows(), rows);
  parallel_for(chunk_count(stride, width) * runs, 1, [&](Index number, Index) {
    const Index first = number / runs * width, begin = number % runs * rows;
    pack_words(X, first, std::min(width, stride - first), begin, std::min(X.rows(), begin + rows),
               words + first * X.rows() / 2);
  });
  return words;
}

// X as tasks read it: panels of `width` columns, one after the other or, a single one, X itself.
struct Gathered {
  const float* x = nullptr;
  const std::uint32_t* words = nullptr;  // instead of x
  Index width = 0;
  bool fitted = false;  // a panel was made to fit the cache, as far as that is possible
};

Gathered gathered(const Csr& A, const Matrix& X, Precision precision) {
  const Index stride = X.stride();
  const bool cached = X.rows() <= kMostPanelRows;
  if (precision == Precision::kBf16) {
    const Index whole = chunk_count(stride, kWordColumns) * kWordColumns;
    const Index width = cached ? std::min(whole, 2 * kPanel) : whole;
    return {.words = packed_words(X, width), .width = width};
  }
  if (X.layout() == Layout::kPanels) return {.x = X.data(), .width = kPanel};
  if (!cached || X.size() <= kPanelFloats || A.nnz() < kReuse * X.rows())
    return {.x = X.data(), .width = stride};
  const Index fitting = kPanelFloats / std::max<Index>(1, X.rows()) / kLane * kLane;
  const Index width = std::min(stride, std::max(fitting, kPanel));
  return {.x = pack_panels(X, width), .width = width, .fitted = true};
}

// How many parts the rows of X are taken in: several where rows of A are long enough to be worth
// the visits.
Index part_count(const Csr& A, const Matrix& X, const Gathered& from) {
  if (from.fitted) return 1;
  const Index floats = X.rows() * std::min(from.width, X.stride()) / (from.words ? 2 : 1);
  return std::clamp<Index>(A.nnz() / (kLongRow * A.rows), 1,
                           std::max<Index>(1, chunk_count(floats, kPanelFloats)));
}

struct Moments {
  const AdamStep* step = nullptr;
  Matrix *m = nullptr, *v = nullptr;
};

void multiply(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
              bool accumulate, Precision precision, Cut cut, const Moments& moments) {
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
  const Gathered from = gathered(A, X, precision);
  const Index width = from.width;

  // A thread that keeps to a panel loads it once; rows are cut only as far as threads need work. No
  // sum crosses a task, so the cut does not show in the result.
  const Index panel_count = chunk_count(stride, width);
  const Index panel_end = from.words ? chunk_count(stride, kWordColumns) * kWordColumns : stride;
  const Index runs = std::clamp<Index>(chunk_count(kTasksPerThread * threads(), panel_count), 1,
                                       chunk_count(A.nnz() + A.rows, kTaskWork));
  const Index run_work = chunk_count(A.nnz() + A.rows, runs);
  const Index blocks = cut == Cut::kBlocks ? block_count(X.rows()) : 1;
  const bool by_levels = blocks > 1 && A.nnz() >= kLongRow * A.rows * blocks;
  Index parts = (moments.step && !by_levels) || cut == Cut::kNever ? 1 : part_count(A, X, from);
  if (blocks > 1) parts = by_levels ? chunk_count(parts, blocks) : 1;  // of a block
  const Index part_rows = chunk_count(blocks > 1 ? block_rows() : X.rows(), parts);
  parallel_for(panel_count * runs, 1, [&](Index number, Index) {
    const Index j = number / runs * width, run = number % runs;
    // The padding of X may reach further than that of out, or the other way round.
    const Index columns = std::min({width, stride - j, out.stride() - j});
    const Index panel = std::min(width, panel_end - j);
    const Index begin = first_row(A, run * run_work), end = first_row(A, (run + 1) * run_work);
    SpmmTask task = {.row_ptr = A.row_ptr.data(),
                     .col = A.col.data(),
                     .values = values.data(),
                     .x = from.words ? nullptr : from.x + j * X.rows(),
                     .words = from.words ? from.words + j * X.rows() / 2 : nullptr,
                     .x_step = from.words ? panel / 2 : panel,
                     .out = &out,
                     .first = j,
                     .columns = columns,
                     .prefetch_end = X.rows() > kMostPanelRows ? A.nnz() - kAhead : 0,
                     .first_row = 0,
                     .last_row = X.rows(),
                     .all_rows = !by_levels && parts == 1,
                     .accumulate = accumulate,
                     .tree_shift = blocks > 1 ? block_shift() : 0,
                     .levels = {},
                     .adam = moments.step,
                     .m = moments.m,
                     .v = moments.v};
    if (task.all_rows) return run_spmm(task, begin, end);
    if (by_levels) {
      const Index size = (end - begin) * columns;
      const Index levels = std::bit_width(static_cast<std::uint64_t>(blocks)) + 1;
      task.levels = {.at = scratch<float, Levels>(levels * size), .first_row = begin, .size = size};
    }
    for (Index block = 0; block < blocks; ++block) {
      const Index rows_end = blocks > 1 ? std::min(X.rows(), (block + 1) * block_rows()) : X.rows();
      for (Index part = 0; part < parts; ++part, task.accumulate = true) {
        task.first_row = block * block_rows() + part * part_rows;
        task.last_row = std::min(rows_end, task.first_row + part_rows);
        task.levels.number = block;
        task.levels.begun = part == 0, task.levels.complete = part + 1 == parts;
        run_spmm(task, begin, end);
      }
    }
    task.accumulate = accumulate;
    if (by_levels) finish_spmm(task, blocks, begin, end);
  });
}

}  // namespace

Layout gather_layout(Index rows, Index cols) {
  const bool pays = cols > kPanel && rows * cols > kFewFloats && rows <= kMostPanelRows;
  return pays ? Layout::kPanels : Layout::kRows;
}

void spmm(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
          bool accumulate, Precision precision, Cut cut) {
  multiply(A, values, X, out, accumulate, precision, cut, {});
}

void spmm_adam(const Csr& A, std::span<const float> values, const Matrix& X, const AdamStep& step,
               Matrix& w, Matrix& m, Matrix& v, Precision precision) {
  check_step(step);
  for (const Matrix* moment : {&m, &v}) {
    check_same_shape("spmm_adam", "w", w, "a moment", *moment);
    check_same_layout("spmm_adam", w, *moment);
  }
  multiply(A, values, X, w, /*accumulate=*/false, precision, Cut::kBlocks, {&step, &m, &v});
}

void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate, Precision precision,
          Cut cut) {
  spmm(A, A.val, X, out, accumulate, precision, cut);
}

}  // namespace scrl::kernels
