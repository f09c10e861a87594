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

// c (kMr rows, kVectors wide) = or += a b over `depth` terms; a [depth][kMr], b [depth][kNr].
template <int kVectors>
void register_block(Index depth, const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                    float* HWY_RESTRICT c, Index ldc, bool add) {
  Vector sum[kMr][kVectors];
#pragma GCC unroll 16
  for (Index r = 0; r < kMr; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(kTag);
  }
  for (Index k = 0; k < depth; ++k, a += kMr, b += kNr) {
    Vector right[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) right[v] = hn::Load(kTag, b + v * kWidth);
#pragma GCC unroll 16
    for (Index r = 0; r < kMr; ++r) {
      const Vector left = hn::Set(kTag, a[r]);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(left, right[v], sum[r][v]);
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

// A block that C cuts off below: computed whole in a buffer, then the rows that exist are taken.
template <int kVectors>
void cut_block(Index depth, const float* a, const float* b, float* c, Index ldc, bool add,
               Index rows) {
  HWY_ALIGN float whole[kMr * kNr];
  register_block<kVectors>(depth, a, b, whole, kNr, false);
  for (Index r = 0; r < rows; ++r) {
    for (Index j = 0; j < kVectors * kWidth; ++j) {
      c[r * ldc + j] = add ? c[r * ldc + j] + whole[r * kNr + j] : whole[r * kNr + j];
    }
  }
}

void pack_b(const GemmPlan& p, Index k_block, Index first_panel, Index last_panel) {
  const Index first_k = k_block * p.kc, depth = std::min(p.kc, p.k - first_k);
  float* const block = p.packed_b + first_k * p.n_padded();
  for (Index panel = first_panel; panel < last_panel; ++panel) {
    float* out = block + panel * kNr * depth;
    const Index j = panel * kNr, columns = std::clamp<Index>(p.n - j, 0, kNr);
    if (p.transpose_b) {
      if (columns < kNr) std::fill_n(out, depth * kNr, 0.0f);
      for (Index c = 0; c < columns; ++c) {
        const float* in = p.b + (j + c) * p.ldb + first_k;
        for (Index k = 0; k < depth; ++k) out[k * kNr + c] = in[k];
      }
    } else {
      for (Index k = 0; k < depth; ++k, out += kNr) {
        const float* in = p.b + (first_k + k) * p.ldb + j;
        std::copy_n(in, columns, out);
        std::fill_n(out + columns, kNr - columns, 0.0f);
      }
    }
  }
}

// Rows [i, i + rows) of op(A), rows <= kMr, over a block of k; missing rows are zero.
void pack_a_panel(const GemmPlan& p, Index i, Index rows, Index first_k, Index depth, float* out) {
  if (rows < kMr) std::fill_n(out, depth * kMr, 0.0f);
  if (p.transpose_a) {
    for (Index k = 0; k < depth; ++k) {
      const float* in = p.a + (first_k + k) * p.lda + i;
      for (Index r = 0; r < rows; ++r) out[k * kMr + r] = in[r];
    }
  } else {
    for (Index r = 0; r < rows; ++r) {
      const float* in = p.a + (i + r) * p.lda + first_k;
      for (Index k = 0; k < depth; ++k) out[k * kMr + r] = in[k];
    }
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
  float* const out = p.out + slice * p.slice_stride;
  float* const packed_a = scratch<float, PackedA>(p.mc * p.kc + kLane);

  for (Index block = first_block; block < last_block; ++block) {
    const Index first_k = block * p.kc, depth = std::min(p.kc, p.k - first_k);
    const bool add = block > first_block || p.accumulate;
    for (Index i = first_i; i < last_i; i += kMr) {
      pack_a_panel(p, i, std::min(kMr, last_i - i), first_k, depth, packed_a + (i - first_i) * depth);
    }
    const float* const packed_b = p.packed_b + first_k * p.n_padded();
    for (Index j = first_j; j < last_j; j += kNr) {
      const float* b = packed_b + j * depth;
      const bool both = j + kWidth < p.ldc;  // C may end after the first of the two vectors
      for (Index i = first_i; i < last_i; i += kMr) {
        const float* a = packed_a + (i - first_i) * depth;
        float* c = out + i * p.ldc + j;
        const Index rows = std::min(kMr, last_i - i);
        if (rows == kMr) {
          both ? register_block<2>(depth, a, b, c, p.ldc, add)
               : register_block<1>(depth, a, b, c, p.ldc, add);
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
