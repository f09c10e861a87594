// The library from outside: a graph made in memory, trained, saved, loaded and used.
#include <scrl/scrl.h>

#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace {

// Two rings of 20 nodes; the first feature column tells the ring, the second is noise.
scrl::Dataset rings() {
  scrl::Dataset data;
  data.name = data.source = "rings";
  data.nodes = 40;
  data.features.rows = 40;
  data.features.cols = 3;
  data.classes = {"left", "right"};
  for (int i = 0; i < 40; ++i) {
    const int ring = i / 20;
    data.edges.source.push_back(i);
    data.edges.target.push_back(ring * 20 + (i + 1) % 20);
    data.features.col.push_back(ring);
    data.features.val.push_back(1.0f);
    if (i % 3 == 0) {
      data.features.col.push_back(2);
      data.features.val.push_back(1.0f);
    }
    data.features.row_ptr.push_back(static_cast<scrl::Index>(data.features.col.size()));
    data.labels.push_back(i % 2 == 0 ? ring : scrl::kUnlabelled);
  }
  return data;
}

int failed(const char* what) { return std::fprintf(stderr, "%s\n", what), 1; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: consumer RUN_FOLDER\n"), 2;
  const scrl::Dataset data = rings();
  int epochs = 0;
  scrl::FitOptions options;
  options.run_folder = argv[1];
  options.progress = [&](const scrl::EpochReport&) { return ++epochs, true; };
  const scrl::FitResult fitted = scrl::fit(
      data,
      {{"method", "scrl"}, {"epochs", "40"}, {"hidden1", "16"}, {"hidden2", "8"}, {"lr", "0.01"}},
      options);
  const scrl::TrainedModel loaded = scrl::TrainedModel::load(argv[1]);
  const scrl::Predictions p = scrl::predict(loaded, data);
  int right = 0;
  for (int i = 0; i < 40; ++i) right += p.label[static_cast<std::size_t>(i)] == i / 20;
  std::printf("%d epochs, test accuracy %.1f, %d of 40 nodes right, embedding of %d\n", epochs,
              fitted.report.accuracy, right, static_cast<int>(p.embedding_size));
  if (loaded.bytes() != fitted.model.bytes() || p.embeddings != fitted.predictions.embeddings)
    return failed("the model in the run folder is not the one in memory");
  // A node that was not there, in the right ring by its word and its neighbour.
  const std::vector<scrl::Index> ptr = {0, 1};
  const std::vector<scrl::NodeId> word = {1}, neighbour = {25};
  const std::vector<float> one = {1.0f};
  using Ids = std::span<const scrl::NodeId>;
  using Sizes = std::span<const scrl::Index>;
  const scrl::Predictions added =
      scrl::Predictor(loaded, data)
          .predict({.nodes = 1,
                    .features = scrl::CsrView(1, 3, Sizes(ptr), Ids(word), one),
                    .edges = scrl::CsrView(1, 40, Sizes(ptr), Ids(neighbour), one),
                    .edges_among = {}});
  if (added.label != std::vector<std::int32_t>{1})
    return failed("a new node is not of the class of its neighbour");
  // The default trains several models and combines them.
  const scrl::FitResult combined = scrl::fit(data, {{"members", "sgc,mlp"}});
  if (!combined.report.has_test || combined.report.members.size() != 2)
    return failed("the default method has no members");
  scrl::FitOptions stop;
  stop.progress = [](const scrl::EpochReport&) { return false; };
  const scrl::FitResult stopped = scrl::fit(data, {{"members", "sgc,mlp"}}, stop);
  if (!stopped.report.interrupted || stopped.report.members.size() != 1 ||
      stopped.predictions.label.size() != 40)
    return failed("a training that was stopped has no result of the member so far");
  try {
    scrl::fit(data, {{"method", "scrl"}, {"epoch", "3"}});
    return failed("an unknown setting was accepted");
  } catch (const scrl::Error& e) {
    if (e.kind() != scrl::ErrorKind::kUsage) return 1;
  }
  return right == 40 && epochs > 0 && p.embedding_size == 16 ? 0 : 1;
}
