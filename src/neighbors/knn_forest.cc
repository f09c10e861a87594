#include "neighbors/knn_forest.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/rng.h"

namespace scrl::knn {
namespace {

// A direction is decided on by a share of the rows: a large part deserves a good one, a small part
// another one in every tree. Who is in the sample depends on the name of a row, not on its place.
constexpr Index kShare = 16, kSmallSample = 128, kLargeSample = 2048;

struct Place {
  float at;
  NodeId row;
  bool operator<(const Place& o) const { return at < o.at || (at == o.at && row < o.row); }
};

// A dense vector that single rows are added to and multiplied with.
class Direction {
 public:
  explicit Direction(const Rows& rows) : rows_(rows), w_(static_cast<std::size_t>(rows.x.cols)) {}

  float along(NodeId i) const {
    const auto columns = rows_.x.row_cols(i);
    const auto values = rows_.x.row_vals(i);
    float sum = 0;
    for (std::size_t e = 0; e < columns.size(); ++e) sum += w_[columns[e]] * values[e];
    return sum * rows_.inverse_norm[i];
  }
  void add(NodeId i, float sign) {
    const auto columns = rows_.x.row_cols(i);
    const auto values = rows_.x.row_vals(i);
    const float factor = sign * rows_.inverse_norm[i];
    for (std::size_t e = 0; e < columns.size(); ++e) w_[columns[e]] += factor * values[e];
  }
  void forget(NodeId i) {
    for (const NodeId c : rows_.x.row_cols(i)) w_[c] = 0;
  }

 private:
  const Rows& rows_;
  std::vector<float> w_;
};

// One step towards two means of equal weight: from the difference of two random rows to that of the
// two halves of a sample which it tells apart. More steps make trees alike, and find no more.
Direction find_direction(const Rows& rows, std::span<const Place> part, const Rng& rng) {
  const Index size = static_cast<Index>(part.size());
  const Index wanted = std::min(size, std::clamp(size / kShare, kSmallSample, kLargeSample));
  const float limit = static_cast<float>(wanted) / static_cast<float>(size);
  std::vector<Place> sample;
  sample.reserve(static_cast<std::size_t>(2 * wanted));
  for (const Place& p : part) {
    const float draw = rng.uniform_at(static_cast<std::uint64_t>(rows.name_of(p.row)));
    if (draw < limit) sample.push_back({draw, p.row});
  }
  if (sample.size() < 2) sample = {part.front(), part.back()};
  std::sort(sample.begin(), sample.end());
  const Index count = static_cast<Index>(sample.size());
  Direction w(rows);
  const NodeId one = sample.front().row, other = sample.back().row;
  w.add(one, 1);
  w.add(other, -1);
  for (Place& s : sample) s.at = w.along(s.row);
  std::sort(sample.begin(), sample.end());
  w.forget(one);
  w.forget(other);
  for (Index n = 0; n < count; ++n) w.add(sample[n].row, 2 * n < count ? -1 : 1);
  return w;
}

struct Part {
  Index begin, end;
  Index leaves;  // to become
};

}  // namespace

Leaves split_into_leaves(const Rows& rows, Index largest, int number) {
  std::vector<Place> places;
  places.reserve(static_cast<std::size_t>(rows.x.rows));
  for (Index i = 0; i < rows.x.rows; ++i)
    if (rows.squares[i] > 0) places.push_back({0, static_cast<NodeId>(i)});
  const Index total = static_cast<Index>(places.size());

  std::vector<Part> parts{{0, total, chunk_count(total, largest)}};
  const auto uncut = [](const Part& p) { return p.leaves > 1; };
  for (std::uint32_t level = 0; std::any_of(parts.begin(), parts.end(), uncut); ++level) {
    std::vector<Part> halves(2 * parts.size());
    const auto cut = [&](Index p) {
      const Part& part = parts[p];
      if (part.leaves <= 1) {
        halves[2 * p] = part;
        return;  // the other half stays empty
      }
      const std::span all(places.data() + part.begin, part.end - part.begin);
      const Direction w = find_direction(
          rows, all,
          Rng(part.begin, Purpose::kNeighbours, static_cast<std::uint32_t>(number), level));
      parallel_for(part.end - part.begin, 2048, [&](Index begin, Index end) {
        for (Index n = begin; n < end; ++n) all[n].at = w.along(all[n].row);
      });
      const Index left = part.leaves / 2;
      const Index middle = (part.end - part.begin) * left / part.leaves;
      std::nth_element(all.begin(), all.begin() + middle, all.end());
      halves[2 * p] = {part.begin, part.begin + middle, left};
      halves[2 * p + 1] = {part.begin + middle, part.end, part.leaves - left};
    };
    const Index count = static_cast<Index>(parts.size());
    if (count < 16) {  // few large parts: threads share one
      for (Index p = 0; p < count; ++p) cut(p);
    } else {
      parallel_for(count, 1, [&](Index p, Index) { cut(p); });
    }
    std::erase_if(halves, [](const Part& p) { return p.leaves == 0; });
    parts = std::move(halves);
  }

  Leaves out;
  out.rows.reserve(places.size());
  for (const Place& place : places) out.rows.push_back(place.row);
  for (const Part& part : parts) out.begin.push_back(part.begin);
  out.begin.push_back(total);
  parallel_for(out.size(), 16, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c)
      std::sort(out.rows.begin() + out.begin[c], out.rows.begin() + out.begin[c + 1]);
  });
  return out;
}

}  // namespace scrl::knn
