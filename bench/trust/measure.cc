// Coverage and mean size of prediction sets of finished runs, over draws of calibration and test
// nodes; a line of JSON per run, for bench/trust.py.
//   bench_trust DRAWS COVERAGE RUN...
// Calibration nodes are drawn from the labelled nodes that neither train nor validate, 500 or half
// of them, and the others are tested: what choose_sets() takes with the validation nodes, SNAPS
// with equal shares, and plain APS.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "config/json.h"
#include "eval/per_class.h"
#include "graph/adjacency.h"
#include "run/calibration.h"
#include "run/model_file.h"
#include "run/run_folder.h"
#include "train/split.h"
#include "trust/prediction_sets.h"

namespace scrl {
namespace {

void measure(const std::string& run, int draws, double coverage) {
  const std::string path = model_path(run);
  const LoadedModel m = load_model(path, load_dataset(data_of_model(path)));
  const Matrix& logp = m.model->log_probs.value();
  const Index M = logp.cols();
  const Split split =
      choose_split(m.data, m.config->split, true, static_cast<std::uint64_t>(m.facts.seed));

  std::vector<bool> used(static_cast<std::size_t>(m.data.nodes));
  for (const auto* part : {&split.train, &split.val})
    for (const NodeId i : *part) used[i] = true;
  std::vector<NodeId> pool;
  for (Index i = 0; i < m.data.nodes; ++i)
    if (!used[i] && m.data.labels[i] != kUnlabelled) pool.push_back(static_cast<NodeId>(i));
  const std::size_t calibrating = std::min<std::size_t>(500, pool.size() / 2);
  std::vector<std::string> ids;
  for (Index i = 0; i < m.data.nodes; ++i) ids.push_back(m.data.id(i));
  const Csr topology = adjacency(m.data.nodes, m.data.edges, Dup::kBinary);
  const Csr features = feature_graph(m.data, m.config->graph);

  SetScores chosen, plain, equal;
  std::string score;
  for (int draw = 0; draw < draws; ++draw) {
    Rng rng(static_cast<std::uint64_t>(draw), Purpose::kTest, 7);
    rng.shuffle(std::span<NodeId>(pool));
    const std::vector<NodeId> calibrated_on(pool.begin(),
                                            pool.begin() + static_cast<long>(calibrating));
    const std::vector<NodeId> test(pool.begin() + static_cast<long>(calibrating), pool.end());
    const auto add = [&](SetScores& sum, const std::vector<bool>& member) {
      const SetScores s = score_sets(member, M, test, m.data.labels);
      sum.coverage += s.coverage / draws;
      sum.mean_size += s.mean_size / draws;
      sum.empty += s.empty / draws;
    };
    SetRequest request = {.coverage = coverage,
                          .calibration = calibrated_on,
                          .choosing = split.val,
                          .seed = static_cast<std::uint64_t>(draw)};
    const PredictionSets sets = choose_sets(logp, ids, features, topology, m.data.labels, request);
    score = sets.score;
    if (sets.score == "SNAPS")
      score += cat(" ", std::round(100 * sets.diffusion.features) / 100, " ",
                   std::round(100 * sets.diffusion.topology) / 100);
    add(chosen, sets.member);
    request.choosing.clear();
    add(equal, choose_sets(logp, ids, features, topology, m.data.labels, request).member);
    const Matrix aps = aps_scores(logp, uniform_of_ids(ids, request.seed));
    add(plain,
        prediction_sets(aps, *conformal_quantile(
                                 scores_of_labels(aps, calibrated_on, m.data.labels), coverage)));
  }
  const auto json = [](const SetScores& x) {
    return Json{{"coverage", x.coverage}, {"size", x.mean_size}, {"empty", x.empty}};
  };
  const Json line = {
      {"run", run},
      {"test_nodes", pool.size() - calibrating},
      {"temperature", m.model->temperature},
      {"error", calibration(logp, m.data.labels, split.test, kCalibrationBins).expected_error},
      {"score", score},
      {"chosen", json(chosen)},
      {"equal_shares", json(equal)},
      {"aps", json(plain)}};
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace
}  // namespace scrl

int main(int argc, char** argv) {
  for (int i = 3; i < argc; ++i) scrl::measure(argv[i], std::stoi(argv[1]), std::stod(argv[2]));
  return 0;
}
