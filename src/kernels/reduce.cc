// Sums over a matrix, in double precision: chunks of rows first, then the chunks in order, block by
// block (block_sums.h).
#include "kernels/reduce.h"

#include <algorithm>
#include <atomic>

#include "kernels/block_sums.h"
#include "kernels/entry.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, kLane / 2> kDoubles{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kDoubles));
using Doubles = hn::Vec<decltype(kDoubles)>;

HWY_INLINE Doubles load(const float* at) {
  const hn::Rebind<float, decltype(kDoubles)> floats;
  return hn::PromoteTo(kDoubles, hn::Load(floats, at));
}

// sums[j] = sum of rows [begin, end) in column j, padding included
void column_sums_rows(const Matrix& x, double* sums, Index begin, Index end) {
  constexpr Index kTogether = kLane / kWidth;  // one cache line of a row at a time
  for (Index j = 0; j < x.stride(); j += kLane) {
    Doubles sum[kTogether];
    for (Index v = 0; v < kTogether; ++v) sum[v] = hn::Zero(kDoubles);
    for (Index i = begin; i < end; ++i) {
      const float* in = x.at(i, j);
      for (Index v = 0; v < kTogether; ++v) sum[v] = hn::Add(sum[v], load(in + v * kWidth));
    }
    for (Index v = 0; v < kTogether; ++v) hn::Store(sum[v], kDoubles, sums + j + v * kWidth);
  }
}

double dot_range(const float* x, const float* y, Index begin, Index end) {
  Doubles even = hn::Zero(kDoubles), odd = even;  // two chains hide the latency of the addition
  for (Index at = begin; at < end; at += 2 * kWidth) {
    even = hn::MulAdd(load(x + at), load(y + at), even);
    odd = hn::MulAdd(load(x + at + kWidth), load(y + at + kWidth), odd);
  }
  return hn::GetLane(hn::SumOfLanes(kDoubles, hn::Add(even, odd)));
}

bool finite_range(const float* x, Index begin, Index end) {
  constexpr hn::CappedTag<float, kLane> floats{};
  for (Index at = begin; at < end; at += static_cast<Index>(MaxLanes(floats))) {
    if (!hn::AllTrue(floats, hn::IsFinite(hn::Load(floats, x + at)))) return false;
  }
  return true;
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(column_sums_rows);
HWY_EXPORT(dot_range);
HWY_EXPORT(finite_range);
namespace {

constexpr Index kFloatsPerChunk = 32 * 1024;  // a multiple of kLane
struct ColumnPartials;
struct DotPartials;
struct DotBlocks;

}  // namespace

void column_sums(const Matrix& x, Matrix& out, bool accumulate) {
  check_row_vector("column_sums", "x", x, "out", out);
  const BlockChunks chunks{x.rows(), std::max<Index>(256, row_grain(x))};  // few rows next to x
  double* const partials = scratch<double, ColumnPartials>((chunks.count() + 1) * x.stride());
  const auto body = SCRL_DISPATCH(column_sums_rows);
  chunks.for_each([&](Index chunk, Index begin, Index end) {
    body(x, partials + chunk * x.stride(), begin, end);
  });
  double* const sums = partials + chunks.count() * x.stride();
  for (Index j = 0; j < x.cols(); ++j) sums[j] = accumulate ? static_cast<double>(out(0, j)) : 0.0;
  add_up(
      chunks, x.cols(), [&](Index c, Index j) { return partials[c * x.stride() + j]; }, sums);
  for (Index j = 0; j < x.cols(); ++j) out(0, j) = static_cast<float>(sums[j]);
}

namespace {

// The floats of a whole number of rows, a run of `run` of them in each of `runs` panels.
double dot_rows(const float* x, const float* y, Index run, Index runs, Index step) {
  const Index per_run = chunk_count(run, kFloatsPerChunk), chunks = runs * per_run;
  double* const partials = scratch<double, DotPartials>(chunks);
  const auto body = SCRL_DISPATCH(dot_range);
  parallel_for(chunks, 1, [&](Index chunk, Index) {
    const Index first = chunk / per_run * step, begin = chunk % per_run * kFloatsPerChunk;
    partials[chunk] = body(x, y, first + begin, first + std::min(run, begin + kFloatsPerChunk));
  });
  double sum = 0.0;
  for (Index c = 0; c < chunks; ++c) sum += partials[c];
  return sum;
}

}  // namespace

double dot(const Matrix& x, const Matrix& y) {
  check_same_shape("dot", "x", x, "y", y);
  check_same_layout("dot", x, y);
  const Index blocks = block_count(x.rows()), rows = block_rows();
  if (blocks == 1) return dot_rows(x.data(), y.data(), x.size(), 1, 0);
  const bool panels = x.layout() == Layout::kPanels;
  TreeSum<double> tree(scratch<double, DotBlocks>(TreeSum<double>::room(blocks, 1)), 1);
  for (Index b = 0; b < blocks; ++b) {
    const Index first = b * rows * x.row_step(), own = std::min(rows, x.rows() - b * rows);
    *tree.next() = dot_rows(x.data() + first, y.data() + first, own * x.row_step(),
                            panels ? x.stride() / kPanel : 1, x.panel_step());
    tree.push_block(b);
  }
  return *tree.total();
}

bool all_finite(const Matrix& x) {
  std::atomic<bool> finite = true;
  const auto body = SCRL_DISPATCH(finite_range);
  parallel_for(x.size(), kFloatsPerChunk, [&](Index begin, Index end) {
    if (finite.load(std::memory_order_relaxed) && !body(x.data(), begin, end)) finite = false;
  });
  return finite;
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
