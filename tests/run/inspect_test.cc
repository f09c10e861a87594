#include "run/inspect.h"

#include <gtest/gtest.h>

#include "config/config.h"
#include "data/dataset.h"
#include "run/evaluation.h"
#include "run/train_run.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "train/prepare.h"

namespace scrl {
namespace {

// Counts, so that binarize = auto changes what is found.
Dataset counts() {
  Dataset data = load_dataset("demo:nodes=300", {.use_cache = false});
  for (std::size_t e = 0; e < data.features.val.size(); e += 2) data.features.val[e] = 5;
  return data;
}

TEST(InspectTest, ShowsTheFeatureGraphThatIsTrained) {
  const Dataset data = counts();
  for (const char* method : {"scrl", "auto"}) {
    RunConfig trained({{"method", method, "test"}});
    trained.resolve(data);
    const RunConfig& scrl = trained.method ? trained : *trained.members.front().config;
    const Operands operands = prepare(data, scrl.graph, scrl.method->views());
    const Inspection shown = inspect(data, RunConfig({}).graph);
    ASSERT_TRUE(shown.feature_graph.has_value());
    EXPECT_EQ(shown.k, scrl.graph.k);
    // The operand has every edge in both directions, and a loop at every node.
    EXPECT_EQ(2 * shown.feature_graph->edges + data.nodes, operands.A_f->A.nnz()) << method;
    EXPECT_EQ(2 * shown.topology.edges + data.nodes, operands.A_t->A.nnz()) << method;
  }
  GraphOptions stored = RunConfig({}).graph;
  stored.binarize = Binarize::kFalse;
  EXPECT_NE(inspect(data, stored).feature_graph->edges,
            inspect(data, RunConfig({}).graph).feature_graph->edges)
      << "the counts make no difference, so this test shows nothing";
}

TEST(InspectTest, CountsWhatIsThere) {
  Dataset data = counts();
  data.labels[0] = kUnlabelled;
  data.features.val[1] = -1;
  const Inspection facts = inspect(data, RunConfig({}).graph);
  EXPECT_EQ(facts.nodes, 300);
  EXPECT_EQ(facts.unlabelled, 1);
  EXPECT_TRUE(facts.features.negative);
  EXPECT_FALSE(facts.features.binary);
  Index labelled = 0;
  for (const Inspection::ClassSize& c : facts.classes) labelled += c.nodes;
  EXPECT_EQ(labelled, 299);
  const Json j = to_json(facts);
  EXPECT_EQ(j.at("features").at("stored").get<Index>(), data.features.nnz());
  EXPECT_EQ(j.at("feature_graph").at("k").get<int>(), facts.k);
  data.features = {};
  data.features.rows = data.nodes;
  data.features.row_ptr.assign(301, 0);
  EXPECT_FALSE(to_json(inspect(data, RunConfig({}).graph)).contains("feature_graph"));
}

TEST(EvaluationTest, IsThatOfTheTraining) {
  const TempFolder folder;
  const Dataset data = counts();
  const TrainOutput run =
      run_training({.data = data,
                    .settings = {{"method", "gcn", ""}, {"epochs", "8", ""}, {"seed", "4", ""}},
                    .out = folder.path() + "/run"},
                   {});
  LoadedModel model = load_model(folder.path() + "/run/model.scrl", data);
  const Evaluation e = evaluate(model);
  ASSERT_EQ(e.parts.size(), 3u);
  EXPECT_EQ(e.parts[2].name, "test");
  EXPECT_EQ(e.parts[2].nodes, run.result.test_nodes);
  EXPECT_EQ(e.parts[2].scores.accuracy, run.result.accuracy().mean);
  EXPECT_EQ(e.parts[1].scores.macro_f1, run.result.seeds[0].val.macro_f1);
  Index sum = 0, right = 0;
  const auto M = e.classes.size();
  for (std::size_t c = 0; c < M; ++c)
    for (std::size_t p = 0; p < M; ++p) {
      sum += e.confusion[c * M + p];
      right += c == p ? e.confusion[c * M + p] : 0;
    }
  EXPECT_EQ(sum, run.result.test_nodes);
  EXPECT_NEAR(100.0 * static_cast<double>(right) / static_cast<double>(sum),
              e.parts[2].scores.accuracy, 1e-9);
  model.data.classes[0] += "x";
  EXPECT_EQ(error_of([&] { evaluate(model); }, ErrorKind::kData),
            data.source + ": its classes are not those of the model");
}

}  // namespace
}  // namespace scrl
