#include "kernels/attention_rows.h"

#include <algorithm>
#include <limits>

#include "kernels/entry.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention_rows.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on
#include <hwy/cache_control.h>

#include "kernels/dropout-inl.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;
constexpr float kLeak = 0.2f;

struct ChunkWeights;
struct RowScores;
struct RowDots;
struct RowSums;

// Lane l holds lane (l + by) % kWidth of v.
HWY_INLINE Vector rotated(Vector v, Index by) {
  HWY_ALIGN std::int32_t lanes[kWidth];
  for (Index l = 0; l < kWidth; ++l) lanes[l] = static_cast<std::int32_t>((l + by) % kWidth);
  return hn::TableLookupLanes(v, hn::SetTableIndices(kTag, lanes));
}

// The lanes of the heads.
struct Heads {
  explicit Heads(Index slots_) : slots(slots_), step(std::max(slots_, kWidth)) {
    for (Index l = 0; l < kWidth; ++l) lanes[l] = static_cast<std::int32_t>(l % slots);
  }
  // Lane l becomes lane l % slots.
  HWY_INLINE Vector tiled(Vector v) const {
    return hn::TableLookupLanes(v, hn::SetTableIndices(kTag, lanes));
  }
  // Lane l becomes the sum of all lanes of its head.
  HWY_INLINE Vector folded(Vector v) const {
    if (kWidth >= 16 && slots <= 8) v = hn::Add(v, rotated(v, 8));
    if (kWidth >= 8 && slots <= 4) v = hn::Add(v, rotated(v, 4));
    if (kWidth >= 4 && slots <= 2) v = hn::Add(v, rotated(v, 2));
    if (kWidth >= 2 && slots <= 1) v = hn::Add(v, rotated(v, 1));
    return v;
  }
  Index slots;
  Index step;  // from a vector to the next one of the same heads
  HWY_ALIGN std::int32_t lanes[kWidth];
};

HWY_INLINE Vector leaky(Vector x) { return hn::Max(x, hn::Mul(hn::Set(kTag, kLeak), x)); }
// A weight with its sign set is dropped. Comparing lets NaN pass.
HWY_INLINE Vector kept_weight(Vector w) { return hn::IfThenZeroElse(hn::Lt(w, hn::Zero(kTag)), w); }
HWY_INLINE Vector first_lanes(Vector v, Index count) {
  return count >= kWidth ? v
                         : hn::IfThenElseZero(hn::FirstN(kTag, static_cast<std::size_t>(count)), v);
}

// w (entries, slots) = softmax over the entries of row i. Writes up to a vector past its end.
void softmax_row(const AttentionTask& a, const Heads& heads, Index i, float* w) {
  const std::span<const NodeId> columns = a.A->row_cols(i);
  const Index end = static_cast<Index>(columns.size()) * a.slots;
  for (Index b = 0; b < a.slots; b += kWidth) {
    const Vector s = hn::Load(kTag, a.s->row(i) + b);
    const float* const t = a.t->data() + b;
    const Index t_step = a.t->stride();
    Vector top = hn::Set(kTag, -std::numeric_limits<float>::infinity());
    float* to = w + b;
    for (const NodeId j : columns) {
      const Vector e = leaky(hn::Add(s, hn::Load(kTag, t + j * t_step)));
      top = hn::Max(top, e);
      hn::StoreU(e, kTag, to);  // what it writes too much, the next entry overwrites
      to += a.slots;
    }
    top = heads.tiled(top);
    Vector sum = hn::Zero(kTag);
    for (Index q = b; q < end; q += heads.step) {
      const Vector below = hn::Sub(hn::LoadU(kTag, w + q), top);
      const Vector e = hn::IfThenElse(hn::IsNaN(below), below, hn::Exp(kTag, below));
      hn::StoreU(e, kTag, w + q);
      sum = hn::Add(sum, first_lanes(e, end - q));
    }
    const Vector inverse = hn::Div(hn::Set(kTag, 1.0f), heads.folded(sum));
    for (Index q = b; q < end; q += heads.step)
      hn::StoreU(hn::Mul(inverse, hn::LoadU(kTag, w + q)), kTag, w + q);
  }
}

// Sets the sign of those of w[0, count) that are dropped, elements first, first + 1, ... of a flat
// array.
void mark_dropped(float* w, Index first, Index count, std::uint32_t threshold, const Rng& rng) {
  const auto mark = [&](Index group, float* to) HWY_ATTR {
    for_kept(rng, threshold, static_cast<std::uint64_t>(group * kDropoutBlocks), 8,
             [&](Index at, hn::Mask<DropoutTag> keep) HWY_ATTR {
               const Vector v = hn::LoadU(kTag, to + at);
               hn::StoreU(hn::IfThenElse(keep, v, hn::Neg(v)), kTag, to + at);
             });
  };
  const Index last = first + count;
  for (Index at = first; at < last;) {
    const Index group = at / kDropoutGroup, begin = group * kDropoutGroup;
    const Index end = std::min(last, begin + kDropoutGroup);
    if (at == begin && end == begin + kDropoutGroup) {
      mark(group, w + (at - first));
    } else {
      float part[kDropoutGroup] = {};
      std::copy_n(w + (at - first), end - at, part + (at - begin));
      mark(group, part);
      std::copy_n(part + (at - begin), end - at, w + (at - first));
    }
    at = end;
  }
}

// sums[j, j + kVectors * kWidth) = sum over the entries of row i of weight times row of x.
// weights: of entry e at weights + number(e) * slots.
template <int kVectors, class Number>
HWY_INLINE void sum_strip(const AttentionTask& a, const Heads& heads, Index i, const float* weights,
                          const Number& number, Index j, float* sums) {
  Vector sum[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(kTag);
  const bool shared = a.slots <= kWidth;
  for (Index e = a.A->row_ptr[i]; e < a.A->row_ptr[i + 1]; ++e) {
    const float* const x = a.x + a.A->col[e] * a.length + j;
    const float* const w = weights + number(e) * a.slots;
    if (shared) {
      const Vector weight = kept_weight(heads.tiled(hn::LoadU(kTag, w)));
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v)
        sum[v] = hn::MulAdd(weight, hn::LoadU(kTag, x + v * kWidth), sum[v]);
    } else {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        const Vector weight = kept_weight(hn::LoadU(kTag, w + (j + v * kWidth) % a.slots));
        sum[v] = hn::MulAdd(weight, hn::LoadU(kTag, x + v * kWidth), sum[v]);
      }
    }
  }
  const Vector scale = hn::Set(kTag, a.rate.scale);
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v)
    hn::StoreU(hn::Mul(scale, sum[v]), kTag, sums + j + v * kWidth);
}

// Row i of out = or += the weighted sum.
template <class Number>
void weighted_row(const AttentionTask& a, const Heads& heads, Index i, const float* weights,
                  const Number& number) {
  float* const sums = scratch<float, RowSums>(a.length);
  Index j = 0;
  for (; j + 8 * kWidth <= a.length; j += 8 * kWidth)
    sum_strip<8>(a, heads, i, weights, number, j, sums);
  for (; j + 4 * kWidth <= a.length; j += 4 * kWidth)
    sum_strip<4>(a, heads, i, weights, number, j, sums);
  for (; j < a.length; j += kWidth) sum_strip<1>(a, heads, i, weights, number, j, sums);
  float* to = a.out->row(i);
  for (Index k = 0; k < a.heads; ++k) {
    for (Index c = 0; c < a.features; ++c, ++to)
      *to = (a.add_out ? *to : 0.0f) + sums[c * a.slots + k];
  }
}

void sum_rows(const AttentionTask& a, Index begin, Index end) {
  const Heads heads(a.slots);
  const Index first = a.A->row_ptr[begin], count = a.A->row_ptr[end] - first;
  float* const w = scratch<float, ChunkWeights>(count * a.slots + kDropoutGroup);
  for (Index i = begin; i < end; ++i)
    softmax_row(a, heads, i, w + (a.A->row_ptr[i] - first) * a.slots);
  if (a.rng) mark_dropped(w, first * a.slots, count * a.slots, a.rate.threshold, *a.rng);
  for (Index i = begin; i < end; ++i)
    weighted_row(a, heads, i, w, [first](Index e) { return e - first; });
  std::copy_n(w, count * a.slots, a.weights + first * a.slots);
}

// dots (entries, slots): x_j . u_i head by head; scores: s_i + t_j.
void row_dots(const AttentionTask& a, const Heads& heads, Index i, float* dots, float* scores) {
  const float* const u = a.u + i * a.length;
  const Index t_step = a.t->stride();
  for (Index b = 0; b < a.slots; b += kWidth) {
    const Vector s = hn::Load(kTag, a.s->row(i) + b);
    Index at = b;
    for (const NodeId j : a.A->row_cols(i)) {
      const float* const x = a.x + j * a.length;
      Vector sum = hn::Zero(kTag);
      for (Index c = b; c < a.length; c += heads.step)
        sum = hn::MulAdd(hn::LoadU(kTag, x + c), hn::LoadU(kTag, u + c), sum);
      hn::StoreU(heads.folded(sum), kTag, dots + at);
      hn::StoreU(hn::Add(s, hn::Load(kTag, a.t->data() + j * t_step + b)), kTag, scores + at);
      at += a.slots;
    }
  }
}

// Gradient of the scores s_i + t_j of every entry, and of s.
void slopes_rows(const AttentionTask& a, Index begin, Index end) {
  const Heads heads(a.slots);
  const Vector scale = hn::Set(kTag, a.rate.scale), leak = hn::Set(kTag, kLeak);
  const Vector zero = hn::Zero(kTag);
  for (Index i = begin; i < end; ++i) {
    const Index last = a.A->row_nnz(i) * a.slots;
    const float* const w = a.weights + a.A->row_ptr[i] * a.slots;
    float* const dots = scratch<float, RowDots>(last + kLane);
    float* const scores = scratch<float, RowScores>(last + kLane);
    row_dots(a, heads, i, dots, scores);
    const auto kept_dot = [&](Vector weight, Index q) HWY_ATTR {
      return hn::IfThenZeroElse(hn::Lt(weight, zero), hn::Mul(scale, hn::LoadU(kTag, dots + q)));
    };
    for (Index b = 0; b < a.slots; b += kWidth) {
      Vector mean = zero, sum = zero;
      for (Index q = b; q < last; q += heads.step) {
        const Vector weight = hn::LoadU(kTag, w + q);
        const Vector part = hn::Mul(hn::Abs(weight), kept_dot(weight, q));
        mean = hn::Add(mean, first_lanes(part, last - q));
      }
      mean = heads.folded(mean);
      for (Index q = b; q < last; q += heads.step) {
        const Vector weight = hn::LoadU(kTag, w + q);
        const Vector d = hn::Mul(hn::Abs(weight), hn::Sub(kept_dot(weight, q), mean));
        const auto above = hn::Gt(hn::LoadU(kTag, scores + q), zero);
        const Vector slope = hn::IfThenElse(above, d, hn::Mul(leak, d));
        hn::StoreU(slope, kTag, dots + q);
        sum = hn::Add(sum, first_lanes(slope, last - q));
      }
      if (a.ds) {
        HWY_ALIGN float total[kWidth];
        hn::Store(heads.folded(sum), kTag, total);
        float* const to = a.ds->row(i) + b;
        for (Index k = 0; k < std::min(kWidth, a.heads - b); ++k)
          to[k] = (a.add_ds ? to[k] : 0.0f) + total[k];
      }
    }
    std::copy_n(dots, last, a.slopes + a.A->row_ptr[i] * a.slots);
  }
}

// Along the columns, whose entries are the rows of the transpose: dt, and the gradient of x.
void gather_columns(const AttentionTask& a, Index begin, Index end) {
  const Heads heads(a.slots);
  constexpr Index kAhead = 8;
  const Index entries = a.A->nnz();
  for (Index j = begin; j < end; ++j) {
    if (a.dt) {
      for (Index b = 0; b < a.slots; b += kWidth) {
        Vector sum = hn::Zero(kTag);
        for (Index e = a.A->row_ptr[j]; e < a.A->row_ptr[j + 1]; ++e) {
          const Index later = a.from[std::min(e + kAhead, entries - 1)] * a.slots + b;
          hwy::Prefetch(a.slopes + later);
          hwy::Prefetch(a.weights + later);
          sum = hn::Add(sum, hn::LoadU(kTag, a.slopes + a.from[e] * a.slots + b));
        }
        HWY_ALIGN float total[kWidth];
        hn::Store(sum, kTag, total);
        float* const to = a.dt->row(j) + b;
        for (Index k = 0; k < std::min(kWidth, a.heads - b); ++k)
          to[k] = (a.add_dt ? to[k] : 0.0f) + total[k];
      }
    }
    if (a.out) weighted_row(a, heads, j, a.weights, [&](Index e) { return a.from[e]; });
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(sum_rows);
HWY_EXPORT(slopes_rows);
HWY_EXPORT(gather_columns);

void attention_rows(const AttentionTask& task, Index begin, Index end) {
  SCRL_DISPATCH(sum_rows)(task, begin, end);
}
void attention_slopes(const AttentionTask& task, Index begin, Index end) {
  SCRL_DISPATCH(slopes_rows)(task, begin, end);
}
void attention_columns(const AttentionTask& task, Index begin, Index end) {
  SCRL_DISPATCH(gather_columns)(task, begin, end);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
