// A vector of neighbours at a time: their places are gathered, forces are added lane by lane.
#include "kernels/attraction.h"

#include "kernels/entry.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attraction.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void attraction_body(const Csr& P, const float* x, const float* y, Index begin, Index end,
                     float* fx, float* fy) {
  constexpr hn::CappedTag<float, kLane> d{};
  constexpr hn::RebindToSigned<decltype(d)> di{};
  const Index lanes = static_cast<Index>(hn::MaxLanes(d));
  const auto one = hn::Set(d, 1.0f);
  for (Index i = begin; i < end; ++i) {
    const auto xi = hn::Set(d, x[i]), yi = hn::Set(d, y[i]);
    auto sum_x = hn::Zero(d), sum_y = sum_x;
    Index e = P.row_ptr[i];
    const Index last = P.row_ptr[i + 1];
    for (; e + lanes <= last; e += lanes) {
      const auto at = hn::LoadU(di, P.col.data() + e);
      const auto dx = hn::Sub(xi, hn::GatherIndex(d, x, at));
      const auto dy = hn::Sub(yi, hn::GatherIndex(d, y, at));
      const auto square = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, one));
      const auto pull = hn::Div(hn::LoadU(d, P.val.data() + e), square);
      sum_x = hn::MulAdd(pull, dx, sum_x);
      sum_y = hn::MulAdd(pull, dy, sum_y);
    }
    float rest_x = hn::GetLane(hn::SumOfLanes(d, sum_x));
    float rest_y = hn::GetLane(hn::SumOfLanes(d, sum_y));
    for (; e < last; ++e) {
      const float dx = x[i] - x[P.col[e]], dy = y[i] - y[P.col[e]];
      const float pull = P.val[e] / (1 + dx * dx + dy * dy);
      rest_x += pull * dx;
      rest_y += pull * dy;
    }
    fx[i] = rest_x, fy[i] = rest_y;
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(attraction_body);

void attraction(const Csr& P, std::span<const float> x, std::span<const float> y,
                std::span<float> fx, std::span<float> fy) {
  const auto n = static_cast<std::size_t>(P.rows);
  check(P.cols == P.rows, "attraction: expected a square matrix, got ", P.rows, "x", P.cols);
  check(x.size() == n && y.size() == n && fx.size() == n && fy.size() == n, "attraction: P has ", n,
        " rows, so x, y, fx and fy must have ", n, " numbers, got ", x.size(), ", ", y.size(), ", ",
        fx.size(), " and ", fy.size());
  const auto body = SCRL_DISPATCH(attraction_body);
  parallel_for(P.rows, 512, [&](Index begin, Index end) {
    body(P, x.data(), y.data(), begin, end, fx.data(), fy.data());
  });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
