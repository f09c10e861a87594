// The arithmetic of the dense product: packing, and the register block that does the work.
#include <algorithm>

#include "kernels/entry.h"
#include "kernels/gemm_plan.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm_kernel.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
using Vector = hn::Vec<decltype(kTag)>;
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
// Two vectors wide, and as high as the registers allow: 32 of them with AVX-512, else 16.
constexpr Index kMr = HWY_TARGET == HWY_AVX3 ? 14 : 6;
constexpr Index kNr = 2 * kWidth;

GemmRegisters own_registers() { return {kMr, kNr}; }

// Where a register block finds its part of op(A): element (r, k) is at[r * row_step + k * k_step],
// and one of the steps is 1.
struct LeftOperand {
  const float* at;
  Index row_step, k_step;
};

// c (kMr rows, kVectors wide) = or += a b over `depth` terms; b [depth][kNr].
template <int kVectors, bool kRowsTogether>
void register_block(Index depth, LeftOperand a, const float* HWY_RESTRICT b, float* HWY_RESTRICT c,
                    Index ldc, bool add) {
  Vector sum[kMr][kVectors];
#pragma GCC unroll 16
  for (Index r = 0; r < kMr; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(kTag);
  }
  for (Index k = 0; k < depth; ++k, b += kNr) {
    const float* HWY_RESTRICT left = a.at + (kRowsTogether ? k * a.k_step : k);
    Vector right[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) right[v] = hn::Load(kTag, b + v * kWidth);
#pragma GCC unroll 16
    for (Index r = 0; r < kMr; ++r) {
      const Vector l = hn::Set(kTag, left[kRowsTogether ? r : r * a.row_step]);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(l, right[v], sum[r][v]);
    }
  }
#pragma GCC unroll 16
  for (Index r = 0; r < kMr; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      float* out = c + r * ldc + v * kWidth;
      hn::Store(add ? hn::Add(hn::Load(kTag, out), sum[r][v]) : sum[r][v], kTag, out);
    }
  }
}

template <int kVectors>
HWY_INLINE void any_block(Index depth, LeftOperand a, const float* b, float* c, Index ldc,
                          bool add) {
  a.row_step == 1 ? register_block<kVectors, true>(depth, a, b, c, ldc, add)
                  : register_block<kVectors, false>(depth, a, b, c, ldc, add);
}

// A block that C cuts off below: computed whole in a buffer, then the rows that exist are taken.
template <int kVectors>
void cut_block(Index depth, LeftOperand a, const float* b, float* c, Index ldc, bool add,
               Index rows) {
  HWY_ALIGN float whole[kMr * kNr];
  any_block<kVectors>(depth, a, b, whole, kNr, false);
  for (Index r = 0; r < rows; ++r) {
    for (Index j = 0; j < kVectors * kWidth; ++j) {
      c[r * ldc + j] = add ? c[r * ldc + j] + whole[r * kNr + j] : whole[r * kNr + j];
    }
  }
}

// out[k * kRows + r] = in[r * ld + k] for r < rows and k < depth, zero for the other r < kRows.
// May write up to 3 floats past the end of out.
template <Index kRows>
void pack_transposed(const float* in, Index ld, Index rows, Index depth, float* out) {
  Index k = 0;
#if HWY_TARGET != HWY_SCALAR
  if (rows == kRows) {
    const hn::CappedTag<float, 4> four;
    // If kRows is no multiple of 4, the last group of rows stores too much, over the first rows of
    // the next k: it goes first, and what it spoils is written after it.
    constexpr Index kLastGroup = (kRows - 1) / 4 * 4;
    for (; k + 4 <= depth; k += 4) {
      for (Index group = 0; group < kRows; group += 4) {
        const Index r = group == 0 ? kLastGroup : group - 4;
        const auto row = [&](Index offset) HWY_ATTR {
          return hn::LoadU(four, in + std::min(r + offset, kRows - 1) * ld + k);
        };
        const auto r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
        const auto low01 = hn::InterleaveLower(four, r0, r1);
        const auto low23 = hn::InterleaveLower(four, r2, r3);
        const auto high01 = hn::InterleaveUpper(four, r0, r1);
        const auto high23 = hn::InterleaveUpper(four, r2, r3);
        float* to = out + k * kRows + r;
        hn::StoreU(hn::ConcatLowerLower(four, low23, low01), four, to);
        hn::StoreU(hn::ConcatUpperUpper(four, low23, low01), four, to + kRows);
        hn::StoreU(hn::ConcatLowerLower(four, high23, high01), four, to + 2 * kRows);
        hn::StoreU(hn::ConcatUpperUpper(four, high23, high01), four, to + 3 * kRows);
      }
    }
  }
#endif
  for (; k < depth; ++k) {
    for (Index r = 0; r < kRows; ++r) out[k * kRows + r] = r < rows ? in[r * ld + k] : 0.0f;
  }
}

// `panels` panels side by side: panel q begins at out + q * panel_step and holds columns
// [q * kColumns, (q + 1) * kColumns) of `in`, zero from column `columns` on, as [depth][kColumns].
// A row of `in` has `readable` floats. May write up to kWidth - 1 floats past the end of a panel.
template <Index kColumns>
void pack_straight(const float* in, Index ld, Index columns, Index readable, Index depth,
                   Index panels, Index panel_step, float* out) {
  constexpr Index kWhole = (kColumns + kWidth - 1) / kWidth * kWidth;
  for (Index k = 0; k < depth; ++k) {
    for (Index q = 0; q < panels; ++q) {
      const Index first = q * kColumns;
      const float* from = in + k * ld + first;
      float* to = out + q * panel_step + k * kColumns;
      if (first + kColumns <= columns && first + kWhole <= readable) {
        for (Index c = 0; c < kWhole; c += kWidth) {
          hn::StoreU(hn::LoadU(kTag, from + c), kTag, to + c);
        }
      } else {
        for (Index c = 0; c < kColumns; ++c) to[c] = first + c < columns ? from[c] : 0.0f;
      }
    }
  }
}

void pack_b(const GemmPlan& p, Index k_block, Index first_panel, Index last_panel) {
  const Index first_k = k_block * p.kc, depth = std::min(p.kc, p.k - first_k);
  const Index j = first_panel * kNr;
  float* const out = p.packed_b + first_k * p.n_padded() + j * depth;
  if (!p.transpose_b) {
    pack_straight<kNr>(p.b + first_k * p.ldb + j, p.ldb, p.n - j, p.ldb - j, depth,
                       last_panel - first_panel, kNr * depth, out);
    return;
  }
  for (Index panel = first_panel; panel < last_panel; ++panel) {
    const Index first_column = panel * kNr;
    pack_transposed<kNr>(p.b + first_column * p.ldb + first_k, p.ldb,
                         std::clamp<Index>(p.n - first_column, 0, kNr), depth,
                         out + (first_column - j) * depth);
  }
}

struct PackedA;

void tile(const GemmPlan& p, Index number) {
  const Index row_tile = number % p.row_tiles;
  const Index column_tile = number / p.row_tiles % p.column_tiles;
  const Index slice = number / p.row_tiles / p.column_tiles;
  const Index first_i = row_tile * p.mc, last_i = std::min(p.m, first_i + p.mc);
  const Index first_j = column_tile * p.nc, last_j = std::min(p.n_padded(), first_j + p.nc);
  const Index first_block = slice * p.k_blocks / p.slices;
  const Index last_block = (slice + 1) * p.k_blocks / p.slices;
  const Index last_whole = first_i + (last_i - first_i) / kMr * kMr;
  float* const out = p.out + slice * p.slice_stride;
  float* const packed_a = scratch<float, PackedA>(p.mc / kMr * (kMr * p.kc + kLane));

  for (Index block = first_block; block < last_block; ++block) {
    const Index first_k = block * p.kc, depth = std::min(p.kc, p.k - first_k);
    const Index panel_step = kMr * depth + kLane;
    const bool add = block > first_block || p.accumulate;
    if (p.transpose_a) {
      pack_straight<kMr>(p.a + first_k * p.lda + first_i, p.lda, p.m - first_i, p.lda - first_i,
                         depth, (last_i - first_i + kMr - 1) / kMr, panel_step, packed_a);
    } else if (last_whole < last_i) {
      pack_transposed<kMr>(p.a + last_whole * p.lda + first_k, p.lda, last_i - last_whole, depth,
                           packed_a + (last_whole - first_i) / kMr * panel_step);
    }
    const float* const packed_b = p.packed_b + first_k * p.n_padded();
    for (Index j = first_j; j < last_j; j += kNr) {
      const float* b = packed_b + j * depth;
      const bool both = j + kWidth < p.ldc;  // C may end after the first of the two vectors
      for (Index i = first_i; i < last_i; i += kMr) {
        const LeftOperand a = p.transpose_a || i == last_whole
                                  ? LeftOperand{packed_a + (i - first_i) / kMr * panel_step, 1, kMr}
                                  : LeftOperand{p.a + i * p.lda + first_k, p.lda, 1};
        float* c = out + i * p.ldc + j;
        const Index rows = std::min(kMr, last_i - i);
        if (rows == kMr) {
          both ? any_block<2>(depth, a, b, c, p.ldc, add)
               : any_block<1>(depth, a, b, c, p.ldc, add);
        } else {
          both ? cut_block<2>(depth, a, b, c, p.ldc, add, rows)
               : cut_block<1>(depth, a, b, c, p.ldc, add, rows);
        }
      }
    }
  }
}

void add_slices(const GemmPlan& p, float* C, bool accumulate, Index begin, Index end) {
  for (Index at = begin; at < end; at += kWidth) {
    Vector sum = accumulate ? hn::Load(kTag, C + at) : hn::Zero(kTag);
    for (Index s = 0; s < p.slices; ++s) {
      sum = hn::Add(sum, hn::Load(kTag, p.out + s * p.slice_stride + at));
    }
    hn::Store(sum, kTag, C + at);
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(own_registers);
HWY_EXPORT(pack_b);
HWY_EXPORT(tile);
HWY_EXPORT(add_slices);

GemmRegisters gemm_registers() { return SCRL_DISPATCH(own_registers)(); }
void gemm_pack_b(const GemmPlan& plan, Index k_block, Index first_panel, Index last_panel) {
  SCRL_DISPATCH(pack_b)(plan, k_block, first_panel, last_panel);
}
void gemm_tile(const GemmPlan& plan, Index number) { SCRL_DISPATCH(tile)(plan, number); }
void gemm_add_slices(const GemmPlan& plan, float* C, bool accumulate, Index begin, Index end) {
  SCRL_DISPATCH(add_slices)(plan, C, accumulate, begin, end);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
