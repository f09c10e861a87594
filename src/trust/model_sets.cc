#include "trust/model_sets.h"

#include <cmath>

#include "base/error.h"
#include "graph/adjacency.h"
#include "train/split.h"

namespace scrl {
namespace {

Csr without_edges(Index nodes) {
  Csr out;
  out.rows = out.cols = nodes;
  out.row_ptr.assign(static_cast<std::size_t>(nodes + 1), 0);
  return out;
}

std::string described(const PredictionSets& s, double coverage) {
  std::string out = cat("sets by ", s.score);
  if (s.score == "SNAPS")
    out += cat(" (share of the feature graph ", std::round(100 * s.diffusion.features) / 100,
               ", of the topology ", std::round(100 * s.diffusion.topology) / 100, ")");
  return out + cat(", coverage ", coverage, ", ", s.calibration_nodes, " calibration labels");
}

}  // namespace

SetSource::SetSource(const LoadedModel& m)
    : log_probs_(m.model->log_probs.value()), labels_(m.data.labels) {
  const RunConfig& config = *m.config;
  if (!m.same_data)
    fail(ErrorKind::kUsage, m.data.source, ": prediction sets are calibrated by labels of the ",
         "data that the model was trained on, and this is other data; leave out --coverage");
  if (config.train.protocol != Protocol::kVal)
    fail(ErrorKind::kUsage, "prediction sets need labels that did not train the model, and ",
         "protocol ", name_of(config.train.protocol),
         " keeps none; train with --protocol val --conformal-share 0.5");
  const auto seed = static_cast<std::uint64_t>(m.facts.seed);
  const Split split = choose_split(m.data, config.split, true, seed);
  request_ = {.calibration = conformal_nodes(m.data, config.split, seed),
              .choosing = split.val,
              .seed = seed};
  guaranteed_ = config.split.conformal_share > 0;
  if (!guaranteed_) request_.calibration = split.val;
  for (Index i = 0; i < m.data.nodes; ++i) ids_.push_back(m.data.id(i));
  topology_ = adjacency(m.data.nodes, m.data.edges, Dup::kBinary);
  features_ =
      m.data.features.nnz() > 0 ? feature_graph(m.data, config.graph) : without_edges(m.data.nodes);
}

ModelSets SetSource::sets(double coverage, bool nonempty) const {
  SetRequest request = request_;
  request.coverage = coverage;
  request.nonempty = nonempty;
  ModelSets out{.guaranteed = guaranteed_};
  out.sets = choose_sets(log_probs_, ids_, features_, topology_, labels_, request);
  out.statement = described(out.sets, coverage);
  out.statement +=
      out.guaranteed
          ? cat(" that chose nothing else. Guaranteed: for a node of this graph outside the ",
                "training and validation nodes, if the calibration nodes are a random draw from ",
                "such nodes, the set has its class with probability ", coverage, " or more")
          : cat(", which also chose epochs, weights or temperature. Not guaranteed; train with ",
                "--conformal-share 0.5 to keep half of the validation labels for this");
  return out;
}

float SetSource::aps_quantile(double coverage) const {
  require_labels(request_.calibration, coverage);
  const Matrix scores = aps_scores(log_probs_, uniform_of_ids(ids_, request_.seed));
  return *conformal_quantile(scores_of_labels(scores, request_.calibration, labels_), coverage);
}

std::vector<bool> SetSource::sets_of_new(std::span<const std::string> ids, const Matrix& log_probs,
                                         float q) const {
  return prediction_sets(aps_scores(log_probs, uniform_of_ids(ids, request_.seed)), q);
}

ModelSets sets_of_model(const LoadedModel& model, double coverage, bool nonempty) {
  return SetSource(model).sets(coverage, nonempty);
}

}  // namespace scrl
