#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "base/memory.h"
#include "data/dataset.h"
#include "run/train_run.h"
#include "scrl/model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "tensor/csr.h"

namespace scrl {
namespace {

const Settings kSmall = {{"method", "scrl"}, {"epochs", "6"}, {"hidden1", "16"}, {"hidden2", "8"}};
const Settings kAutoSmall = {{"members", "sgc,mlp,knn-gcn"}};

const Dataset& demo() {
  static const Dataset data = load_dataset("demo:nodes=200,features=120", {.use_cache = false});
  return data;
}

// The same graph in arrays of somebody else, with indices of type I.
template <class I>
struct Lent {
  std::vector<I> x_ptr, x_col, a_ptr, a_col;
  std::vector<float> x_val, a_val;
  Dataset data;

  explicit Lent(const Dataset& from) : data(from) {
    x_ptr.assign(from.features.row_ptr.begin(), from.features.row_ptr.end());
    x_col.assign(from.features.col.begin(), from.features.col.end());
    x_val = from.features.val;
    const Csr a = csr_from_triplets(from.nodes, from.nodes, from.edges.source, from.edges.target,
                                    from.edges.weight, Dup::kSum);
    a_ptr.assign(a.row_ptr.begin(), a.row_ptr.end());
    a_col.assign(a.col.begin(), a.col.end());
    a_val = a.val;
    data.features = {};
    data.edges = {};
    data.lent_features = {from.nodes, from.features.cols, std::span<const I>(x_ptr),
                          std::span<const I>(x_col), x_val};
    data.lent_edges = {from.nodes, from.nodes, std::span<const I>(a_ptr), std::span<const I>(a_col),
                       a_val};
  }
};

TEST(FitTest, GivesTheModelAndTheFilesOfARunFolder) {
  const TempFolder folder;
  FitOptions options;
  options.run_folder = folder.path() + "/run";
  const FitResult r = fit(demo(), kSmall, options);
  const TrainedModel stored = TrainedModel::load(options.run_folder);
  EXPECT_EQ(stored.bytes(), r.model.bytes());
  EXPECT_EQ(stored.method(), "scrl");
  EXPECT_EQ(stored.settings().at("hidden1"), "16");
  EXPECT_EQ(stored.fingerprint(), fingerprint(demo()));
  EXPECT_EQ(stored.classes(), demo().classes);
  const Predictions p = predict(stored, demo());
  EXPECT_EQ(p.label, r.predictions.label);
  EXPECT_EQ(p.probabilities, r.predictions.probabilities);
  EXPECT_EQ(p.embeddings, r.predictions.embeddings);
  ASSERT_EQ(r.report.history.size(), 6u);
  EXPECT_EQ(r.report.history.back().epoch, 6);
  EXPECT_EQ(r.report.history.back().member, "scrl");
  EXPECT_FALSE(r.report.split.train.empty());
}

TEST(FitTest, BytesAndFilesComeBack) {
  const TempFolder folder;
  const FitResult r = fit(demo(), kAutoSmall);
  EXPECT_EQ(r.report.members.size(), 3u);
  const TrainedModel again = TrainedModel::from_bytes(r.model.bytes());
  EXPECT_EQ(predict(again, demo()).probabilities, r.predictions.probabilities);
  const std::string path = folder.path() + "/model.scrl";
  r.model.save(path);
  EXPECT_EQ(TrainedModel::load(path).bytes(), r.model.bytes());
  std::string damaged(r.model.bytes());
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_THAT(error_of([&] { TrainedModel::from_bytes(damaged, "mine"); }, ErrorKind::kModelFile),
              ::testing::StartsWith("mine: damaged"));
  EXPECT_THAT(usage_error_of([] { TrainedModel().bytes(); }), ::testing::HasSubstr("empty"));
}

TEST(FitTest, LentArraysGiveTheSameBits) {
  const Lent<std::int32_t> narrow(demo());
  const Lent<std::int64_t> wide(demo());
  for (const Settings& settings : {kSmall, kAutoSmall}) {
    const FitResult own = fit(demo(), settings);
    for (const Dataset* data : {&narrow.data, &wide.data}) {
      const FitResult r = fit(*data, settings);
      EXPECT_EQ(r.report.result_hash, own.report.result_hash);
      EXPECT_TRUE(predict(r.model, *data).probabilities == r.predictions.probabilities);
      EXPECT_EQ(predict(own.model, *data).embeddings, own.predictions.embeddings);
    }
  }
}

// Checks, the fingerprint and the memory plan go through lent arrays where they lie.
TEST(FitTest, LentArraysAreNotCopiedBeforeTraining) {
  constexpr Index kRows = 100000, kPerRow = 200, kCols = 1000;
  std::vector<std::int32_t> row_ptr(kRows + 1), col(kRows * kPerRow);
  std::vector<float> val(kRows * kPerRow, 1.0f);
  for (Index i = 0; i < kRows; ++i) {
    row_ptr[i + 1] = static_cast<std::int32_t>((i + 1) * kPerRow);
    for (Index e = 0; e < kPerRow; ++e) col[i * kPerRow + e] = static_cast<std::int32_t>(5 * e);
  }
  Dataset data;
  data.name = data.source = "large";
  data.nodes = kRows;
  data.classes = {"a", "b"};
  for (Index i = 0; i < kRows; ++i) data.labels.push_back(static_cast<std::int32_t>(i % 2));
  data.lent_features = CsrView(kRows, kCols, std::span<const std::int32_t>(row_ptr),
                               std::span<const std::int32_t>(col), val);
  ASSERT_TRUE(reset_peak_memory());
  const Index before = resident_memory();
  struct Enough {};
  TrainEvents events;
  events.loaded = [](const Dataset&, const RunConfig&) { throw Enough(); };
  validate(data);
  EXPECT_THROW(run_training({.settings = {{"method", "mlp", ""}}, .shared_data = &data}, events),
               Enough);
  const Index bytes = kRows * kPerRow * 8;
  EXPECT_LT(peak_memory() - before, bytes / 20);
}

TEST(FitTest, BadLentArraysAreNamed) {
  Lent<std::int32_t> bad(demo());
  bad.x_col[1] = 100000;
  EXPECT_THAT(error_of([&] { fit(bad.data, kSmall); }),
              ::testing::HasSubstr("features: row 0: column 100000 out of range"));
  Lent<std::int64_t> edges(demo());
  edges.a_col[0] = -1;
  EXPECT_THAT(error_of([&] { fit(edges.data, kSmall); }),
              ::testing::AllOf(::testing::HasSubstr("edges"), ::testing::HasSubstr("-1")));
  Lent<std::int64_t> both(demo());
  both.data.features = demo().features;
  EXPECT_THAT(error_of([&] { fit(both.data, kSmall); }), ::testing::HasSubstr("found both"));
  Lent<std::int64_t> short_graph(demo());
  --short_graph.data.lent_edges->cols;
  EXPECT_THAT(error_of([&] { fit(short_graph.data, kSmall); }), ::testing::HasSubstr("edges"));
}

TEST(FitTest, EndsWhereProgressSaysSo) {
  FitOptions options;
  options.progress = [](const EpochReport& e) { return e.epoch < 3; };
  const FitResult one = fit(demo(), kSmall, options);
  EXPECT_TRUE(one.report.interrupted);
  EXPECT_EQ(one.report.history.size(), 3u);
  EXPECT_EQ(predict(one.model, demo()).label, one.predictions.label);
}

TEST(FitTest, AutoHasAResultWhereverItIsStopped) {
  for (const auto& [member, trained] : {std::pair{"sgc", 1}, {"mlp", 2}, {"knn-gcn", 3}}) {
    FitOptions options;
    options.progress = [&](const EpochReport& e) { return e.member != member; };
    const FitResult r = fit(demo(), kAutoSmall, options);
    EXPECT_TRUE(r.report.interrupted);
    EXPECT_EQ(static_cast<int>(r.report.members.size()), trained) << member;
    EXPECT_EQ(predict(r.model, demo()).label, r.predictions.label);
  }
}

// Under `fixed` the weights come from folds; without all of them the members weigh alike.
TEST(FitTest, AutoStoppedInAFoldWeighsMembersAlike) {
  int epochs = 0;
  Settings settings = kAutoSmall;
  settings["protocol"] = "fixed";
  settings["members"] = "sgc,mlp";
  FitOptions options;
  options.progress = [&](const EpochReport& e) { return e.member == "sgc" ? ++epochs < 2 : true; };
  const FitResult r = fit(demo(), settings, options);
  EXPECT_TRUE(r.report.interrupted);
  ASSERT_EQ(r.report.members.size(), 2u);
  EXPECT_EQ(r.report.members[0].weight, 0.5);
  EXPECT_EQ(r.report.members[1].weight, 0.5);
}

TEST(FitTest, AnExceptionOfTheCallerPassesThrough) {
  for (const Settings& settings : {kSmall, kAutoSmall}) {
    FitOptions options;
    options.progress = [](const EpochReport&) -> bool { throw std::out_of_range("mine"); };
    EXPECT_THROW(fit(demo(), settings, options), std::out_of_range);
  }
  EXPECT_EQ(fit(demo(), kSmall).report.history.size(), 6u);  // and nothing is left behind
}

TEST(FitTest, TrainingsAtTheSameTimeGiveTheSameBits) {
  const std::string scrl = fit(demo(), kSmall).report.result_hash;
  const std::string several = fit(demo(), kAutoSmall).report.result_hash;
  std::string got[3];
  std::thread a([&] { got[0] = fit(demo(), kSmall, {.threads = 3}).report.result_hash; });
  std::thread b([&] { got[1] = fit(demo(), kAutoSmall, {.threads = 1}).report.result_hash; });
  std::thread c([&] { got[2] = fit(demo(), kAutoSmall, {.threads = 2}).report.result_hash; });
  a.join(), b.join(), c.join();
  EXPECT_EQ(got[0], scrl);
  EXPECT_EQ(got[1], several);
  EXPECT_EQ(got[2], several);
}

TEST(FitTest, AForkedChildPredictsAndTrains) {
  const FitResult r = fit(demo(), kSmall, {.threads = 3});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);  // a hang becomes a signal
    const bool same =
        predict(r.model, demo(), 3).embeddings == r.predictions.embeddings &&
        fit(demo(), kSmall, {.threads = 2}).report.result_hash == r.report.result_hash;
    _exit(same ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

}  // namespace
}  // namespace scrl
