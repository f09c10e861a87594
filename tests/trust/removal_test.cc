#include "trust/removal.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "models/registry.h"
#include "run/train_run.h"
#include "trust/explain.h"

namespace scrl {
namespace {

LoadedModel trained(const std::string& method, std::vector<Setting> settings = {}) {
  const std::string run =
      (std::filesystem::temp_directory_path() / ("scrl-removal-" + method)).string();
  const Dataset data = load_dataset("demo:nodes=200", {.use_cache = false});
  settings.insert(settings.begin(), {{"method", method, "test"}, {"labels", "8", "test"}});
  for (Setting& s : settings) s.origin = "test";
  run_training({.data = data,
                .data_reference = "demo",
                .settings = settings,
                .out = run,
                .if_exists = IfExists::kOverwrite},
               {});
  LoadedModel out = load_model(model_path(run), data);
  std::filesystem::remove_all(run);
  return out;
}

void expect_equal(const std::vector<double>& a, const std::vector<double>& b,
                  const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t c = 0; c < a.size(); ++c)
    EXPECT_NEAR(a[c], b[c], 1e-6) << what << " class " << c;
}

void compare_with_full_evaluation(const LoadedModel& m, bool must_be_replayed) {
  Remover remover(m);
  if (must_be_replayed)
    for (const RemovalMember& member : remover.members())
      EXPECT_TRUE(member.replay->supported()) << member.name;
  double largest = 0;
  for (const NodeId node : {5, 77, 150}) {
    SCOPED_TRACE(node);
    const auto before = remover.probabilities(node, {});
    const auto edges = remover.neighbours(node), similar = remover.similar(node);
    const auto columns = m.data.features.row_cols(node);
    std::vector<Removal> removals;
    if (!edges.empty()) removals.push_back({.edges = {edges.front()}});
    if (edges.size() > 1) removals.push_back({.edges = edges});
    if (!similar.empty()) {
      removals.push_back({.similar = {similar.back()}});
      removals.push_back({.similar = similar});
    }
    removals.push_back({.features = {columns[0]}});
    removals.push_back({.features = {columns.begin(), columns.end()}});
    if (!edges.empty() && !similar.empty())
      removals.push_back({{edges.back()}, {similar.front()}, {columns[1], columns[2]}});
    for (std::size_t k = 0; k < removals.size(); ++k) {
      const auto fast = remover.probabilities(node, removals[k]);
      expect_equal(fast, remover.by_full_evaluation(node, removals[k]),
                   "removal " + std::to_string(k));
      largest = std::max(largest, std::abs(fast[0] - before[0]));
    }
  }
  EXPECT_GT(largest, 1e-4);  // something mattered
}

class RemovalTest : public testing::TestWithParam<std::string> {};

TEST_P(RemovalTest, EqualsFullEvaluationOfTheSmallerGraph) {
  const LoadedModel m = trained(GetParam(), {{"epochs", "15"}});
  compare_with_full_evaluation(m, true);
}
INSTANTIATE_TEST_SUITE_P(Methods, RemovalTest,
                         testing::Values("scrl", "scrl-paper", "gcn", "gcn-tf", "knn-gcn", "appnp",
                                         "gprgnn", "sgc", "mlp", "logreg", "h2gcn"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(RemovalOfOthersTest, AMethodWithoutRulesIsEvaluatedInFull) {
  compare_with_full_evaluation(trained("gat", {{"epochs", "5"}}), false);
}

TEST(RemovalOfPoolTest, EqualsFullEvaluation) {
  compare_with_full_evaluation(trained("auto", {{"members", "scrl,appnp,h2gcn,mlp,knn-gcn"}}),
                               true);
}

TEST(ExplainTest, EffectsAreThoseOfSingleRemovalsLargestFirst) {
  LoadedModel m = trained("scrl", {{"epochs", "15"}});
  const Explanation e = explain(m, 77);
  Remover remover(m);
  ASSERT_EQ(e.effects.size(), remover.neighbours(77).size() + remover.similar(77).size() +
                                  static_cast<std::size_t>(m.data.features.row_nnz(77)));
  for (std::size_t k = 0; k < e.effects.size(); ++k) {
    const Effect& x = e.effects[k];
    if (k > 0) EXPECT_GE(std::abs(e.effects[k - 1].effect), std::abs(x.effect));
    Removal removal;
    (x.thing == Thing::kEdge      ? removal.edges
     : x.thing == Thing::kSimilar ? removal.similar
                                  : removal.features) = {x.other};
    if (k < 6)
      EXPECT_NEAR(x.effect,
                  e.probabilities[static_cast<std::size_t>(e.label)] -
                      remover.by_full_evaluation(77, removal)[static_cast<std::size_t>(e.label)],
                  1e-6);
  }
  ASSERT_EQ(e.views.size(), 2u);
  EXPECT_EQ(e.members.size(), 1u);
  EXPECT_THROW(node_of_id(m.data, "nobody"), Error);
}

}  // namespace
}  // namespace scrl
