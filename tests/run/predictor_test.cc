#include "scrl/predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "data/dataset.h"
#include "models/registry.h"
#include "support/errors.h"
#include "tensor/csr.h"

namespace scrl {
namespace {

constexpr Index kNew = 70;  // more than a tile of any kernel

const Dataset& demo() {
  static const Dataset data = load_dataset("demo:nodes=240,features=120", {.use_cache = false});
  return data;
}

// New nodes with the features and the neighbours of nodes of the graph, and edges among them.
struct Twins {
  Csr features, edges, among;
  NewNodes nodes() const {
    return {.nodes = features.rows, .features = features, .edges = edges, .edges_among = {}};
  }
};

Csr rows_of(const Csr& from, const std::vector<Index>& rows) {
  Csr out{.rows = static_cast<Index>(rows.size()), .cols = from.cols};
  for (const Index i : rows) {
    out.col.insert(out.col.end(), from.row_cols(i).begin(), from.row_cols(i).end());
    out.val.insert(out.val.end(), from.row_vals(i).begin(), from.row_vals(i).end());
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

// Neighbours of a node, both ways.
Csr symmetric(const Dataset& data) {
  std::vector<NodeId> from = data.edges.source, to = data.edges.target;
  from.insert(from.end(), data.edges.target.begin(), data.edges.target.end());
  to.insert(to.end(), data.edges.source.begin(), data.edges.source.end());
  return csr_from_triplets(data.nodes, data.nodes, from, to, {}, Dup::kBinary);
}

const Twins& twins() {
  static const Twins made = [] {
    std::vector<Index> rows;
    for (Index i = 0; i < kNew; ++i) rows.push_back(i * 3);
    Twins t{rows_of(demo().features, rows), rows_of(symmetric(demo()), rows), {}};
    std::vector<NodeId> a, b;
    for (NodeId i = 0; i + 1 < kNew; ++i) a.push_back(i), b.push_back(i + 1);
    t.among = csr_from_triplets(kNew, kNew, a, b, {}, Dup::kBinary);
    return t;
  }();
  return made;
}

NewNodes some(const Csr& features, const Csr& edges) {
  return {.nodes = features.rows, .features = features, .edges = edges, .edges_among = {}};
}

FitResult trained(const std::string& method) {
  Settings settings = {{"method", method}};
  if (method == kAuto)
    settings["time_limit"] = "0";
  else
    settings["epochs"] = method == "line" || method == "deepwalk" ? "2" : "6";
  for (const char* one : {"logreg", "sgc", "label-propagation"})
    if (method == one) settings["epochs"] = "1";
  if (method == "correct-smooth") settings["epochs"] = "1";
  return fit(demo(), settings);
}

std::vector<std::string> methods(bool features, bool new_nodes) {
  std::vector<std::string> out;
  for (const MethodInfo& m : method_list())
    if (m.features == features && m.new_nodes == new_nodes) out.push_back(m.name);
  return out;
}

std::vector<float> row(const std::vector<float>& values, Index rows, Index i) {
  const Index width = static_cast<Index>(values.size()) / rows;
  return {values.begin() + i * width, values.begin() + (i + 1) * width};
}

class NewNodesTest : public ::testing::TestWithParam<std::string> {};

// One by one, backwards and all at once; from threads at the same time; and the graph unchanged.
TEST_P(NewNodesTest, EachIsPredictedByItself) {
  const FitResult r = trained(GetParam());
  const Predictor predictor(r.model, demo());
  EXPECT_FALSE(predictor.neighbour_means());
  const Predictions all = predictor.predict(twins().nodes());
  ASSERT_EQ(static_cast<Index>(all.label.size()), kNew);
  ASSERT_EQ(all.embedding_size, r.predictions.embedding_size);
  std::vector<Index> back;
  for (Index i = kNew; i-- > 0;) back.push_back(i);
  const Csr features = rows_of(twins().features, back), edges = rows_of(twins().edges, back);
  const Predictions reversed = predictor.predict(some(features, edges));
  Predictions first, second;
  std::thread a([&] { first = predictor.predict(twins().nodes(), 2); });
  std::thread b([&] { second = predictor.predict(twins().nodes(), 1); });
  a.join(), b.join();
  EXPECT_EQ(first.probabilities, all.probabilities);
  EXPECT_EQ(second.embeddings, all.embeddings);
  for (Index i = 0; i < kNew; i += 7) {
    const Csr x = rows_of(twins().features, {i}), a_i = rows_of(twins().edges, {i});
    const Predictions one = predictor.predict(some(x, a_i));
    EXPECT_EQ(one.probabilities, row(all.probabilities, kNew, i)) << i;
    EXPECT_EQ(one.embeddings, row(all.embeddings, kNew, i)) << i;
    EXPECT_EQ(one.label[0], all.label[i]);
    EXPECT_EQ(row(reversed.probabilities, kNew, kNew - 1 - i), one.probabilities) << i;
    EXPECT_EQ(row(reversed.embeddings, kNew, kNew - 1 - i), one.embeddings) << i;
  }
  const Predictions still = predict(r.model, demo());
  EXPECT_EQ(still.probabilities, r.predictions.probabilities);
  EXPECT_EQ(still.embeddings, r.predictions.embeddings);
  for (const float p : all.probabilities) ASSERT_TRUE(std::isfinite(p));
}

TEST_P(NewNodesTest, EdgesAmongThemCountWhereTheyAreGiven) {
  const FitResult r = trained(GetParam());
  const Predictor predictor(r.model, demo());
  const Predictions alone = predictor.predict(twins().nodes());
  NewNodes together = twins().nodes();
  together.edges_among = twins().among;
  const Predictions joint = predictor.predict(together);
  const MethodInfo& info = method_info(GetParam());
  if (info.views & (kTopology | kEdges)) {
    EXPECT_NE(joint.probabilities, alone.probabilities);
  } else {
    EXPECT_EQ(joint.probabilities, alone.probabilities);
  }
  Csr none{.rows = kNew, .cols = kNew};
  none.row_ptr.assign(kNew + 1, 0);
  together.edges_among = none;
  EXPECT_EQ(predictor.predict(together).probabilities, alone.probabilities);
}

// Shapes for which the products of a training cut their sums: rows of many values over many
// columns, and a wide hidden layer.
TEST(PredictorTest, LongSumsDoNotDependOnOtherRows) {
  Dataset data = demo();
  Csr wide{.rows = data.nodes, .cols = 9000};
  for (Index i = 0; i < data.nodes; ++i) {
    for (Index c = 0; c < 300; ++c) {
      wide.col.push_back(static_cast<NodeId>(c * 30 + (i * 7 + c) % 30));
      wide.val.push_back(static_cast<float>(1 + (i + c) % 5));
    }
    wide.row_ptr.push_back(wide.nnz());
  }
  data.features = wide;
  for (const char* precision : {"float32", "bf16"}) {
    const FitResult r = fit(
        data, {{"method", "gcn"}, {"epochs", "1"}, {"hidden1", "1200"}, {"precision", precision}});
    const Predictor predictor(r.model, data);
    std::vector<Index> rows;
    for (Index i = 0; i < kNew; ++i) rows.push_back(i * 3);
    const Csr features = rows_of(data.features, rows);
    const Predictions all = predictor.predict(some(features, twins().edges));
    for (Index i = 0; i < kNew; i += 23) {
      const Csr x = rows_of(features, {i}), a = rows_of(twins().edges, {i});
      const Predictions one = predictor.predict(some(x, a));
      EXPECT_EQ(one.probabilities, row(all.probabilities, kNew, i)) << precision;
      EXPECT_EQ(one.embeddings, row(all.embeddings, kNew, i)) << precision;
    }
  }
}

std::vector<std::string> inductive() {
  std::vector<std::string> out = methods(true, true);
  out.push_back(kAuto);
  return out;
}
std::string readable(const ::testing::TestParamInfo<std::string>& info) {
  std::string out = info.param;
  for (char& c : out)
    if (c == '-') c = '_';
  return out;
}
INSTANTIATE_TEST_SUITE_P(Methods, NewNodesTest, ::testing::ValuesIn(inductive()), readable);

// A new node that looks like a node of the graph gets its prediction, where the method looks at
// features and edges within reach of the node's own edges.
class TwinTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TwinTest, GetsThePredictionOfTheNodeItLooksLike) {
  const FitResult r = trained(GetParam());
  const Predictions p = Predictor(r.model, demo()).predict(twins().nodes());
  for (Index i = 0; i < kNew; ++i) {
    const auto expected = row(r.predictions.embeddings, demo().nodes, i * 3);
    const auto got = row(p.embeddings, kNew, i);
    for (std::size_t c = 0; c < got.size(); ++c)
      EXPECT_NEAR(got[c], expected[c], 2e-4f * (1 + std::abs(expected[c]))) << i << " " << c;
    const auto share = row(r.predictions.probabilities, demo().nodes, i * 3);
    const auto new_share = row(p.probabilities, kNew, i);
    for (std::size_t c = 0; c < share.size(); ++c) EXPECT_NEAR(new_share[c], share[c], 2e-4f);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, TwinTest,
                         ::testing::Values("gcn", "gcn-tf", "gat", "mlp", "logreg"), readable);

TEST(PredictorTest, MethodsWithoutFeaturesTakeTheMeanOfNeighbours) {
  for (const std::string& method : methods(false, false)) {
    const FitResult r = trained(method);
    const Predictor predictor(r.model, demo());
    EXPECT_TRUE(predictor.neighbour_means()) << method;
    // Between nodes 3 and 8, the first three times as near; and a node without edges.
    const Csr edges =
        csr_from_triplets(2, demo().nodes, std::vector<NodeId>{0, 0}, std::vector<NodeId>{3, 8},
                          std::vector<float>{3, 1}, Dup::kSum);
    const Predictions p =
        predictor.predict({.nodes = 2, .features = {}, .edges = edges, .edges_among = {}});
    const Index n = demo().nodes, classes = demo().num_classes(), h = p.embedding_size;
    for (Index c = 0; c < h; ++c)
      EXPECT_NEAR(
          p.embeddings[c],
          0.75f * r.predictions.embeddings[3 * h + c] + 0.25f * r.predictions.embeddings[8 * h + c],
          1e-5f);
    for (Index c = 0; c < classes; ++c) {
      EXPECT_NEAR(p.probabilities[c],
                  0.75f * r.predictions.probabilities[3 * classes + c] +
                      0.25f * r.predictions.probabilities[8 * classes + c],
                  1e-5f);
      double mean = 0;
      for (Index i = 0; i < n; ++i) mean += r.predictions.probabilities[i * classes + c];
      EXPECT_NEAR(p.probabilities[classes + c], mean / static_cast<double>(n), 1e-5);
    }
    NewNodes together = twins().nodes();
    together.edges_among = twins().among;
    EXPECT_THAT(usage_error_of([&] { predictor.predict(together); }),
                ::testing::HasSubstr("leave out edges among new nodes"));
  }
}

TEST(PredictorTest, MethodsThatCannotSaySo) {
  for (const std::string& method : methods(true, false)) {
    const FitResult r = trained(method);
    EXPECT_THAT(usage_error_of([&] { Predictor(r.model, demo()); }),
                ::testing::StartsWith(method + " cannot predict new nodes"));
  }
}

TEST(PredictorTest, WhatDoesNotFitIsNamed) {
  const FitResult r = trained("mlp");
  const Predictor predictor(r.model, demo());
  EXPECT_TRUE(predictor.predict({}).label.empty());
  Csr wide = twins().features;
  ++wide.cols;
  EXPECT_EQ(error_of([&] { predictor.predict(some(wide, twins().edges)); }),
            "new nodes: features: expected 70x120, found 70x121");
  Csr edges = twins().edges;
  edges.col[0] = 240;
  EXPECT_EQ(error_of([&] { predictor.predict(some(twins().features, edges)); }),
            "new nodes: edges: row 0: column 240 out of range, expected 0..239");
  Csr nan = twins().features;
  nan.val[0] = NAN;
  EXPECT_THAT(error_of([&] { predictor.predict(some(nan, twins().edges)); }),
              ::testing::HasSubstr("row 0: expected a finite value"));
  Dataset other = demo();
  ++other.features.cols;
  EXPECT_THAT(error_of([&] { Predictor(r.model, other); }, ErrorKind::kModelFile),
              ::testing::HasSubstr("the model knows 120 features"));
}

}  // namespace
}  // namespace scrl
