#include "models/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "models/small.h"
#include "support/errors.h"

namespace scrl {
namespace {

TEST(RegistryTest, NamesAreUniqueAndFound) {
  std::set<std::string> names, summaries;
  for (const MethodInfo& info : method_list()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(summaries.insert(info.summary).second) << info.summary;
    EXPECT_EQ(method_info(info.name).views, info.views);
    EXPECT_EQ(make_method(info.name)->views(), info.views);
    // What a method does not look at does not count as looked at, and the other way round.
    EXPECT_TRUE(info.features || info.views != kNoGraph) << info.name;
  }
  EXPECT_GE(names.size(), 15u);
}

TEST(RegistryTest, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const std::string text = error_of([] { make_method("gnc"); }, ErrorKind::kUsage);
  EXPECT_NE(text.find("unknown method 'gnc'"), std::string::npos) << text;
  for (const MethodInfo& info : method_list())
    EXPECT_NE(text.find(info.name), std::string::npos) << text;
  EXPECT_EQ(text, error_of([] { method_info("gnc"); }, ErrorKind::kUsage));
}

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  const MethodInfo& info = method_info(GetParam());
  std::unique_ptr<Model> build(const Inputs& in) {
    const auto method = make_method(GetParam());
    OptionSet set;
    method->bind(set);
    for (const auto& [key, value] : {std::pair{"hidden1", "12"},
                                     {"hidden2", "8"},
                                     {"dim", "8"},
                                     {"walks", "1"},
                                     {"length", "6"},
                                     {"samples", "500"}})
      if (set.has(key)) set.set(key, value, "test");
    return method->build(in);
  }
  // The inputs without what the method does not ask for: nobody looks behind its back.
  Inputs only_what_it_asks(Inputs in) const {
    if (!(info.views & kTopology)) in.A_t = nullptr;
    if (!(info.views & kFeatureGraph)) in.A_f = nullptr;
    if (!(info.views & kEdges)) in.edges = nullptr;
    return in;
  }
  static void evaluate(Model& model) {
    model.tape.forward(model.tape.plan({model.log_probs, model.embedding}), Pass{});
  }
  static void step(Model& model) {
    const Pass pass{.training = true, .seed = 5, .epoch = 1};
    model.begin_epoch(pass);
    if (auto* own = dynamic_cast<OwnModel*>(&model))
      own->own_epoch(pass);
    else
      descend(model, pass, 0.01f);
    evaluate(model);
    if (!model.fit_classifier) return;
    model.fit_classifier();
    model.tape.params_changed();
    evaluate(model);
  }
  static void expect_probabilities(const Model& model, Index nodes) {
    const Matrix& logp = model.log_probs.value();
    ASSERT_EQ(logp.rows(), nodes);
    ASSERT_EQ(logp.cols(), 6);
    ASSERT_EQ(model.embedding.rows(), nodes);
    for (Index i = 0; i < nodes; ++i) {
      double sum = 0;
      for (Index c = 0; c < 6; ++c) sum += std::exp(double{logp(i, c)});
      EXPECT_NEAR(sum, 1, 1e-4) << "node " << i;
    }
    EXPECT_TRUE(kernels::all_finite(model.embedding.value()));
  }
};

TEST_P(EveryMethod, BuildsAndStepsWithTrainingNodes) {
  const Small small;
  const auto model = build(only_what_it_asks(small.inputs(true)));
  EXPECT_EQ(model->loss.node() == nullptr, !info.features);  // those learn by themselves
  EXPECT_EQ(bool{model->fit_classifier}, !info.labels);
  step(*model);
  expect_probabilities(*model, small.data.nodes);
  EXPECT_GT(model->training_bytes(), 0);
  std::set<std::string> names;
  for (const auto& p : model->params) EXPECT_TRUE(names.insert(p->name).second) << p->name;
}

// A model without training nodes is the same model to a file: it has the parameters that predict.
TEST_P(EveryMethod, BuildsWithoutTrainingNodes) {
  const Small small;
  const auto trained = build(only_what_it_asks(small.inputs(true)));
  const auto model = build(only_what_it_asks(small.inputs(false)));
  EXPECT_EQ(model->loss.node(), nullptr);
  const auto carried = [](const Model& m) {
    std::set<std::tuple<std::string, Index, Index>> out;
    for (const auto& p : m.params)
      if (p->predicts) out.insert({p->name, p->value.rows(), p->value.cols()});
    return out;
  };
  EXPECT_EQ(carried(*model), carried(*trained));
  evaluate(*model);
  expect_probabilities(*model, small.data.nodes);
}

TEST_P(EveryMethod, WithoutEdgesWorksOrSaysWhyNot) {
  const Small small(false);
  const auto model = build(only_what_it_asks(small.inputs(true)));
  if (!info.features) {
    const std::string text = error_of([&] { step(*model); }, ErrorKind::kData);
    EXPECT_NE(text.find(GetParam() + ": the graph has no edges"), std::string::npos) << text;
    return;
  }
  step(*model);
  expect_probabilities(*model, small.data.nodes);
}

// Loops join no two nodes.
TEST_P(EveryMethod, WithLoopsAloneWorksOrSaysWhyNot) {
  Small small(false);
  Pairs loops;
  for (NodeId i = 0; i < small.data.nodes; i += 2) loops.emplace_back(i, i);
  small.edges = graph_of(small.data.nodes, loops);
  small.A_t = operator_of(small.edges);
  const auto run = [&] {
    const auto model = build(only_what_it_asks(small.inputs(true)));
    step(*model);
    expect_probabilities(*model, small.data.nodes);
  };
  if (!info.features) {
    const std::string text = error_of(run, ErrorKind::kData);
    EXPECT_NE(text.find("edge"), std::string::npos) << text;
  } else {
    run();
  }
}

TEST_P(EveryMethod, WithoutFeaturesOfSomeNodes) {
  Small small;
  Csr X = small.data.features;
  std::fill(X.val.begin(), X.val.begin() + X.row_ptr[40], 0.0f);
  small.X = sparse_operand(X);
  const auto model = build(only_what_it_asks(small.inputs(true)));
  step(*model);
  expect_probabilities(*model, small.data.nodes);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const MethodInfo& info : method_list()) out.push_back(info.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(names()),
                         [](const auto& one) { return replaced(one.param, "-", "_"); });

}  // namespace
}  // namespace scrl
