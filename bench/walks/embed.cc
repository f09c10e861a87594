// Embeds a graph with DeepWalk or LINE, tells how long the passes took, and writes the vectors:
// what bench/peers/skipgram.py measures.
//   bench_walks DATA OUT.f32 [name=value ...]     with method=deepwalk|line1|line2 and the options
//   below
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "base/error.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "data/dataset.h"
#include "graph/adjacency.h"
#include "walks/deepwalk.h"
#include "walks/initial.h"
#include "walks/line.h"

namespace scrl {
namespace {

struct Report {
  double units, seconds, cpu, loss;  // tokens or samples of all passes; cpu: of all threads
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Engine>
Report run(Engine& engine, int passes, double units, std::uint64_t seed, Matrix& in, Index dim) {
  in = Matrix(engine.nodes(), dim);
  Matrix out(engine.output_rows(), dim);
  initial_vectors(in, seed);
  const Stopwatch watch;
  const double cpu = cpu_seconds();
  double loss = 0.0;
  for (int pass = 1; pass <= passes; ++pass) {
    loss = engine.pass(pass, in, out);
    std::fprintf(stderr, "pass %d loss %.5f  %.2f s\n", pass, loss, watch.seconds());
  }
  return {units * passes, watch.seconds(), cpu_seconds() - cpu, loss};
}

int main_of(int argc, char** argv) {
  check(argc >= 3, "usage: bench_walks DATA OUT.f32 [name=value ...]");
  std::map<std::string, std::string> given;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    given[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  const auto number = [&](const char* name, double otherwise) {
    return given.count(name) ? std::stod(given[name]) : otherwise;
  };
  const auto whole = [&](const char* name, double otherwise) {
    return static_cast<int>(number(name, otherwise));
  };
  const Dataset data = load_dataset(argv[1]);
  const Csr A = adjacency(data.nodes, data.edges, Dup::kBinary);
  set_threads(whole("threads", 1));
  const auto seed = static_cast<std::uint64_t>(number("seed", 1));
  const std::string method = given.count("method") ? given["method"] : "deepwalk";
  const auto sharding = [&](ShardOptions o) {
    return ShardOptions{whole("shards", o.shards), number("patience", o.patience)};
  };
  Matrix in;
  Report report{};
  if (method == "deepwalk") {
    SkipGramOptions o;
    o.walks = whole("walks", o.walks), o.length = whole("length", o.length);
    o.window = whole("window", o.window), o.dim = whole("dim", o.dim);
    o.passes = whole("passes", o.passes), o.negative = whole("negative", o.negative);
    o.hierarchical = whole("hs", 1) != 0;
    o.round = whole("round", 0), o.sharding = sharding(o.sharding);
    o.batch = whole("batch", o.batch);
    SkipGram engine(A, o, seed);
    report = run(engine, o.passes, static_cast<double>(engine.tokens_per_pass()), seed, in, o.dim);
  } else {
    LineOptions o;
    o.order = method == "line1" ? 1 : 2;
    o.dim = whole("dim", o.dim), o.passes = whole("passes", o.passes);
    o.negative = whole("negative", o.negative);
    o.samples = static_cast<Index>(number("samples", 0));
    o.round = whole("round", 0), o.sharding = sharding(o.sharding);
    Line engine(A, o, seed);
    report = run(engine, o.passes, static_cast<double>(engine.samples_per_pass()), seed, in, o.dim);
  }
  const std::vector<float> values = in.packed();
  std::ofstream(argv[2], std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(float)));
  std::printf("{\"units\": %.0f, \"seconds\": %.4f, \"cpu\": %.4f, \"loss\": %.6f}\n", report.units,
              report.seconds, report.cpu, report.loss);
  return 0;
}

}  // namespace
}  // namespace scrl

int main(int argc, char** argv) {
  try {
    return scrl::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_walks: " << error.what() << "\n";
    return 1;
  }
}
