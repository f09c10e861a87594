// The inner loops of out = A X, for X in floats or in bf16.
//
// The sums of one row of out live in registers. Non-zero number e of a row goes to sum e % 2: one
// sum alone would wait for its own last addition. A sum along the tree of blocks
// (base/block_tree.h) starts anew in each block; a block without an entry in the row adds nothing.
#include <algorithm>
#include <array>
#include <bit>

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

// The entries of row i whose columns are among the rows of X that are used.
HWY_INLINE std::pair<Index, Index> entries(const SpmmTask& t, Index i) {
  if (t.all_rows) return {t.row_ptr[i], t.row_ptr[i + 1]};
  const NodeId *begin = t.col + t.row_ptr[i], *end = t.col + t.row_ptr[i + 1];
  const auto from = [&](Index column) {
    return std::lower_bound(begin, end, static_cast<NodeId>(column)) - t.col;
  };
  return {from(t.first_row), from(t.last_row)};
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

// Puts the sum of a part of a block where the tree wants it. Level 0 holds the block that is not
// complete, level l + 1 a subtree of 2^l blocks that has no neighbour on its right yet.
struct StoreLevel {
  const SpmmTask& t;
  HWY_INLINE float* level(Index l, Index i, Index j) const {
    return t.levels.at + l * t.levels.size + (i - t.levels.first_row) * t.columns + (j - t.first);
  }
  HWY_INLINE void operator()(Vector sum, Index i, Index j) const {
    if (!t.levels.begun) sum = hn::Add(hn::Load(kTag, level(0, i, j)), sum);
    if (!t.levels.complete) return hn::Store(sum, kTag, level(0, i, j));
    Index l = 0;
    for (; t.levels.number >> l & 1; ++l) sum = hn::Add(hn::Load(kTag, level(l + 1, i, j)), sum);
    hn::Store(sum, kTag, level(l + 1, i, j));
  }
};

// Sums of blocks of one row on their way up the tree, those of blocks without an entry left out.
template <int kSums>
struct PendingSums {
  Vector sum[66][kSums];
  std::array<Index, 66> last;  // block of each
  int count = 0;

  HWY_INLINE void join() {
    for (int s = 0; s < kSums; ++s)
      sum[count - 2][s] = hn::Add(sum[count - 2][s], sum[count - 1][s]);
    last[count - 2] = last[count - 1];
    --count;
  }
  // How far up the smallest subtree is that has both.
  static HWY_INLINE int above(Index a, Index b) {
    return std::bit_width(static_cast<std::uint64_t>(a ^ b));
  }
  HWY_INLINE void push(const Vector* even, const Vector* odd, Index block) {
    while (count > 1 && above(last[count - 2], last[count - 1]) < above(last[count - 1], block))
      join();
    for (int s = 0; s < kSums; ++s) sum[count][s] = hn::Add(even[s], odd[s]);
    last[count++] = block;
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

// The first entry from k on whose column is `column` or comes after it; steps double, for most
// blocks have few entries or nearly all.
HWY_INLINE Index end_of_block(const SpmmTask& t, Index k, Index last, Index column) {
  if (k + 1 == last || t.col[k + 1] >= column) return k + 1;
  Index step = 2;
  while (k + step < last && t.col[k + step] < column) step *= 2;
  const NodeId *const begin = t.col + k + step / 2, *const end = t.col + std::min(last, k + step);
  return std::lower_bound(begin, end, static_cast<NodeId>(column)) - t.col;
}

// kVectors vectors of X from place j of each row on, in rows [begin, end) of A.
template <int kVectors, bool kTree, class X, class Use>
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
    const auto add_all = [&](Index k, Index last) HWY_ATTR {
      for (; k + 2 <= last; k += 2) add(k, even), add(k + 1, odd);
      if (k < last) add(k, even);
    };
    const auto use_all = [&](const Vector* sum) HWY_ATTR {
      for (int s = 0; s < kSums; ++s) {
        const Index column = X::column(j + s / X::kSums * kWidth, s % X::kSums);
        if (X::kSums == 1 || column < t.columns) use(sum[s], i, t.first + column);
      }
    };
    const auto [first, last] = entries(t, i);
    if constexpr (kTree) {
      PendingSums<kSums> pending;
      for (Index k = first; k < last;) {
        const Index block = t.col[k] >> t.tree_shift;
        const Index stop = end_of_block(t, k, last, (block + 1) << t.tree_shift);
        for (int s = 0; s < kSums; ++s) even[s] = odd[s] = hn::Zero(kTag);
        add_all(k, stop);
        pending.push(even, odd, block);
        k = stop;
      }
      while (pending.count > 1) pending.join();
      // Zero plus the sum: whether blocks without an entry took part must not show in a sign.
      for (int s = 0; s < kSums; ++s)
        even[s] = pending.count == 0 ? hn::Zero(kTag) : hn::Add(hn::Zero(kTag), pending.sum[0][s]);
      use_all(even);
    } else {
      add_all(first, last);
      for (int s = 0; s < kSums; ++s) even[s] = hn::Add(even[s], odd[s]);
      use_all(even);
    }
  }
}

// All columns of the task, a multiple of 16 of them, in rows [begin, end).
template <bool kTree, class X, class Use>
void spmm_columns(const SpmmTask& t, const X& x, Index begin, Index end, const Use& use) {
  constexpr int kRegisters = HWY_TARGET == HWY_AVX3 ? 8 : 4;  // times 2 sums: half of them
  constexpr int kWidest = kRegisters / X::kSums;
  const Index size = X::size(t.columns);
  Index j = 0;
  for (; j + kWidest * kWidth <= size; j += kWidest * kWidth)
    spmm_strip<kWidest, kTree>(t, x, begin, end, j, use);
  if constexpr (kWidest > 4)
    for (; j + 4 * kWidth <= size; j += 4 * kWidth) spmm_strip<4, kTree>(t, x, begin, end, j, use);
  if constexpr (kWidest > 2)
    for (; j + 2 * kWidth <= size; j += 2 * kWidth) spmm_strip<2, kTree>(t, x, begin, end, j, use);
  for (; j < size; j += kWidth) spmm_strip<1, kTree>(t, x, begin, end, j, use);
}

template <class X>
void spmm_task(const SpmmTask& t, const X& x, Index begin, Index end) {
  if (t.levels.at) return spmm_columns<false>(t, x, begin, end, StoreLevel{t});
  if (t.adam) {
    const StepBySum step{t, AdamUpdate(*t.adam)};
    t.tree_shift > 0 ? spmm_columns<true>(t, x, begin, end, step)
                     : spmm_columns<false>(t, x, begin, end, step);
  } else {
    t.tree_shift > 0 ? spmm_columns<true>(t, x, begin, end, StoreSum{t})
                     : spmm_columns<false>(t, x, begin, end, StoreSum{t});
  }
}

template <class Use>
void finish_levels(const SpmmTask& t, Index blocks, Index begin, Index end, const Use& use) {
  const StoreLevel levels{t};
  for (Index i = begin; i < end; ++i) {
    for (Index j = t.first; j < t.first + t.columns; j += kWidth) {
      Index l = std::countr_zero(static_cast<std::uint64_t>(blocks));
      Vector sum = hn::Load(kTag, levels.level(l + 1, i, j));
      for (++l; blocks >> l != 0; ++l)
        if (blocks >> l & 1) sum = hn::Add(hn::Load(kTag, levels.level(l + 1, i, j)), sum);
      use(hn::Add(hn::Zero(kTag), sum), i, j);
    }
  }
}

void finish_rows(const SpmmTask& t, Index blocks, Index begin, Index end) {
  t.adam ? finish_levels(t, blocks, begin, end, StepBySum{t, AdamUpdate(*t.adam)})
         : finish_levels(t, blocks, begin, end, StoreSum{t});
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
HWY_EXPORT(finish_rows);
HWY_EXPORT(pack_rows);

void run_spmm(const SpmmTask& task, Index begin, Index end) {
  SCRL_DISPATCH(spmm_rows)(task, begin, end);
}
void finish_spmm(const SpmmTask& task, Index blocks, Index begin, Index end) {
  SCRL_DISPATCH(finish_rows)(task, blocks, begin, end);
}
void pack_words(const Matrix& X, Index first, Index columns, Index begin, Index end,
                std::uint32_t* words) {
  SCRL_DISPATCH(pack_rows)(X, first, columns, begin, end, words);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
