// The inner loops of out = A X, for X in floats or in bf16.
//
// The sums of one row of out live in registers. Non-zero number e of a row goes to sum e % 2: one
// sum alone would wait for its own last addition.
#include <algorithm>

#include "kernels/spmm_task.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm_strips.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/adam-inl.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr hn::RebindToUnsigned<decltype(kTag)> kWords{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;

// The entries of row i whose columns are in the block.
HWY_INLINE std::pair<Index, Index> entries(const SpmmTask& t, Index i) {
  if (t.blocks == 1) return {t.row_ptr[i], t.row_ptr[i + 1]};
  const NodeId *begin = t.col + t.row_ptr[i], *end = t.col + t.row_ptr[i + 1];
  const auto from = [&](Index column) {
    return std::lower_bound(begin, end, static_cast<NodeId>(column)) - t.col;
  };
  return {from(t.block * t.block_rows), from((t.block + 1) * t.block_rows)};
}

// Stores the product, or uses it as a gradient.
struct StoreSum {
  const SpmmTask& t;
  HWY_INLINE void operator()(Vector sum, Index i, Index j) const {
    float* out = t.out->at(i, j);
    const auto before = t.accumulate ? hn::Load(kTag, out) : hn::Zero(kTag);
    hn::Store(hn::Add(before, sum), kTag, out);
  }
};
struct StepBySum {
  const SpmmTask& t;
  AdamUpdate update;
  HWY_INLINE void operator()(Vector sum, Index i, Index j) const {
    update(sum, t.out->at(i, j), t.m->at(i, j), t.v->at(i, j));
  }
};

// How rows of X are read: a vector from place `at` on adds to kSums vectors of sums.
struct Floats {
  static constexpr int kSums = 1;
  const float* x;
  static Index size(Index columns) { return columns; }
  static Index column(Index j, int) { return j; }
  HWY_INLINE void add(Vector a, Index at, Vector* sum) const {
    sum[0] = hn::MulAdd(a, hn::Load(kTag, x + at), sum[0]);
  }
  HWY_INLINE void prefetch(Index at) const { hwy::Prefetch(x + at); }
};
struct Halves {
  static constexpr int kSums = 2;
  const std::uint32_t* x;
  static Index size(Index columns) {
    return (columns + kWordColumns - 1) / kWordColumns * (kWordColumns / 2);
  }
  static Index column(Index j, int sum) {
    return j / kLane * kWordColumns + j % kLane + sum * kLane;
  }
  HWY_INLINE void add(Vector a, Index at, Vector* sum) const {
    const auto words = hn::Load(kWords, x + at);
    const auto upper = hn::And(words, hn::Set(kWords, 0xffff0000u));
    sum[0] = hn::MulAdd(a, hn::BitCast(kTag, hn::ShiftLeft<16>(words)), sum[0]);
    sum[1] = hn::MulAdd(a, hn::BitCast(kTag, upper), sum[1]);
  }
  HWY_INLINE void prefetch(Index at) const { hwy::Prefetch(x + at); }
};

// kVectors vectors of X from place j of each row on, in rows [begin, end) of A.
template <int kVectors, class X, class Use>
void spmm_strip(const SpmmTask& t, const X& x, Index begin, Index end, Index j, const Use& use) {
  constexpr int kSums = kVectors * X::kSums;
  for (Index i = begin; i < end; ++i) {
    Vector even[kSums], odd[kSums];
    for (int s = 0; s < kSums; ++s) even[s] = odd[s] = hn::Zero(kTag);
    const auto add = [&](Index k, Vector* sum) HWY_ATTR {
      const Index from = t.col[k] * t.x_step + j;
      const Vector a = hn::Set(kTag, t.values[k]);
      if (k < t.prefetch_end) {
        const Index ahead = t.col[k + kAhead] * t.x_step + j;
        for (int v = 0; v < kVectors; ++v) x.prefetch(ahead + v * kWidth);
      }
      for (int v = 0; v < kVectors; ++v) x.add(a, from + v * kWidth, sum + v * X::kSums);
    };
    const auto [first, last] = entries(t, i);
    Index k = first;
    for (; k + 2 <= last; k += 2) add(k, even), add(k + 1, odd);
    if (k < last) add(k, even);
    for (int s = 0; s < kSums; ++s) {
      const Index column = X::column(j + s / X::kSums * kWidth, s % X::kSums);
      if (X::kSums == 1 || column < t.columns) use(hn::Add(even[s], odd[s]), i, t.first + column);
    }
  }
}

// All columns of the task, a multiple of 16 of them, in rows [begin, end).
template <class X, class Use>
void spmm_columns(const SpmmTask& t, const X& x, Index begin, Index end, const Use& use) {
  constexpr int kRegisters = HWY_TARGET == HWY_AVX3 ? 8 : 4;  // times 2 sums: half of them
  constexpr int kWidest = kRegisters / X::kSums;
  const Index size = X::size(t.columns);
  Index j = 0;
  for (; j + kWidest * kWidth <= size; j += kWidest * kWidth)
    spmm_strip<kWidest>(t, x, begin, end, j, use);
  if constexpr (kWidest > 4)
    for (; j + 4 * kWidth <= size; j += 4 * kWidth) spmm_strip<4>(t, x, begin, end, j, use);
  if constexpr (kWidest > 2)
    for (; j + 2 * kWidth <= size; j += 2 * kWidth) spmm_strip<2>(t, x, begin, end, j, use);
  for (; j < size; j += kWidth) spmm_strip<1>(t, x, begin, end, j, use);
}

template <class X>
void spmm_task(const SpmmTask& t, const X& x, Index begin, Index end) {
  t.adam ? spmm_columns(t, x, begin, end, StepBySum{t, AdamUpdate(*t.adam)})
         : spmm_columns(t, x, begin, end, StoreSum{t});
}

void spmm_rows(const SpmmTask& t, Index begin, Index end) {
  t.words ? spmm_task(t, Halves{t.words}, begin, end) : spmm_task(t, Floats{t.x}, begin, end);
}

// The bits of floats rounded to bf16, ties to even, in the upper half of each word. The NaNs that
// arithmetic makes stay NaN.
template <class Words>
HWY_INLINE Words rounded(Words bits) {
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(kWords, 1u));
  const auto up = hn::Add(bits, hn::Add(odd, hn::Set(kWords, 0x7fffu)));
  return hn::And(up, hn::Set(kWords, 0xffff0000u));
}

void pack_rows(const Matrix& X, Index first, Index columns, Index begin, Index end,
               std::uint32_t* words) {
  const auto bits = [&](Index i, Index j) HWY_ATTR {
    if (j >= X.stride()) return hn::Zero(kWords);
    return rounded(hn::BitCast(kWords, hn::Load(kTag, X.at(i, j))));
  };
  std::uint32_t* to = words + begin * columns / 2;
  for (Index i = begin; i < end; ++i) {
    for (Index group = first; group < first + columns; group += kWordColumns) {
      for (Index c = 0; c < kLane; c += kWidth, to += kWidth) {
        const auto lower = hn::ShiftRight<16>(bits(i, group + c));
        hn::Store(hn::Or(lower, bits(i, group + kLane + c)), kWords, to);
      }
    }
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(spmm_rows);
HWY_EXPORT(pack_rows);

void run_spmm(const SpmmTask& task, Index begin, Index end) {
  SCRL_DISPATCH(spmm_rows)(task, begin, end);
}
void pack_words(const Matrix& X, Index first, Index columns, Index begin, Index end,
                std::uint32_t* words) {
  SCRL_DISPATCH(pack_rows)(X, first, columns, begin, end, words);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
