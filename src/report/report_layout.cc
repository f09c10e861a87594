#include "report/report_layout.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "neighbors/pca.h"

namespace scrl {
namespace {

// Axes of a projection have no sign of their own: take the ones that move the nodes least.
void align(const Matrix& start, Matrix& coordinates) {
  for (Index c = 0; c < 2; ++c) {
    double sum = 0;
    for (Index i = 0; i < coordinates.rows(); ++i)
      sum += static_cast<double>(start(i, c)) * coordinates(i, c);
    if (sum >= 0) continue;
    for (Index i = 0; i < coordinates.rows(); ++i) coordinates(i, c) = -coordinates(i, c);
  }
}

// Centred in a square that all nodes fit in.
std::vector<std::uint16_t> quantised(const Matrix& coordinates) {
  double low[2] = {0, 0}, high[2] = {0, 0};
  for (Index i = 0; i < coordinates.rows(); ++i)
    for (Index c = 0; c < 2; ++c) {
      const double x = coordinates(i, c);
      low[c] = i == 0 ? x : std::min(low[c], x);
      high[c] = i == 0 ? x : std::max(high[c], x);
    }
  const double side = std::max({high[0] - low[0], high[1] - low[1], 1e-30});
  std::vector<std::uint16_t> out;
  out.reserve(static_cast<std::size_t>(coordinates.rows()) * 2);
  for (Index i = 0; i < coordinates.rows(); ++i)
    for (Index c = 0; c < 2; ++c) {
      const double x = (coordinates(i, c) - (low[c] + high[c]) / 2) / side + 0.5;
      out.push_back(static_cast<std::uint16_t>(std::lround(65535 * std::clamp(x, 0.0, 1.0))));
    }
  return out;
}

}  // namespace

Matrix layout(const Matrix& embedding, const LayoutOptions& o, const Matrix* start) {
  if (o.kind == Layout2d::kPca) {
    Matrix coordinates = pca_scores(embedding, 2);
    if (start) align(*start, coordinates);
    return coordinates;
  }
  TsneOptions t = o.tsne;
  if (start) t.iterations = std::min(t.iterations, o.next_iterations);
  return tsne(embedding, t, start, o.progress);
}

std::vector<LayoutFrame> layout_frames(
    const std::vector<Snapshot>& snapshots, const Matrix& embedding, int chosen_epoch,
    const LayoutOptions& o, const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<LayoutFrame> out;
  std::size_t total = 1;
  for (const Snapshot& s : snapshots) total += s.epoch != chosen_epoch;
  const auto add = [&](int epoch, const Matrix& Z, const Matrix* start) {
    Matrix coordinates = layout(Z, o, start);
    out.push_back(
        {.epoch = epoch, .chosen = epoch == chosen_epoch, .coordinates = quantised(coordinates)});
    if (progress) progress(out.size(), total);
    return coordinates;
  };
  const auto add_snapshot = [&](const Snapshot& s, const Matrix& start) {
    const Matrix Z = read_snapshot(s);
    if (Z.rows() != embedding.rows())
      fail(ErrorKind::kModelFile, s.path, ": has ", Z.rows(), " rows, the model ", embedding.rows(),
           "; it belongs to another run");
    return add(s.epoch, Z, &start);
  };
  const Matrix chosen = add(chosen_epoch, embedding, nullptr);
  Matrix last = chosen;
  for (auto s = snapshots.rbegin(); s != snapshots.rend(); ++s)
    if (s->epoch < chosen_epoch) last = add_snapshot(*s, last);
  last = chosen;
  for (const Snapshot& s : snapshots)
    if (s.epoch > chosen_epoch) last = add_snapshot(s, last);
  std::sort(out.begin(), out.end(),
            [](const LayoutFrame& a, const LayoutFrame& b) { return a.epoch < b.epoch; });
  return out;
}

}  // namespace scrl
