// Contrast of two views, block by block; formulas in kernels.h.
//
// With Z = [U; V] (N = 2n rows) and S_rc = exp(z_r . z_c / tau), S_rr = 0, the sums are D = S 1,
// and
//     d loss / dZ = Theta Z / (2 n tau) - [V; U] / (n tau),  Theta_rc = S_rc (1 / D_r + 1 / D_c).
// S is symmetric: a pair of blocks of rows (a, b) is multiplied once and serves both. Pairs meet as
// in a tournament: in a round every block is in one pair, so a thread has the sums and gradients of
// both for itself, and rounds follow each other. So the order of each sum is fixed, and nothing of
// size n^2 is kept.
#include "kernels/info_nce.h"

#include <algorithm>
#include <cmath>

#include "kernels/entry.h"
#include "kernels/gemm_plan.h"
#include "kernels/reduce.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/info_nce.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#ifndef SCRL_KERNELS_CONTRAST_ONCE
#define SCRL_KERNELS_CONTRAST_ONCE
namespace scrl::kernels {
// Dot products of two blocks of rows, on their way to what is made of them.
struct ContrastTile {
  float* dots;  // [rows][kContrastStride]
  Index rows, cols;
  float inverse_tau;
  bool diagonal;  // both blocks are the same, and S_rr = 0
};
inline constexpr Index kContrastStride = 256;
}  // namespace scrl::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;

// use(row, column, exponentials) for every vector of the tile; zero beyond its columns.
template <class Use>
HWY_INLINE void for_exponentials(const ContrastTile& t, Index row, const Use& use) {
  const Vector factor = hn::Set(kTag, t.inverse_tau);
  const float* const dots = t.dots + row * kContrastStride;
  const Index whole = t.diagonal ? 0 : t.cols / kWidth * kWidth;
  Index j = 0;
  for (; j < whole; j += kWidth) use(j, hn::Exp(kTag, hn::Mul(factor, hn::Load(kTag, dots + j))));
  for (; j < t.cols; j += kWidth) {
    Vector e = hn::Exp(kTag, hn::Mul(factor, hn::Load(kTag, dots + j)));
    const auto lanes = static_cast<std::size_t>(std::min(kWidth, t.cols - j));
    e = hn::IfThenElseZero(hn::FirstN(kTag, lanes), e);
    if (t.diagonal && j <= row && row < j + kWidth) {
      const Vector lane = hn::Iota(kTag, 0);
      e = hn::IfThenZeroElse(hn::Eq(lane, hn::Set(kTag, static_cast<float>(row - j))), e);
    }
    use(j, e);
  }
}

// Adds the sums of rows and, unless null, of columns of S.
void contrast_sums(const ContrastTile& t, double* row_sums, double* col_sums) {
  HWY_ALIGN float columns[kContrastStride] = {};
  for (Index i = 0; i < t.rows; ++i) {
    Vector sum = hn::Zero(kTag);
    for_exponentials(t, i, [&](Index j, Vector e) HWY_ATTR {
      sum = hn::Add(sum, e);
      hn::Store(hn::Add(hn::Load(kTag, columns + j), e), kTag, columns + j);
    });
    row_sums[i] += static_cast<double>(hn::GetLane(hn::SumOfLanes(kTag, sum)));
  }
  for (Index j = 0; col_sums && j < t.cols; ++j) col_sums[j] += static_cast<double>(columns[j]);
}

// dots becomes S_rc (row_factor_r + col_factor_c); col_factors in whole vectors, 64-byte aligned.
void contrast_weights(const ContrastTile& t, const float* row_factors, const float* col_factors) {
  for (Index i = 0; i < t.rows; ++i) {
    float* const out = t.dots + i * kContrastStride;
    const Vector factor = hn::Set(kTag, row_factors[i]);
    for_exponentials(t, i, [&](Index j, Vector e) HWY_ATTR {
      const Vector both = hn::Add(factor, hn::LoadU(kTag, col_factors + j));
      hn::Store(hn::Mul(e, both), kTag, out + j);
    });
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(contrast_sums);
HWY_EXPORT(contrast_weights);
namespace {

// A whole number of register blocks of the product, 14 or 6 rows, and nearly one of columns.
constexpr Index kLargeBlock = 252, kSmallBlock = 126, kLargeProblem = 4096;
struct Dots;
struct Factors;

// The rows of U and V, a block of them at a time.
struct Blocks {
  const Matrix &U, &V;
  Index n = U.rows(), size = n < kLargeProblem ? kSmallBlock : kLargeBlock;
  Index per_view = chunk_count(n, size);

  Index count() const { return 2 * per_view; }
  bool second(Index b) const { return b >= per_view; }
  Index first(Index b) const { return b % per_view * size; }  // row of its view
  Index rows(Index b) const { return std::min(size, n - first(b)); }
  Index number(Index b) const { return first(b) + (second(b) ? n : 0); }  // row of Z
  const float* data(Index b) const { return (second(b) ? V : U).row(first(b)); }

  // Dot products of all rows of block a with all of block b.
  ContrastTile multiply(Index a, Index b, float tau) const {
    const ContrastTile tile = {.dots = scratch<float, Dots>(kLargeBlock * kContrastStride),
                               .rows = rows(a),
                               .cols = rows(b),
                               .inverse_tau = 1.0f / tau,
                               .diagonal = a == b};
    gemm_block({data(a), U.stride(), false}, {data(b), U.stride(), true}, tile.rows, tile.cols,
               U.cols(), tile.dots, kContrastStride, /*accumulate=*/false);
    return tile;
  }
};

// meet(a, b) for every pair a <= b, such that no two that may run at once share a block.
void tournament(Index players, FunctionRef<void(Index, Index)> meet) {
  parallel_for(players, 1, [&](Index a, Index) { meet(a, a); });
  const Index seats = players + players % 2;
  for (Index round = 0; round + 1 < seats; ++round) {
    parallel_for(seats / 2, 1, [&](Index table, Index) {
      const Index a = table == 0 ? seats - 1 : (round + table) % (seats - 1);
      const Index b = (round + seats - 1 - table) % (seats - 1);
      if (std::max(a, b) < players) meet(std::min(a, b), std::max(a, b));
    });
  }
}

void check_views(const char* kernel, const Matrix& U, const Matrix& V, float tau) {
  check_same_shape(kernel, "U", U, "V", V);
  check(U.rows() > 0 && U.cols() > 0, kernel, ": there must be rows and columns, got ", U.rows(),
        "x", U.cols());
  check(tau >= 0.0125f, kernel, ": tau must be 0.0125 or more, else exponentials overflow, got ",
        tau);
}

}  // namespace

double info_nce(const Matrix& U, const Matrix& V, float tau, std::vector<double>& sums) {
  check_views("info_nce", U, V, tau);
  const Blocks blocks{U, V};
  sums.assign(static_cast<std::size_t>(2 * blocks.n), 0.0);
  const auto add_sums = SCRL_DISPATCH(contrast_sums);
  tournament(blocks.count(), [&](Index a, Index b) {
    add_sums(blocks.multiply(a, b, tau), sums.data() + blocks.number(a),
             a == b ? nullptr : sums.data() + blocks.number(b));
  });
  double logs = 0.0;
  for (const double sum : sums) logs += std::log(sum);
  const double n = static_cast<double>(blocks.n);
  return logs / (2.0 * n) - dot(U, V) / (n * static_cast<double>(tau));
}

void info_nce_backward(const Matrix& U, const Matrix& V, float tau, std::span<const double> sums,
                       float dout, const InfoNceGradients& gradients) {
  check_views("info_nce_backward", U, V, tau);
  const Blocks blocks{U, V};
  check(static_cast<Index>(sums.size()) == 2 * blocks.n, "info_nce_backward: ", blocks.n,
        " rows per view need twice as many sums, got ", sums.size());
  const double share =
      static_cast<double>(dout) / (2.0 * static_cast<double>(blocks.n) * static_cast<double>(tau));
  const auto start = [&](const char* name, const Matrix& other, Matrix* grad, bool add) {
    if (!grad) return;
    check_same_shape("info_nce_backward", "U", U, name, *grad);
    check(grad != &U && grad != &V && gradients.dU != gradients.dV,
          "info_nce_backward: gradients must be matrices of their own");
    scale(static_cast<float>(-2.0 * share), other, *grad, add);
  };
  start("dU", V, gradients.dU, gradients.add_dU);
  start("dV", U, gradients.dV, gradients.add_dV);

  float* const factors = scratch<float, Factors>(2 * blocks.n + kLane);  // read in whole vectors
  for (Index r = 0; r < 2 * blocks.n; ++r) factors[r] = static_cast<float>(share / sums[r]);
  std::fill_n(factors + 2 * blocks.n, kLane, 0.0f);
  const auto weigh = SCRL_DISPATCH(contrast_weights);
  const Index h = U.cols(), ld = U.stride();
  tournament(blocks.count(), [&](Index a, Index b) {
    const auto target = [&](Index block) {
      Matrix* const grad = blocks.second(block) ? gradients.dV : gradients.dU;
      return grad ? grad->row(blocks.first(block)) : nullptr;
    };
    float *const to_a = target(a), *const to_b = a == b ? nullptr : target(b);
    if (!to_a && !to_b) return;
    const ContrastTile tile = blocks.multiply(a, b, tau);
    weigh(tile, factors + blocks.number(a), factors + blocks.number(b));
    if (to_a) {
      gemm_block({tile.dots, kContrastStride, false}, {blocks.data(b), ld, false}, tile.rows, h,
                 tile.cols, to_a, ld, /*accumulate=*/true);
    }
    if (to_b) {
      gemm_block({tile.dots, kContrastStride, true}, {blocks.data(a), ld, false}, tile.cols, h,
                 tile.rows, to_b, ld, /*accumulate=*/true);
    }
  });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
