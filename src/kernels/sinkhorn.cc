// Balanced soft assignment, in the log domain.  z, Q (n,B);  t = z / eps;  f (n), g (B) as in
// kernels.h, started from f = 0.
//
// Only the first step needs a log-sum over a column. Afterwards, with the row softmax
//     p_ib = exp(t_ib + g_b) / sum_c exp(t_ic + g_c),
// f_i = -ln n - LSE_b(t_ib + g_b) makes exp(t_ib + f_i + g_b) = p_ib / n; the next column step is
//     g_b += ln c_b,  c_b = n / (B sum_i p_ib),
// and the next row softmax is p_ib c_b, each row scaled to sum 1. So p is kept, in Q; an iteration
// multiplies, and only the first takes exponentials. f is never stored.
// No column vanishes: after a column step its entries add up to 1/B, one of them is at least
// 1/(nB), and the row it stands in adds up to at most 1, so its p is at least 1/(nB). A p that does
// underflow is nothing to its row and to its column until the g of its column has grown far against
// the others; before it would count, exponentials are taken again.
#include "kernels/sinkhorn.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/block_sums.h"
#include "kernels/entry.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sinkhorn.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#ifndef SCRL_KERNELS_SINKHORN_ONCE
#define SCRL_KERNELS_SINKHORN_ONCE
namespace scrl::kernels {
struct SinkhornProblem {
  const Matrix* z;
  std::span<const NodeId> rows;  // empty: all
  float inverse_eps;
  const float* g;  // one per column; padding holds a value whose exponential is zero

  const float* row(Index i) const { return z->row(row_number(i)); }
  Index row_number(Index i) const { return rows.empty() ? i : rows[static_cast<std::size_t>(i)]; }
};
}  // namespace scrl::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;

// Over rows [begin, end): top[b] = max t_ib, sum[b] = sum exp(t_ib - top[b]).
void column_log_sums(const SinkhornProblem& s, Index begin, Index end, float* top, float* sum) {
  const Vector factor = hn::Set(kTag, s.inverse_eps);
  for (Index j = 0; j < s.z->stride(); j += kWidth) {
    Vector high = hn::Set(kTag, -std::numeric_limits<float>::infinity());
    for (Index i = begin; i < end; ++i) {
      high = hn::Max(high, hn::Mul(factor, hn::Load(kTag, s.row(i) + j)));
    }
    Vector total = hn::Zero(kTag);
    for (Index i = begin; i < end; ++i) {
      const Vector t = hn::Mul(factor, hn::Load(kTag, s.row(i) + j));
      total = hn::Add(total, hn::Exp(kTag, hn::Sub(t, high)));
    }
    hn::Store(high, kTag, top + j);
    hn::Store(total, kTag, sum + j);
  }
}

// Scales the row to sum 1 and adds it to the column sums.
HWY_INLINE void normalize_row(Vector total, Index stride, float* p, float* sum) {
  const Vector inverse = hn::Div(hn::Set(kTag, 1.0f), hn::SumOfLanes(kTag, total));
  for (Index j = 0; j < stride; j += kWidth) {
    const Vector share = hn::Mul(inverse, hn::Load(kTag, p + j));
    hn::Store(share, kTag, p + j);
    hn::Store(hn::Add(hn::Load(kTag, sum + j), share), kTag, sum + j);
  }
}

// Rows [begin, end): Q_i = softmax(t_i + g); sum[b] = sum Q_ib.
void assign_rows(const SinkhornProblem& s, Index begin, Index end, Matrix& Q, float* sum) {
  const Index stride = s.z->stride();
  const Vector factor = hn::Set(kTag, s.inverse_eps);
  std::fill_n(sum, stride, 0.0f);
  for (Index i = begin; i < end; ++i) {
    const float* const z = s.row(i);
    float* const p = Q.row(s.row_number(i));
    Vector high = hn::Set(kTag, -std::numeric_limits<float>::infinity());
    for (Index j = 0; j < stride; j += kWidth) {
      const Vector t = hn::MulAdd(factor, hn::Load(kTag, z + j), hn::Load(kTag, s.g + j));
      high = hn::Max(high, t);
      hn::Store(t, kTag, p + j);
    }
    high = hn::MaxOfLanes(kTag, high);
    Vector total = hn::Zero(kTag);
    for (Index j = 0; j < stride; j += kWidth) {
      const Vector e = hn::Exp(kTag, hn::Sub(hn::Load(kTag, p + j), high));
      total = hn::Add(total, e);
      hn::Store(e, kTag, p + j);
    }
    normalize_row(total, stride, p, sum);
  }
}

// Rows [begin, end): Q_ib times c_b, scaled to sum 1; sum[b] = sum Q_ib.
void rescale_rows(const SinkhornProblem& s, Index begin, Index end, const float* c, Matrix& Q,
                  float* sum) {
  const Index stride = s.z->stride();
  std::fill_n(sum, stride, 0.0f);
  for (Index i = begin; i < end; ++i) {
    float* const p = Q.row(s.row_number(i));
    Vector total = hn::Zero(kTag);
    for (Index j = 0; j < stride; j += kWidth) {
      const Vector scaled = hn::Mul(hn::Load(kTag, p + j), hn::Load(kTag, c + j));
      total = hn::Add(total, scaled);
      hn::Store(scaled, kTag, p + j);
    }
    normalize_row(total, stride, p, sum);
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(column_log_sums);
HWY_EXPORT(assign_rows);
HWY_EXPORT(rescale_rows);
namespace {

constexpr Index kRowsPerChunk = 256;
constexpr float kVanishing = -1e30f;  // its exponential is zero next to any score
constexpr double kFar = 40.0;         // what underflows is below e^-87, so now below e^-47
struct Tops;
struct Sums;
struct Totals;
struct Shifts;
struct ExactShifts;
struct Moves;
struct Factors;

}  // namespace

void sinkhorn(const Matrix& z, float eps, int iterations, std::span<const NodeId> rows, Matrix& Q) {
  check_same_shape("sinkhorn", "z", z, "Q", Q);
  check(&z != &Q, "sinkhorn: z and Q must be two matrices");
  check(eps > 0.0f, "sinkhorn: eps must be above 0, got ", eps);
  check(iterations >= 1, "sinkhorn: iterations must be 1 or more, got ", iterations);
  for (const NodeId row : rows) {
    check(row >= 0 && row < z.rows(), "sinkhorn: row ", row, " is not one of the ", z.rows(),
          " rows of z");
  }
  if (!rows.empty()) Q.fill(0.0f);
  const Index n = rows.empty() ? z.rows() : static_cast<Index>(rows.size());
  const Index B = z.cols(), stride = z.stride();
  if (n == 0 || B == 0) return;
  const BlockChunks chunks{n, kRowsPerChunk};  // the rows that take part, in blocks of as many

  float* const tops = scratch<float, Tops>(chunks.count() * stride);
  float* const sums = scratch<float, Sums>(chunks.count() * stride);
  double* const total = scratch<double, Totals>(2 * stride);
  double* const top = total + stride;
  float* const g = scratch<float, Shifts>(stride);
  double* const exact_g = scratch<double, ExactShifts>(stride);
  const SinkhornProblem problem = {.z = &z, .rows = rows, .inverse_eps = 1.0f / eps, .g = g};
  std::fill_n(g, stride, kVanishing);

  const auto log_sums = SCRL_DISPATCH(column_log_sums);
  std::fill_n(tops, chunks.count() * stride, -std::numeric_limits<float>::infinity());
  chunks.for_each([&](Index chunk, Index begin, Index end) {
    log_sums(problem, begin, end, tops + chunk * stride, sums + chunk * stride);
  });
  std::fill_n(top, B, -std::numeric_limits<double>::infinity());
  for (Index chunk = 0; chunk < chunks.count(); ++chunk)
    for (Index b = 0; b < B; ++b) top[b] = std::max<double>(top[b], tops[chunk * stride + b]);
  std::fill_n(total, B, 0.0);
  add_up(
      chunks, B,
      [&](Index chunk, Index b) {
        return sums[chunk * stride + b] * std::exp(tops[chunk * stride + b] - top[b]);
      },
      total);
  for (Index b = 0; b < B; ++b) {
    exact_g[b] = -std::log(static_cast<double>(B)) - top[b] - std::log(total[b]);
    g[b] = static_cast<float>(exact_g[b]);
  }

  const auto assign = SCRL_DISPATCH(assign_rows);
  chunks.for_each([&](Index chunk, Index begin, Index end) {
    assign(problem, begin, end, Q, sums + chunk * stride);
  });
  float* const c = scratch<float, Factors>(stride);
  double* const moved = scratch<double, Moves>(stride);  // of g, since the last exponentials
  std::fill_n(c, stride, 0.0f);
  std::fill_n(moved, stride, 0.0);
  const double share = static_cast<double>(n) / static_cast<double>(B);
  const auto rescale = SCRL_DISPATCH(rescale_rows);
  for (int iteration = 1; iteration < iterations; ++iteration) {
    std::fill_n(total, B, 0.0);
    add_up(
        chunks, B, [&](Index chunk, Index b) { return double{sums[chunk * stride + b]}; }, total);
    for (Index b = 0; b < B; ++b) {
      c[b] = static_cast<float>(share / total[b]);
      moved[b] += std::log(share / total[b]);
    }
    const auto [least, most] = std::minmax_element(moved, moved + B);
    const bool far = *most - *least > kFar;
    for (Index b = 0; far && b < B; ++b) {
      exact_g[b] += std::exchange(moved[b], 0.0);
      g[b] = static_cast<float>(exact_g[b]);
    }
    chunks.for_each([&](Index chunk, Index begin, Index end) {
      float* const sum = sums + chunk * stride;
      if (far) {
        assign(problem, begin, end, Q, sum);
      } else {
        rescale(problem, begin, end, c, Q, sum);
      }
    });
  }
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
