// The blocked search: kBlock rows are unpacked side by side, dense[feature][row], and every sparse
// row is multiplied with all of them at once. One vector multiply and add per stored feature serves
// a whole vector of rows. Multiply and add stay separate: a fused one rounds differently, and
// results must not depend on the processor.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "points/knn_block.cc"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "points/knn_rows.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::knn::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;

// Dot products of sparse row j with the block, and whether any of them may enter its list.
HWY_ATTR bool dots_of_row(const Rows& rows, Index j, const float* dense, const float* threshold,
                          float* dots) {
  const Tag tag;
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  const auto inverse = hn::Set(tag, rows.inverse_norm[j]);
  bool any = false;
  const auto columns = rows.x.row_cols(j);
  const auto values = rows.x.row_vals(j);
  for (Index r = 0; r < kBlock; r += 4 * lanes) {  // four sums hide each other's latency
    auto sum0 = hn::Zero(tag), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const float* from = dense + columns[e] * kBlock + r;
      const auto value = hn::Set(tag, values[e]);
      sum0 = hn::Add(sum0, hn::Mul(value, hn::Load(tag, from)));
      sum1 = hn::Add(sum1, hn::Mul(value, hn::Load(tag, from + lanes)));
      sum2 = hn::Add(sum2, hn::Mul(value, hn::Load(tag, from + 2 * lanes)));
      sum3 = hn::Add(sum3, hn::Mul(value, hn::Load(tag, from + 3 * lanes)));
    }
    const auto above = [&](auto sum, Index at) HWY_ATTR {
      hn::Store(sum, tag, dots + at);
      return hn::Gt(hn::Mul(sum, inverse), hn::Load(tag, threshold + at));
    };
    const auto low = hn::Or(above(sum0, r), above(sum1, r + lanes));
    const auto high = hn::Or(above(sum2, r + 2 * lanes), above(sum3, r + 3 * lanes));
    any |= !hn::AllFalse(tag, hn::Or(low, high));
  }
  return any;
}

HWY_ATTR void search(const Rows& rows, Index begin, std::vector<Best>& best, const float* dense) {
  const Index count = static_cast<Index>(best.size());
  HWY_ALIGN float threshold[kBlock];
  HWY_ALIGN float dots[kBlock];
  for (Index r = 0; r < kBlock; ++r) {
    threshold[r] = r < count ? 0.0f : std::numeric_limits<float>::infinity();
  }
  for (Index j = 0; j < rows.x.rows; ++j) {
    if (!dots_of_row(rows, j, dense, threshold, dots)) continue;
    for (Index r = 0; r < count; ++r) {
      if (!(dots[r] * rows.inverse_norm[j] > threshold[r]) || begin + r == j) continue;
      best[r].offer(static_cast<NodeId>(j), dots[r], rows.squares[j]);
      threshold[r] = best[r].threshold();
    }
  }
}

}  // namespace scrl::knn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::knn {

HWY_EXPORT(search);

void search_block(const Rows& rows, Index begin, std::vector<Best>& best, float* dense) {
  const auto unpack = [&](bool clear) {
    for (Index r = 0; r < static_cast<Index>(best.size()); ++r) {
      const auto columns = rows.x.row_cols(begin + r);
      const auto values = rows.x.row_vals(begin + r);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        dense[columns[e] * kBlock + r] = clear ? 0.0f : values[e];
      }
    }
  };
  unpack(false);
  HWY_DYNAMIC_DISPATCH(search)(rows, begin, best, dense);
  unpack(true);
}

}  // namespace scrl::knn
#endif  // HWY_ONCE
