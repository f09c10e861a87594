// The library from outside: a graph made in memory, trained, saved, loaded and used.
#include <scrl/scrl.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: consumer RUN_FOLDER\n"), 2;
  // Two rings of 20 nodes; the first feature column tells the ring, the second is noise.
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
  int epochs = 0;
  const scrl::TrainingReport report = scrl::train(
      data,
      {{"method", "scrl"}, {"epochs", "40"}, {"hidden1", "16"}, {"hidden2", "8"}, {"lr", "0.01"}},
      argv[1], [&](const scrl::EpochReport&) { return ++epochs, true; });
  const scrl::Predictions p = scrl::predict(argv[1], data);
  int right = 0;
  for (int i = 0; i < 40; ++i) right += p.label[static_cast<std::size_t>(i)] == i / 20;
  std::printf("%d epochs, test accuracy %.1f, %d of 40 nodes right, embedding of %d\n", epochs,
              report.accuracy, right, static_cast<int>(p.embedding_size));
  // The default trains several models and combines them.
  const scrl::TrainingReport combined = scrl::train(data, {{"members", "sgc,mlp"}});
  if (!combined.has_test || combined.json.find("\"members\"") == std::string::npos)
    return std::fprintf(stderr, "the default method has no members\n"), 1;
  const scrl::TrainingReport stopped = scrl::train(data, {{"members", "sgc,mlp"}}, "",
                                                   [](const scrl::EpochReport&) { return false; });
  if (!stopped.interrupted || stopped.has_test)
    return std::fprintf(stderr, "a training that was stopped has a result\n"), 1;
  try {
    scrl::train(data, {{"method", "scrl"}, {"epoch", "3"}});
    return std::fprintf(stderr, "an unknown setting was accepted\n"), 1;
  } catch (const scrl::Error& e) {
    if (e.kind() != scrl::ErrorKind::kUsage) return 1;
  }
  return right == 40 && epochs > 0 && p.embedding_size == 16 ? 0 : 1;
}
