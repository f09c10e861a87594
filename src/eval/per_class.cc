#include "eval/per_class.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scrl {
namespace {

double percent_of(Index part, Index whole) {
  return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole)
                   : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<ClassScores> class_scores(std::span<const Index> counts, Index classes) {
  check(static_cast<Index>(counts.size()) == classes * classes, "class_scores: ", counts.size(),
        " counts for ", classes, " classes");
  std::vector<ClassScores> out(static_cast<std::size_t>(classes));
  for (Index c = 0; c < classes; ++c) {
    ClassScores& s = out[static_cast<std::size_t>(c)];
    for (Index o = 0; o < classes; ++o) {
      s.nodes += counts[c * classes + o];
      s.predicted += counts[o * classes + c];
    }
    const Index hits = counts[c * classes + c];
    s.precision = percent_of(hits, s.predicted);
    s.recall = percent_of(hits, s.nodes);
    s.f1 = percent_of(2 * hits, s.nodes + s.predicted);
  }
  return out;
}

Calibration calibration(const Matrix& log_probs, std::span<const std::int32_t> labels,
                        std::span<const NodeId> nodes, int bins) {
  Calibration out;
  out.bins.resize(static_cast<std::size_t>(bins));
  for (const NodeId i : nodes) {
    const auto row = log_probs.row_span(i);
    const auto best = std::max_element(row.begin(), row.end());
    const double p = std::clamp(std::exp(static_cast<double>(*best)), 0.0, 1.0);
    const int b = std::min(static_cast<int>(p * bins), bins - 1);
    CalibrationBin& bin = out.bins[static_cast<std::size_t>(b)];
    ++bin.nodes;
    bin.confidence += 100 * p;
    bin.accuracy += best - row.begin() == labels[i] ? 100 : 0;
  }
  double gap = 0;
  for (CalibrationBin& bin : out.bins) {
    if (bin.nodes == 0) continue;
    gap += std::abs(bin.confidence - bin.accuracy);
    bin.confidence /= static_cast<double>(bin.nodes);
    bin.accuracy /= static_cast<double>(bin.nodes);
  }
  if (!nodes.empty()) out.expected_error = gap / static_cast<double>(nodes.size());
  return out;
}

}  // namespace scrl
