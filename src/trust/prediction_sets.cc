#include "trust/prediction_sets.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

constexpr std::array<Diffusion, 6> kDiffusions = {
    {{0, 0}, {1.0 / 3, 1.0 / 3}, {0.5, 0}, {0, 0.5}, {0.2, 0.2}, {0.45, 0.45}}};
constexpr Diffusion kEqualShares = kDiffusions[1];

Index total_size(const std::vector<bool>& member) {
  return static_cast<Index>(std::count(member.begin(), member.end(), true));
}

void fill_empty(const Matrix& log_probs, std::vector<bool>& member) {
  std::vector<std::int32_t> best;
  kernels::argmax_rows(log_probs, best);
  const Index M = log_probs.cols();
  for (Index i = 0; i < log_probs.rows(); ++i) {
    const auto row = member.begin() + static_cast<std::ptrdiff_t>(i * M);
    if (std::none_of(row, row + M, [](bool in) { return in; })) row[best[i]] = true;
  }
}

}  // namespace

std::span<const Diffusion> diffusions() { return kDiffusions; }

void require_labels(std::span<const NodeId> calibration, double coverage) {
  if (static_cast<Index>(calibration.size()) < labels_needed(coverage))
    fail(ErrorKind::kUsage, "coverage ", coverage, " needs at least ", labels_needed(coverage),
         " calibration labels, there are ", calibration.size(),
         "; label more nodes or ask for less coverage");
}

PredictionSets choose_sets(const Matrix& log_probs, std::span<const std::string> ids,
                           const Csr& features, const Csr& topology,
                           std::span<const std::int32_t> labels, const SetRequest& o) {
  require_labels(o.calibration, o.coverage);
  const Matrix aps = aps_scores(log_probs, uniform_of_ids(ids, o.seed));
  const auto sets = [&](const Matrix& scores, const std::vector<NodeId>& nodes) {
    const auto q = conformal_quantile(scores_of_labels(scores, nodes, labels), o.coverage);
    return q ? prediction_sets(scores, *q) : std::vector<bool>();
  };
  Diffusion chosen = kEqualShares;
  if (static_cast<Index>(o.choosing.size()) >= labels_needed(o.coverage)) {
    Index smallest = -1;
    for (const Diffusion& d : kDiffusions)
      if (const Index size =
              total_size(sets(diffused_scores(aps, features, topology, d), o.choosing));
          smallest < 0 || size < smallest) {
        smallest = size;
        chosen = d;
      }
  }
  const Matrix scores = diffused_scores(aps, features, topology, chosen);
  PredictionSets out{
      .score = chosen == Diffusion{} ? "APS" : "SNAPS",
      .diffusion = chosen,
      .q = *conformal_quantile(scores_of_labels(scores, o.calibration, labels), o.coverage),
      .calibration_nodes = static_cast<Index>(o.calibration.size())};
  out.member = prediction_sets(scores, out.q);
  if (o.nonempty) fill_empty(log_probs, out.member);
  return out;
}

}  // namespace scrl
