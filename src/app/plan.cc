#include "app/plan.h"

#include <cmath>
#include <cstring>
#include <map>

#include "app/memory_need.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "eval/metrics.h"
#include "graph/adjacency.h"
#include "train/epoch.h"
#include "train/split.h"

namespace scrl {
namespace {

constexpr Index kWholeNodes = 1 << 15;  // up to here a plan is a short training
constexpr int kWarmUp = 2, kMeasured = 5;

// Median time of an epoch, after a few.
double epoch_ms(Epoch& epoch) {
  std::vector<double> ms;
  for (int e = 1; e <= kWarmUp + kMeasured; ++e) {
    const Stopwatch watch;
    EpochStats now{.epoch = e};
    epoch.gradients(e);
    epoch.update(e);
    epoch.evaluate(now);
    if (e > kWarmUp) ms.push_back(watch.ms());
  }
  return median(ms);
}

// The first `nodes` nodes without their edges: enough for all that goes row by row.
Dataset piece_of(const Dataset& data, Index nodes) {
  Dataset piece;
  piece.name = data.name, piece.source = data.source, piece.nodes = nodes;
  piece.classes = data.classes;
  piece.labels.assign(data.labels.begin(), data.labels.begin() + nodes);
  const Csr& X = data.features;
  piece.features.rows = nodes, piece.features.cols = X.cols;
  piece.features.row_ptr.assign(X.row_ptr.begin(), X.row_ptr.begin() + nodes + 1);
  const auto entries = static_cast<std::ptrdiff_t>(piece.features.row_ptr.back());
  piece.features.col.assign(X.col.begin(), X.col.begin() + entries);
  piece.features.val.assign(X.val.begin(), X.val.begin() + entries);
  return piece;
}

Split piece_of(const Split& split, Index nodes) {
  Split piece;
  const auto copy = [nodes](const std::vector<NodeId>& from, std::vector<NodeId>& to) {
    for (const NodeId i : from)
      if (i < nodes) to.push_back(i);
  };
  copy(split.train, piece.train), copy(split.val, piece.val), copy(split.test, piece.test);
  return piece;
}

std::unique_ptr<SparseOperand> loops_only(Index nodes) {
  Propagation p = propagation(adjacency(nodes, {}, Dup::kSum), Norm::kRw);
  return std::make_unique<SparseOperand>(
      SparseOperand{.A = std::move(p.forward), .At = std::move(p.backward)});
}

// A graph like a feature graph that would take minutes to find: 2k neighbours anywhere.
std::unique_ptr<SparseOperand> random_graph(Index nodes, int k) {
  Csr a;
  a.rows = a.cols = nodes;
  const Index degree = 2 * k + 1;
  a.col.resize(static_cast<std::size_t>(nodes * degree));
  a.val.assign(a.col.size(), 1.0f / static_cast<float>(degree));
  a.row_ptr.resize(static_cast<std::size_t>(nodes) + 1);
  parallel_for(nodes, 4096, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Rng rng(1, Purpose::kNeighbours, static_cast<std::uint32_t>(i));
      a.row_ptr[i + 1] = (i + 1) * degree;
      for (Index e = 0; e < degree; ++e)
        a.col[i * degree + e] = static_cast<NodeId>(std::min<Index>(
            nodes - 1, static_cast<Index>(rng.uniform_at(static_cast<std::uint64_t>(e)) *
                                          static_cast<float>(nodes))));
    }
  });
  return std::make_unique<SparseOperand>(SparseOperand{.A = a, .At = a});
}

// One product with a matrix of `width` columns, in milliseconds.
double product_ms(const Csr& A, Index width) {
  Matrix X(A.cols, width, kernels::gather_layout(A.cols, width)), out(A.rows, width);
  X.fill(1.0f);
  kernels::spmm(A, X, out);  // maps the memory
  const Stopwatch watch;
  kernels::spmm(A, X, out);
  return watch.ms();
}

bool is_sparse_product(const Node& node) {
  return std::strcmp(node.op, "spmm") == 0 || std::strcmp(node.op, "dropout_spmm") == 0;
}

struct LargeEstimate {
  double epoch_ms;
  Index peak;
};

LargeEstimate estimate_large(const Dataset& data, const Split& split, const RunConfig& config) {
  const Index held = resident_memory();
  const unsigned views = config.method->views();
  const OperandBytes operand_need = operand_bytes(data, config);
  LargeEstimate out{};
  {
    Operands shapes;
    const auto model = unused_model(data, split, config, shapes);
    out.peak = held + std::max(operand_need.peak, operand_need.kept + model_bytes(*model, data));
  }
  // Sparse products by the number of rows they gather and their width.
  std::map<std::pair<bool, Index>, int> products[2];  // forward, backward
  {
    const Dataset piece = piece_of(data, kWholeNodes);
    Split piece_split = piece_of(split, kWholeNodes);
    if (piece_split.train.empty()) piece_split.train = {0};
    Operands operands;
    operands.X = sparse_operand(piece.features);
    if (views & kTopology) operands.A_t = loops_only(kWholeNodes);
    if (views & kFeatureGraph) operands.A_f = loops_only(kWholeNodes);
    if (views & kEdges)
      operands.edges = std::make_unique<Csr>(adjacency(kWholeNodes, piece.edges, Dup::kBinary));
    const auto model =
        config.method->build(model_inputs(operands, piece, piece_split, config.train));
    double products_ms = 0;
    model->tape.observe([&](const Node& node, Direction d, double seconds) {
      if (!is_sparse_product(node)) return;
      products_ms += 1e3 * seconds;
      const Matrix& X =
          node.inputs[0]->param ? node.inputs[0]->param->value : node.inputs[0]->own_value;
      ++products[d == Direction::kBackward][{X.rows() == data.features.cols, X.cols()}];
    });
    Epoch epoch(*model, piece, piece_split, config.train);
    const double rows_ms = epoch_ms(epoch) - products_ms / (kWarmUp + kMeasured);
    // Adam does not grow with the nodes.
    const Stopwatch watch;
    epoch.update(1);
    const double adam = watch.ms();
    out.epoch_ms = adam + (rows_ms - adam) * static_cast<double>(data.nodes) / kWholeNodes;
  }
  Operands whole = prepare(data, config.graph, views & ~unsigned{kFeatureGraph});
  if (views & kFeatureGraph) whole.A_f = random_graph(data.nodes, config.graph.k);
  for (int backward = 0; backward < 2; ++backward) {
    for (const auto& [kind, count] : products[backward]) {
      const auto [features, width] = kind;
      std::vector<const SparseOperand*> operands;
      if (features) operands = {&whole.X};
      for (const auto* A : {whole.A_t.get(), whole.A_f.get()})
        if (!features && A) operands.push_back(A);
      double ms = 0;
      for (const SparseOperand* S : operands) ms += product_ms(backward ? S->At : S->A, width);
      out.epoch_ms += ms / static_cast<double>(operands.size()) * count / (kWarmUp + kMeasured);
    }
  }
  return out;
}

}  // namespace

Json run_plan(PlanRequest request) {
  const Dataset& data = request.data;
  const RunConfig config(request.settings, data.name);
  const Split split = choose_split(data, config.split, config.train.protocol == "val",
                                   static_cast<std::uint64_t>(config.train.seed));
  const bool whole = data.nodes <= kWholeNodes;
  const bool approximate = (config.method->views() & kFeatureGraph) && config.graph.knn != "file" &&
                           searches_approximately(data.features, config.graph);
  Json plan = {{"data", data.name},
               {"method", config.run.method},
               {"nodes", data.nodes},
               {"measured", whole ? "whole" : "piece"},
               {"epochs", config.train.epochs},
               {"seeds", config.run.seeds}};
  if (whole) {
    const Stopwatch preparing;
    const Operands operands = prepare(data, config.graph, config.method->views());
    plan["prepare_s"] = preparing.seconds();
    const auto model = config.method->build(model_inputs(operands, data, split, config.train));
    Epoch epoch(*model, data, split, config.train);
    plan["epoch_ms"] = epoch_ms(epoch);
    // What a training adds to this one: the best parameters and the files it writes.
    plan["peak_mb"] =
        static_cast<double>(peak_memory() + model_bytes(*model, data) - model->training_bytes()) /
        1e6;
  } else {
    const LargeEstimate estimate = estimate_large(data, split, config);
    plan["epoch_ms"] = estimate.epoch_ms;
    plan["peak_mb"] = static_cast<double>(estimate.peak) / 1e6;
    if (approximate) {
      constexpr double kSecondsPerStep = 14e-6;  // one core, per node and halving of the nodes
      const double n = static_cast<double>(data.nodes);
      plan["prepare_s"] = kSecondsPerStep * n * std::log2(n) / threads();
    }
  }
  plan["available_mb"] = static_cast<double>(available_memory() + resident_memory()) / 1e6;
  return plan;
}

}  // namespace scrl
