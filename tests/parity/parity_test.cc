// The models against PyTorch: log-probabilities, loss, every gradient, and ten Adam steps.
// make_parity.py writes the PyTorch side to the folder in SCRL_PARITY.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "config/config.h"
#include "io/npy.h"
#include "models/registry.h"
#include "train/prepare.h"
#include "train/trainer.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;

std::string folder() {
  const char* path = std::getenv("SCRL_PARITY");
  return path ? path : "";
}

Matrix read_matrix(const std::string& path) {
  NpyReader in(open_file(path));
  check(in.header().shape.size() == 2, path, ": expected two dimensions");
  Matrix m(in.header().shape[0], in.header().shape[1]);
  m.assign_packed(in.rest<float>());
  return m;
}

Edges edges_of(const Matrix& A, bool upper_only) {
  Edges e;
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = upper_only ? i + 1 : 0; j < A.cols(); ++j)
      if (A(i, j) != 0) {
        e.source.push_back(static_cast<NodeId>(i));
        e.target.push_back(static_cast<NodeId>(j));
      }
  return e;
}

Dataset problem() {
  Dataset d;
  d.name = d.source = "parity";
  const Matrix X = read_matrix(folder() + "/X.npy");
  std::vector<NodeId> rows, cols;
  std::vector<float> values;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j)
      if (X(i, j) != 0) {
        rows.push_back(static_cast<NodeId>(i));
        cols.push_back(static_cast<NodeId>(j));
        values.push_back(X(i, j));
      }
  d.nodes = X.rows();
  d.features = csr_from_triplets(X.rows(), X.cols(), rows, cols, values, Dup::kSum);
  d.edges = edges_of(read_matrix(folder() + "/A_t.npy"), false);
  d.knn_files[1] = edges_of(read_matrix(folder() + "/A_f.npy"), true);
  for (const float y : read_matrix(folder() + "/labels.npy").packed())
    d.labels.push_back(static_cast<std::int32_t>(y));
  d.classes = {"0", "1", "2"};
  return d;
}

std::vector<NodeId> train_nodes() {
  std::vector<NodeId> out;
  for (const float i : read_matrix(folder() + "/train.npy").packed())
    out.push_back(static_cast<NodeId>(i));
  return out;
}

// Largest difference relative to the largest entry.
void expect_close(const Matrix& got, const std::string& file, double tolerance) {
  const Matrix want = read_matrix(file);
  ASSERT_TRUE(got.same_shape(want)) << file;
  double scale = 1e-6, worst = 0;
  for (Index i = 0; i < want.rows(); ++i)
    for (Index j = 0; j < want.cols(); ++j) {
      scale = std::max<double>(scale, std::abs(want(i, j)));
      worst = std::max<double>(worst, std::abs(got(i, j) - want(i, j)));
    }
  EXPECT_LE(worst / scale, tolerance) << file;
}

class ParityTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ParityTest, AgreesWithPyTorch) {
  const std::string dir = folder() + "/" + GetParam();
  std::vector<Setting> settings = {{"knn", "file", ""},  {"k", "1", ""},
                                   {"lr", "0.01", ""},   {"weight_decay", "5e-3", ""},
                                   {"epochs", "10", ""}, {"protocol", "fixed", ""},
                                   {"seed", "17", ""},   {"binarize", "false", ""}};
  std::ifstream options(dir + "/options.txt");
  for (std::string key, value; options >> key >> value;) {
    if (key == "method" && value != "scrl") settings.push_back({"feature_norm", "none", ""});
    settings.push_back({key, value, ""});
  }
  const RunConfig config(settings);
  const Dataset data = problem();
  Split split;
  split.train = train_nodes();
  const Operands operands = prepare(data, config.graph, config.method->views());
  Inputs in{.X = operands.X,
            .A_t = operands.A_t.get(),
            .A_f = operands.A_f.get(),
            .edges = operands.edges.get(),
            .classes = 3,
            .train = split.train,
            .seed = 17,
            .epochs = 10};
  for (const NodeId i : split.train) in.train_labels.push_back(data.labels[i]);
  const auto model = config.method->build(in);

  // Both predictions and embedding where the reference has them; a model that learns without
  // labels has no predictions before its classifier is fitted.
  const auto expect_evaluation = [&](const std::string& suffix, double tolerance) {
    model->evaluate();
    int compared = 0;
    for (const auto& [name, var] :
         {std::pair{"log_probs", model->log_probs}, std::pair{"embedding", model->embedding}}) {
      const std::string file = dir + "/" + name + suffix + ".npy";
      if (!fs::exists(file)) continue;
      expect_close(var.value(), file, tolerance);
      ++compared;
    }
    EXPECT_GT(compared, 0) << dir;
  };
  expect_evaluation("", 1e-5);

  if (model->loss.node() && model->loss.needs_grad()) {  // else it is fitted at once
    const Pass first{.training = true, .seed = 17, .epoch = 1};
    const Plan plan = model->tape.plan({model->loss});
    model->begin_epoch(first);
    model->tape.params_changed();
    model->tape.forward(plan, first);
    model->tape.backward(plan, first, model->loss);
    for (const auto& p : model->params)
      if (p->trained) expect_close(p->grad, dir + "/grad_" + p->name + ".npy", 1e-4);
  }

  TrainState state;
  model->lowest_loss_counts = false;  // the last step is what PyTorch ends with
  train_model(*model, data, split, config.train, state, {});
  const Matrix losses = read_matrix(dir + "/losses.npy");
  for (std::size_t step = 0; step < 10; ++step)
    EXPECT_NEAR(state.history[step].loss, losses(0, static_cast<Index>(step)), 1e-4)
        << "step " << step;
  for (const auto& p : model->params)
    if (p->trained) expect_close(p->value, dir + "/param_" + p->name + ".npy", 2e-4);
  expect_evaluation("_after", 5e-4);
}

std::vector<std::string> variants() {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder(), none))
    if (entry.is_directory()) out.push_back(entry.path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Variants, ParityTest, ::testing::ValuesIn(variants()),
                         [](const auto& variant) {
                           std::string name = variant.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ParityCoverageTest, EveryMethodHasAVariant) {
  ASSERT_FALSE(folder().empty()) << "SCRL_PARITY is not set: run make_parity.py and point it there";
  const auto have = variants();
  for (const MethodInfo& method : method_list()) {
    if (!method.features) continue;  // DeepWalk and LINE do not descend a loss on the tape
    EXPECT_TRUE(std::any_of(have.begin(), have.end(), [&](const std::string& v) {
      return v == method.name || v.starts_with(method.name + "_");
    })) << method.name;
  }
}

}  // namespace
}  // namespace scrl
