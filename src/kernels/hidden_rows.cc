#include "kernels/hidden_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/hidden_rows.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;

void mark(HiddenTile& t) {
  for (Index r = 0; r < t.rows; ++r) {
    for (Index w = 0; w < t.words; ++w) {
      const Index first = w * kHiddenBlock, last = std::min(t.step, first + kHiddenBlock);
      std::uint64_t bits = 0;
      for (Index k = first; k < last; k += kWidth) {
        // A NaN is not zero either, and is found in the loss. Ne() of some targets denies that.
        const auto zero = hn::Eq(hn::Load(kTag, t.value + r * t.step + k), hn::Zero(kTag));
        const auto kept = hn::Not(zero);
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(kTag, kept, bytes);
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        bits |= word << (k - first);
      }
      t.bits[r * t.words + w] = bits;
    }
  }
}

void recall(HiddenTile& t, const Matrix& x, const float* bias, float factor) {
  const Vector scale = hn::Set(kTag, factor);
  for (Index r = 0; r < t.rows; ++r) {
    for (Index k = 0; k < t.step; k += kWidth) {
      const std::uint64_t bits = t.bits[r * t.words + k / kHiddenBlock] >> (k % kHiddenBlock);
      std::uint8_t bytes[8];
      std::memcpy(bytes, &bits, sizeof bytes);
      const Vector v = hn::Add(hn::Load(kTag, x.at(t.first + r, k)), hn::Load(kTag, bias + k));
      hn::Store(hn::IfThenElseZero(hn::LoadMaskBits(kTag, bytes), hn::Mul(scale, v)), kTag,
                t.value + r * t.step + k);
    }
  }
}

// use(k) for the marked elements of word w in row r, ascending.
template <class Use>
HWY_INLINE void for_marked(const HiddenTile& t, Index r, Index w, const Use& use) {
  for (std::uint64_t bits = t.bits[r * t.words + w]; bits != 0; bits &= bits - 1)
    use(w * kHiddenBlock + std::countr_zero(bits));
}

// kVectors vectors of columns of W and out, from column j on.
template <int kVectors>
void times_columns(const HiddenTile& t, const Matrix& W, Index j, Matrix& out) {
  const float* const w = W.data() + j;
  for (Index word = 0; word < t.words; ++word) {
    for (Index r = 0; r < t.rows; ++r) {
      const float* const value = t.value + r * t.step;
      const auto to = [&](int v) HWY_ATTR { return out.at(t.first + r, j + v * kWidth); };
      Vector sum[kVectors];
      for (int v = 0; v < kVectors; ++v)
        sum[v] = word == 0 ? hn::Zero(kTag) : hn::Load(kTag, to(v));
      for_marked(t, r, word, [&](Index k) HWY_ATTR {
        const Vector a = hn::Set(kTag, value[k]);
        const float* const row = w + k * W.stride();
        for (int v = 0; v < kVectors; ++v)
          sum[v] = hn::MulAdd(a, hn::Load(kTag, row + v * kWidth), sum[v]);
      });
      for (int v = 0; v < kVectors; ++v) hn::Store(sum[v], kTag, to(v));
    }
  }
}

template <int kVectors>
void weight_gradients_columns(const HiddenTile& t, const Matrix& dout, Index j, float* dW,
                              Index dW_step) {
  for (Index word = 0; word < t.words; ++word) {
    for (Index r = 0; r < t.rows; ++r) {
      const float* const value = t.value + r * t.step;
      Vector d[kVectors];
      for (int v = 0; v < kVectors; ++v)
        d[v] = hn::Load(kTag, dout.at(t.first + r, j + v * kWidth));
      for_marked(t, r, word, [&](Index k) HWY_ATTR {
        const Vector a = hn::Set(kTag, value[k]);
        float* const row = dW + j + k * dW_step;
        for (int v = 0; v < kVectors; ++v)
          hn::Store(hn::MulAdd(a, d[v], hn::Load(kTag, row + v * kWidth)), kTag, row + v * kWidth);
      });
    }
  }
}

// The part of the dot products that these columns contribute, added to that of earlier ones.
template <int kVectors>
void value_gradients_columns(HiddenTile& t, const Matrix& W, const Matrix& dout, Index j,
                             float factor) {
  const float* const w = W.data() + j;
  for (Index word = 0; word < t.words; ++word) {
    for (Index r = 0; r < t.rows; ++r) {
      float* const value = t.value + r * t.step;
      Vector d[kVectors];
      for (int v = 0; v < kVectors; ++v)
        d[v] = hn::Load(kTag, dout.at(t.first + r, j + v * kWidth));
      for_marked(t, r, word, [&](Index k) HWY_ATTR {
        const float* const row = w + k * W.stride();
        Vector sum = hn::Mul(d[0], hn::Load(kTag, row));
        for (int v = 1; v < kVectors; ++v)
          sum = hn::MulAdd(d[v], hn::Load(kTag, row + v * kWidth), sum);
        const float g = factor * hn::GetLane(hn::SumOfLanes(kTag, sum));
        value[k] = j > 0 ? value[k] + g : g;
      });
    }
  }
}

// Cuts `columns` into groups of 8, 4, 2 and 1 vectors: use(first column, number of vectors).
template <class Use>
HWY_INLINE void for_groups(Index columns, const Use& use) {
  Index j = 0;
  for (; j + 8 * kWidth <= columns; j += 8 * kWidth) use(j, std::integral_constant<int, 8>());
  for (; j + 4 * kWidth <= columns; j += 4 * kWidth) use(j, std::integral_constant<int, 4>());
  for (; j + 2 * kWidth <= columns; j += 2 * kWidth) use(j, std::integral_constant<int, 2>());
  for (; j < columns; j += kWidth) use(j, std::integral_constant<int, 1>());
}

void times(const HiddenTile& t, const Matrix& W, Matrix& out) {
  for_groups(W.stride(),
             [&](Index j, auto vectors) HWY_ATTR { times_columns<vectors>(t, W, j, out); });
}

void weight_gradients(const HiddenTile& t, const Matrix& W, const Matrix& dout, float* dW) {
  for_groups(W.stride(), [&](Index j, auto vectors) HWY_ATTR {
    weight_gradients_columns<vectors>(t, dout, j, dW, W.stride());
  });
}

void value_gradients(HiddenTile& t, const Matrix& W, const Matrix& dout, float factor) {
  for_groups(W.stride(), [&](Index j, auto vectors)
                             HWY_ATTR { value_gradients_columns<vectors>(t, W, dout, j, factor); });
}

void store(const HiddenTile& t, Matrix& dx, double* sums) {
  constexpr hn::CappedTag<double, kLane / 2> doubles{};
  const hn::Rebind<float, decltype(doubles)> halves;
  for (Index r = 0; r < t.rows; ++r) {
    for (Index k = 0; k < t.step; k += static_cast<Index>(MaxLanes(doubles))) {
      const auto g = hn::Load(halves, t.value + r * t.step + k);
      hn::Store(g, halves, dx.at(t.first + r, k));
      hn::Store(hn::Add(hn::Load(doubles, sums + k), hn::PromoteTo(doubles, g)), doubles, sums + k);
    }
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(mark);
HWY_EXPORT(recall);
HWY_EXPORT(times);
HWY_EXPORT(weight_gradients);
HWY_EXPORT(value_gradients);
HWY_EXPORT(store);

void hidden_mark(HiddenTile& tile) { SCRL_DISPATCH(mark)(tile); }
void hidden_recall(HiddenTile& tile, const Matrix& x, const Matrix& bias, float factor) {
  SCRL_DISPATCH(recall)(tile, x, bias.data(), factor);
}
void hidden_times(const HiddenTile& tile, const Matrix& W, Matrix& out) {
  SCRL_DISPATCH(times)(tile, W, out);
}
void hidden_weight_gradients(const HiddenTile& tile, const Matrix& W, const Matrix& dout,
                             float* dW) {
  SCRL_DISPATCH(weight_gradients)(tile, W, dout, dW);
}
void hidden_value_gradients(HiddenTile& tile, const Matrix& W, const Matrix& dout, float factor) {
  SCRL_DISPATCH(value_gradients)(tile, W, dout, factor);
}
void hidden_store(const HiddenTile& tile, Matrix& dx, double* sums) {
  SCRL_DISPATCH(store)(tile, dx, sums);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
