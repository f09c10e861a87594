#include "models/m3s.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/small.h"

namespace scrl {
namespace {

constexpr Index kSide = 20;

// Two rings of 20 nodes; a node has the feature of its ring and one of its own. Node 0 is labelled
// 0, node 20 is labelled 1.
struct Rings {
  SparseOperand X, A;
  std::vector<NodeId> train = {0, kSide};
  std::vector<std::int32_t> labels = {0, 1};
  Index classes = 2;

  Rings() {
    Pairs pairs;
    std::vector<std::vector<float>> rows(2 * kSide, std::vector<float>(2 + 2 * kSide, 0.0f));
    for (NodeId i = 0; i < kSide; ++i) {
      const NodeId next = (i + 1) % kSide;
      pairs.emplace_back(i, next);
      pairs.emplace_back(kSide + i, kSide + next);
    }
    for (Index i = 0; i < 2 * kSide; ++i) {
      rows[i][i / kSide] = 1.0f;
      rows[i][2 + i] = 0.1f;
    }
    X = sparse_operand(csr_of(rows));
    A = operator_of(graph_of(2 * kSide, pairs));
  }
  Inputs inputs(int epochs) const {
    return {.X = X,
            .A_t = &A,
            .classes = classes,
            .train = train,
            .train_labels = labels,
            .seed = 7,
            .epochs = epochs};
  }
};

Pass pass(int epoch) {
  return {.training = true, .seed = 7, .epoch = static_cast<std::uint32_t>(epoch)};
}

void train(Model& model, int from, int to) {
  for (int e = from; e <= to; ++e) {
    model.begin_epoch(pass(e));
    descend(model, pass(e), 0.5f);
  }
}

std::vector<int> targets(Model& model) {
  const Matrix& t = param_of(model, "targets").value;
  std::vector<int> out;
  for (Index i = 0; i < t.rows(); ++i) out.push_back(static_cast<int>(t(i, 0)));
  return out;
}

Index count(const std::vector<int>& targets, int c) {
  return std::count(targets.begin(), targets.end(), c);
}

// t_c = 3 (40 / 2^2) (1 / 2) / 5 = 3 for both classes.
TEST(M3sTest, EachStageLabelsUpToTheQuota) {
  const Rings rings;
  M3s model(rings.inputs(180), {.stages = 5, .clusters = 4, .dropout = 0.2});
  EXPECT_EQ(model.scored_from, 151);
  model.begin_epoch(pass(1));
  std::vector<int> before = targets(model);
  EXPECT_EQ(count(before, -1), 2 * kSide - 2);
  EXPECT_EQ(before[0], 0);
  EXPECT_EQ(before[kSide], 1);
  for (int stage = 1; stage <= 5; ++stage) {
    descend(model, pass(30 * (stage - 1) + 1), 0.5f);  // an epoch that has begun already
    train(model, 30 * (stage - 1) + 2, 30 * stage);
    EXPECT_EQ(targets(model), before) << "changed within a stage";
    model.begin_epoch(pass(30 * stage + 1));
    const std::vector<int> now = targets(model);
    for (Index i = 0; i < 2 * kSide; ++i) {
      if (before[i] >= 0) {
        EXPECT_EQ(now[i], before[i]) << "node " << i << ", stage " << stage;
      }
      if (now[i] >= 0) {
        EXPECT_EQ(now[i], i / kSide) << "node " << i;
      }
    }
    for (const int c : {0, 1}) EXPECT_EQ(count(now, c), 1 + 3 * stage);
    before = now;
  }
  // After the last stage nothing is labelled any more.
  train(model, 152, 180);
  EXPECT_EQ(targets(model), before);
}

TEST(M3sTest, TheQuotaFollowsLabelsLayersAndStages) {
  Rings rings;
  const auto first_stage = [&](const M3sOptions& o) {
    const int epochs = 30 * (o.stages + 1);
    M3s model(rings.inputs(epochs), o);
    train(model, 1, 30);
    model.begin_epoch(pass(31));
    const std::vector<int> t = targets(model);
    return std::pair{count(t, 0), count(t, 1)};
  };
  using Counts = std::pair<Index, Index>;
  EXPECT_EQ(first_stage({.stages = 1, .clusters = 4, .dropout = 0}), Counts(16, 16));
  // 3 (40 / 2^3) / 2 / 2 = 3.75
  EXPECT_EQ(first_stage({.layers = 3, .stages = 2, .clusters = 4, .dropout = 0}), Counts(4, 4));
  // 3 (40 / 2^6) / 2 / 2 = 0.47, at least 1
  EXPECT_EQ(first_stage({.layers = 6, .stages = 2, .clusters = 4, .dropout = 0}), Counts(2, 2));
  // Three quarters of the labels are of class 0: 30 / 5 * 3/4 = 4 and 1.
  rings.train = {0, 5, 10, kSide}, rings.labels = {0, 0, 0, 1};
  EXPECT_EQ(first_stage({.stages = 5, .clusters = 4, .dropout = 0}), Counts(3 + 4, 1 + 1));
  // A class without labels gets none.
  rings.classes = 3;
  M3s model(rings.inputs(60), {.stages = 1, .clusters = 4, .dropout = 0});
  train(model, 1, 31);
  EXPECT_EQ(count(targets(model), 2), 0);
}

// One cluster has one class, so nodes of the other are never confirmed.
TEST(M3sTest, ANodeNeedsAClusterOfItsClass) {
  const Rings rings;
  M3s model(rings.inputs(60), {.stages = 1, .clusters = 1, .dropout = 0});
  train(model, 1, 31);
  const std::vector<int> t = targets(model);
  EXPECT_EQ(std::min(count(t, 0), count(t, 1)), 1);
  EXPECT_EQ(std::max(count(t, 0), count(t, 1)), 16);
}

// Untrained, predictions and clusters have little to do with each other. With a cluster for every
// node the rule can be written down: among the most probable, those nearest to their class.
TEST(M3sTest, OnlyNodesWhoseTwoClassesAgreeAreLabelled) {
  const Small small;
  Inputs in = small.inputs(true);
  in.epochs = 4;
  M3s model(in, {.hidden1 = 8, .stages = 3, .clusters = 65536, .dropout = 0.5});
  model.tape.forward(model.tape.plan({model.log_probs, model.embedding}), Pass{});
  const Matrix& H = model.embedding.value();
  const Matrix& logp = model.log_probs.value();
  const Index n = H.rows(), h = H.cols(), classes = in.classes;
  std::vector<std::vector<double>> unit(n, std::vector<double>(h)), mean(classes, unit[0]);
  std::vector<double> labelled(classes, 0.0);
  for (Index i = 0; i < n; ++i) {
    double length = 0;
    for (Index j = 0; j < h; ++j) length += double{H(i, j)} * H(i, j);
    for (Index j = 0; j < h; ++j) unit[i][j] = length > 0 ? H(i, j) / std::sqrt(length) : 0;
  }
  for (std::size_t e = 0; e < in.train.size(); ++e) {
    ++labelled[in.train_labels[e]];
    for (Index j = 0; j < h; ++j) mean[in.train_labels[e]][j] += unit[in.train[e]][j];
  }
  const double degree = static_cast<double>(small.edges.nnz()) / static_cast<double>(n);
  std::vector<int> expected = targets(model);
  Index agreed = 0, refused = 0;
  for (Index c = 0; c < classes; ++c) {
    std::vector<Index> nodes;
    for (Index i = 0; i < n; ++i) {
      bool most_probable = true;
      for (Index k = 0; k < classes; ++k) most_probable &= k == c || logp(i, k) < logp(i, c);
      if (most_probable && expected[i] < 0) nodes.push_back(i);
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](Index a, Index b) { return logp(a, c) > logp(b, c); });
    const double quota =
        std::max(1.0, std::floor(3 * static_cast<double>(n) / (degree * degree) * labelled[c] /
                                 static_cast<double>(in.train.size()) / 3));
    for (std::size_t e = 0; e < nodes.size() && static_cast<double>(e) < quota; ++e) {
      Index nearest = 0;
      double least = 1e9;
      for (Index k = 0; k < classes; ++k) {
        double d = 0;
        for (Index j = 0; j < h; ++j)
          d += std::pow(unit[nodes[e]][j] - mean[k][j] / labelled[k], 2);
        if (labelled[k] > 0 && d < least) least = d, nearest = k;
      }
      (nearest == c ? agreed : refused) += 1;
      if (nearest == c) expected[nodes[e]] = -2 - static_cast<int>(c);  // of this stage
    }
  }
  EXPECT_GT(agreed, 0);
  EXPECT_GT(refused, 0);
  for (int& t : expected) t = t < -1 ? -2 - t : t;
  model.begin_epoch(pass(2));
  EXPECT_EQ(targets(model), expected);
}

TEST(M3sTest, EveryStageStartsAnew) {
  const Rings rings;
  M3s model(rings.inputs(40), {.stages = 3, .clusters = 4});
  const auto weights = [&] {
    return std::pair{param_of(model, "W1").value.packed(), param_of(model, "W2").value.packed()};
  };
  std::vector<std::pair<std::vector<float>, std::vector<float>>> starts = {weights()};
  for (int stage = 1; stage <= 3; ++stage) {
    train(model, 10 * stage - 9, 10 * stage);
    EXPECT_EQ(model.steps_begin_after, 10 * (stage - 1));
    model.begin_epoch(pass(10 * stage + 1));
    EXPECT_EQ(model.steps_begin_after, 10 * stage);
    starts.push_back(weights());
    for (const char* name : {"W1", "W2"}) {
      const Param& p = param_of(model, name);
      const double bound = glorot(p.value.rows(), p.value.cols());
      float most = 0;
      for (const float w : p.value.packed()) most = std::max(most, std::abs(w));
      EXPECT_LE(most, bound);
      EXPECT_GT(most, 0.9 * bound);
    }
    for (int earlier = 0; earlier < stage; ++earlier) EXPECT_NE(starts[stage], starts[earlier]);
  }
  // What went before has no part in it.
  M3s other(rings.inputs(40), {.stages = 3, .clusters = 4});
  param_of(other, "W1").value.fill(0.125f);
  other.tape.params_changed();
  other.begin_epoch(pass(31));
  EXPECT_EQ(param_of(other, "W1").value.packed(), starts[3].first);
}

// The loss looks at what was labelled on the way.
TEST(M3sTest, TheLossCountsNewLabels) {
  const Rings rings;
  M3s model(rings.inputs(60), {.stages = 1, .clusters = 4, .dropout = 0});
  train(model, 1, 30);
  model.begin_epoch(pass(31));
  model.tape.forward(model.tape.plan({model.loss, model.log_probs}), Pass{});
  const std::vector<int> t = targets(model);
  double sum = 0, labelled = 0;
  for (Index i = 0; i < 2 * kSide; ++i) {
    if (t[i] < 0) continue;
    sum -= model.log_probs.value()(i, t[i]);
    ++labelled;
  }
  EXPECT_EQ(labelled, 32);
  EXPECT_NEAR(model.loss.scalar(), sum / labelled, 1e-5);
}

TEST(M3sTest, FewEpochsAndNoStages) {
  const Rings rings;
  M3s plain(rings.inputs(10), {.stages = 0});
  EXPECT_EQ(plain.scored_from, 1);
  train(plain, 1, 10);
  EXPECT_EQ(count(targets(plain), -1), 2 * kSide - 2);
  M3s hurried(rings.inputs(3), {.stages = 5, .clusters = 3});  // fewer epochs than stages
  train(hurried, 1, 3);
  EXPECT_EQ(hurried.steps_begin_after, 2);
  M3s flat(rings.inputs(12), {.layers = 1, .stages = 1, .clusters = 3});
  train(flat, 1, 12);
  EXPECT_EQ(flat.embedding.cols(), 2);
}

}  // namespace
}  // namespace scrl
