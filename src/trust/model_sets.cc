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

ModelSets sets_of_model(const LoadedModel& m, double coverage, bool nonempty) {
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
  SetRequest request = {.coverage = coverage,
                        .calibration = conformal_nodes(m.data, config.split, seed),
                        .choosing = split.val,
                        .nonempty = nonempty,
                        .seed = seed};
  ModelSets out{.guaranteed = config.split.conformal_share > 0};
  if (!out.guaranteed) request.calibration = split.val;

  std::vector<std::string> ids;
  for (Index i = 0; i < m.data.nodes; ++i) ids.push_back(m.data.id(i));
  const Csr topology = adjacency(m.data.nodes, m.data.edges, Dup::kBinary);
  const Csr features =
      m.data.features.nnz() > 0 ? feature_graph(m.data, config.graph) : without_edges(m.data.nodes);
  out.sets =
      choose_sets(m.model->log_probs.value(), ids, features, topology, m.data.labels, request);
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

}  // namespace scrl
