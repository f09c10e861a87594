#include "app/report_layout.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "points/pca.h"

namespace scrl {
namespace {

// Axes of a projection have no sign of their own: take the ones that move the nodes least.
void align(const Matrix& start, Matrix& places) {
  for (Index c = 0; c < 2; ++c) {
    double sum = 0;
    for (Index i = 0; i < places.rows(); ++i)
      sum += static_cast<double>(start(i, c)) * places(i, c);
    if (sum >= 0) continue;
    for (Index i = 0; i < places.rows(); ++i) places(i, c) = -places(i, c);
  }
}

// Centred in a square that all nodes fit in.
std::vector<std::uint16_t> quantised(const Matrix& places) {
  double low[2] = {0, 0}, high[2] = {0, 0};
  for (Index i = 0; i < places.rows(); ++i)
    for (Index c = 0; c < 2; ++c) {
      const double x = places(i, c);
      low[c] = i == 0 ? x : std::min(low[c], x);
      high[c] = i == 0 ? x : std::max(high[c], x);
    }
  const double side = std::max({high[0] - low[0], high[1] - low[1], 1e-30});
  std::vector<std::uint16_t> out;
  out.reserve(static_cast<std::size_t>(places.rows()) * 2);
  for (Index i = 0; i < places.rows(); ++i)
    for (Index c = 0; c < 2; ++c) {
      const double x = (places(i, c) - (low[c] + high[c]) / 2) / side + 0.5;
      out.push_back(static_cast<std::uint16_t>(std::lround(65535 * std::clamp(x, 0.0, 1.0))));
    }
  return out;
}

}  // namespace

Matrix layout(const Matrix& embedding, const MapOptions&, const Matrix* start) {
  Matrix places = pca_plane(embedding);
  if (start) align(*start, places);
  return places;
}

std::vector<MapFrame> map_frames(const std::vector<Snapshot>& snapshots, const Matrix& embedding,
                                 int chosen_epoch, const MapOptions& o,
                                 const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<MapFrame> out;
  Matrix before;
  std::vector<Snapshot> others = snapshots;
  std::erase_if(others, [&](const Snapshot& s) { return s.epoch == chosen_epoch; });
  const std::size_t total = others.size() + 1;
  const auto add = [&](int epoch, bool chosen, const Matrix& Z) {
    before = layout(Z, o, out.empty() ? nullptr : &before);
    out.push_back({.epoch = epoch, .chosen = chosen, .places = quantised(before)});
    if (progress) progress(out.size(), total);
  };
  bool chosen_done = false;
  for (const Snapshot& s : others) {
    if (!chosen_done && s.epoch > chosen_epoch) {
      add(chosen_epoch, true, embedding);
      chosen_done = true;
    }
    const Matrix Z = read_snapshot(s);
    if (Z.rows() != embedding.rows())
      fail(ErrorKind::kModelFile, s.path, ": has ", Z.rows(), " rows, the model ", embedding.rows(),
           "; it belongs to another run");
    add(s.epoch, false, Z);
  }
  if (!chosen_done) add(chosen_epoch, true, embedding);
  return out;
}

}  // namespace scrl
