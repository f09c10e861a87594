// Searches for nearest rows: time, and recall on sampled rows with its confidence interval.
//   bench_neighbors DATA|topics [name=value ...]
// `topics` is the collection of topic_corpus.h, with rows=, words= and rows_per_topic=. Others are
// k=9 sample=1000 binary=1 (values count as 1), and those of ApproximateOptions; exact=1 searches
// exactly. folder=DIR writes the collection as a data folder instead.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "base/error.h"
#include "base/stopwatch.h"
#include "data/dataset.h"
#include "neighbors/knn_approximate.h"
#include "neighbors/knn_recall.h"
#include "topic_corpus.h"

namespace scrl {
namespace {

class Settings {
 public:
  Settings(int argc, char** argv) {
    for (int n = 2; n < argc; ++n) {
      const std::string item = argv[n];
      const std::size_t equals = item.find('=');
      check(equals != item.npos, "expected name=value, found ", item);
      value_[item.substr(0, equals)] = item.substr(equals + 1);
    }
  }
  Index number(const char* name, Index otherwise) {
    const std::string text = take(name);
    return text.empty() ? otherwise : std::stoll(text);
  }
  std::string take(const char* name) {
    const auto found = value_.find(name);
    if (found == value_.end()) return "";
    const std::string text = found->second;
    value_.erase(found);
    return text;
  }
  void expect_all_taken() const {
    check(value_.empty(), "unknown setting ", value_.empty() ? "" : value_.begin()->first);
  }

 private:
  std::map<std::string, std::string> value_;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void write_folder(const TopicCorpus& o, const Csr& X, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream features(folder + "/features.svm"), labels(folder + "/labels.tsv"),
      edges(folder + "/edges.tsv");
  for (Index i = 0; i < X.rows; ++i) {
    features << i;
    for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e)
      features << ' ' << X.col[e] + 1 << ':' << X.val[e];
    features << '\n';
    labels << i << "\tfield" << field_of(o, i) << '\n';
    edges << i << '\t' << (i + 1) % X.rows << '\n';
  }
}

Csr features_named(const std::string& name, Settings& settings, TopicCorpus& o) {
  if (name == "topics") {
    o.rows = settings.number("rows", o.rows);
    o.words = settings.number("words", o.words);
    o.rows_per_topic = settings.number("rows_per_topic", o.rows_per_topic);
    return topic_corpus(o);
  }
  Csr X = own_copy(features_of(load_dataset(name)));
  if (settings.number("binary", 0))
    for (float& v : X.val) v = v != 0 ? 1.0f : 0.0f;
  return X;
}

// How alike neighbours are, to compare a collection with another.
void describe(const CsrView& X, std::span<const NodeId> sample) {
  constexpr int kFar = 20;
  const Neighbours exact = nearest_of(X, kFar, sample);
  double first = 0, ninth = 0, dimension = 0;
  Index counted = 0;
  for (std::size_t s = 0; s < sample.size(); ++s) {
    const float* cosine = exact.similarity.data() + s * kFar;
    first += cosine[0], ninth += cosine[8];
    // Levina and Bickel's estimate of the dimension around a row, from the distances of unit rows.
    double logs = 0;
    int terms = 0;
    for (int n = 0; n + 1 < kFar && cosine[kFar - 1] > 0; ++n) {
      if (cosine[n] > 0.999999f) continue;
      logs += std::log((1 - cosine[kFar - 1]) / (1 - cosine[n])) / 2;
      ++terms;
    }
    if (logs > 0) dimension += terms / logs, ++counted;
  }
  const double n = static_cast<double>(sample.size());
  std::printf(
      "%lld rows, %lld features, %.1f per row; cosine of neighbour 1 %.3f, 9 %.3f; "
      "dimension %.1f\n",
      static_cast<long long>(X.rows), static_cast<long long>(X.cols),
      static_cast<double>(X.nnz()) / static_cast<double>(X.rows), first / n, ninth / n,
      dimension / static_cast<double>(std::max<Index>(1, counted)));
  std::fflush(stdout);
}

void run(int argc, char** argv) {
  check(argc >= 2, "expected DATA or topics, and name=value");
  Settings settings(argc, argv);
  TopicCorpus corpus;
  const Csr X = features_named(argv[1], settings, corpus);
  if (const std::string folder = settings.take("folder"); !folder.empty())
    return write_folder(corpus, X, folder);
  const int k = static_cast<int>(settings.number("k", 9));
  const std::vector<NodeId> sample = sample_rows(X.rows, settings.number("sample", 1000));
  const bool exact = settings.number("exact", 0) != 0;
  ApproximateOptions o;
  o.leaf = settings.number("leaf", o.leaf);
  o.trees = static_cast<int>(settings.number("trees", o.trees));
  o.rounds = static_cast<int>(settings.number("rounds", o.rounds));
  settings.expect_all_taken();
  describe(X, sample);
  const Stopwatch watch;
  const double cpu = cpu_seconds();
  const Neighbours found = exact ? nearest(X, k) : nearest_approximate(X, k, o);
  const double seconds = watch.seconds(), cpu_used = cpu_seconds() - cpu;
  const Recall r = recall(X, found, sample);
  std::printf(
      "%s: %.1f s, %.1f s of CPU; recall %.4f (%.4f to %.4f), similarity %.4f, on %lld "
      "rows\n",
      exact ? "exact" : "approximate", seconds, cpu_used, r.found, r.low, r.high, r.similarity,
      static_cast<long long>(r.rows));
}

}  // namespace
}  // namespace scrl

int main(int argc, char** argv) {
  try {
    scrl::run(argc, argv);
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "bench_neighbors: " << e.what() << '\n';
    return 1;
  }
}
