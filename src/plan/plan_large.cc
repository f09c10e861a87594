#include "plan/plan_large.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "graph/adjacency.h"
#include "kernels/products.h"
#include "plan/epoch_time.h"
#include "plan/memory.h"
#include "train/epoch.h"
#include "train/prepare.h"

namespace scrl {
namespace {

// The first `nodes` nodes. Edges that lead out of the piece are bent to a node inside; every second
// of them, since each then adds to the degree of two nodes inside.
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
  bool keep = false;
  for (Index e = 0; e < data.edges.size(); ++e) {
    const NodeId i = data.edges.source[e], j = data.edges.target[e];
    if (i >= nodes && j >= nodes) continue;
    if ((i >= nodes || j >= nodes) && (keep = !keep)) continue;
    piece.edges.source.push_back(static_cast<NodeId>(i % nodes));
    piece.edges.target.push_back(static_cast<NodeId>(j % nodes));
  }
  return piece;
}

Split piece_of(const Split& split, Index nodes) {
  Split piece;
  const auto copy = [nodes](const std::vector<NodeId>& from, std::vector<NodeId>& to) {
    for (const NodeId i : from)
      if (i < nodes) to.push_back(i);
  };
  copy(split.train, piece.train), copy(split.val, piece.val), copy(split.test, piece.test);
  if (piece.train.empty()) piece.train = {0};
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
double product_ms(const Csr& A, Index width, Precision gathers) {
  Matrix X(A.cols, width, kernels::gather_layout(A.cols, width)), out(A.rows, width);
  X.fill(1.0f);
  kernels::spmm(A, X, out, false, gathers);  // maps the memory
  const Stopwatch watch;
  kernels::spmm(A, X, out, false, gathers);
  return watch.ms();
}

// The operands that a model was given, in a fixed order; null where it has none.
std::array<const SparseOperand*, 3> given(const Operands& o) {
  return {&o.X, o.A_t.get(), o.A_f.get()};
}

// Methods on normalised graphs.
double graph_epoch_ms(const Dataset& data, const Split& split, const RunConfig& config) {
  constexpr Index kPiece = 1 << 15;
  const unsigned views = config.method->views();
  // Sparse products by the number of their operand and their width.
  std::map<std::pair<std::size_t, Index>, int> products[2];  // forward, backward
  double sum = 0;
  int runs = 0;
  {
    const Dataset piece = piece_of(data, kPiece);
    const Split piece_split = piece_of(split, kPiece);
    Operands operands = prepare(piece, config.graph, views & ~unsigned{kFeatureGraph});
    if (views & kFeatureGraph) operands.A_f = loops_only(kPiece);
    const auto model =
        config.method->build(model_inputs(operands, piece, piece_split, config.train));
    double products_ms = 0;
    model->tape.observe([&](const Node& node, Direction d, double seconds) {
      const auto all = given(operands);
      const auto which = std::find(all.begin(), all.end(), node.sparse.operand);
      if (!node.sparse.operand || which == all.end()) return;
      products_ms += 1e3 * seconds;
      const auto number = static_cast<std::size_t>(which - all.begin());
      products[d == Direction::kBackward][{number, node.own_value.cols()}] += node.sparse.products;
    });
    Moments moments;
    Epoch epoch(*model, piece, piece_split, config.train, moments);
    const EpochTime time = measure_epochs(epoch, *model, config.train.epochs, [&] {
      products_ms = 0;
      products[0].clear(), products[1].clear();
    });
    runs = time.measured;
    const double rows_ms = time.total_ms() - products_ms / runs;
    // Adam does not grow with the nodes.
    const Stopwatch watch;
    epoch.update(time.last);
    const double adam = watch.ms();
    sum = adam + std::max(0.0, rows_ms - adam) * static_cast<double>(data.nodes) / kPiece;
  }
  Operands whole = prepare(data, config.graph, views & ~unsigned{kFeatureGraph});
  if (views & kFeatureGraph) {
    whole.A_f = random_graph(data.nodes, config.graph.k);
    whole.A_f->gathers = config.graph.precision;
  }
  for (int backward = 0; backward < 2; ++backward) {
    for (const auto& [kind, count] : products[backward]) {
      const auto [operand, width] = kind;
      const SparseOperand& S = *given(whole)[operand];
      sum += product_ms(backward ? S.At : S.A, width, S.gathers) * count / runs;
    }
  }
  return sum;
}

double work(const Cost& c) { return c.flops + c.streamed + c.gathered; }

double trained_size(const Model& model) {
  double sum = 0;
  for (const auto& p : model.params) sum += p->trained ? static_cast<double>(p->value.size()) : 0;
  return sum;
}

double ratio(double whole, double piece, double otherwise) {
  return whole > 0 && piece > 0 ? whole / piece : otherwise;
}

// Methods with operators of their own: both models are recorded alike, op by op.
double edge_epoch_ms(const Dataset& data, const Split& split, const RunConfig& config) {
  constexpr Index kPiece = 1 << 12;
  const unsigned views = config.method->views();
  const Operands operands = prepare(data, config.graph, views);
  const auto whole = config.method->build(model_inputs(operands, data, split, config.train));

  const Dataset piece = piece_of(data, kPiece);
  const Split piece_split = piece_of(split, kPiece);
  const Operands piece_operands = prepare(piece, config.graph, views);
  const auto model =
      config.method->build(model_inputs(piece_operands, piece, piece_split, config.train));
  std::map<const Node*, const Node*> on_whole;
  const auto& nodes = model->tape.nodes();
  for (std::size_t k = 0; k < std::min(nodes.size(), whole->tape.nodes().size()); ++k)
    on_whole[nodes[k].get()] = whole->tape.nodes()[k].get();

  const double by_nodes = static_cast<double>(data.nodes) / kPiece;
  double ops_ms = 0;
  model->tape.observe([&](const Node& node, Direction d, double seconds) {
    const auto found = on_whole.find(&node);
    const bool forward = d == Direction::kForward;
    const auto cost = [&](const Node& n) {
      return work(forward ? n.forward_cost : n.backward_cost);
    };
    ops_ms +=
        1e3 * seconds *
        (found == on_whole.end() ? by_nodes : ratio(cost(*found->second), cost(node), by_nodes));
  });
  Moments moments;
  Epoch epoch(*model, piece, piece_split, config.train, moments);
  const EpochTime time = measure_epochs(epoch, *model, config.train.epochs, [&] { ops_ms = 0; });
  const double own = own_work(*model) > 0
                         ? time.gradients_ms * ratio(own_work(*whole), own_work(*model), by_nodes)
                         : 0;
  return own + ops_ms / time.measured +
         time.update_ms * ratio(trained_size(*whole), trained_size(*model), 1);
}

}  // namespace

LargeEstimate estimate_large(const Dataset& data, const Split& split, const RunConfig& config) {
  LargeEstimate out{.peak = peak_memory()};  // of reading the data
  const Index held = resident_memory();
  out.epoch_ms = config.method->views() & kEdges ? edge_epoch_ms(data, split, config)
                                                 : graph_epoch_ms(data, split, config);
  const OperandBytes operands = operand_bytes(data, config);
  Operands shapes;
  const auto model = unused_model(data, split, config, shapes);
  const Index training = model_bytes(*model, data, config.graph) +
                         keeping_bytes(*model, data, writes_checkpoints(config, out.epoch_ms));
  out.peak = std::max(out.peak, held + operands.during(training));
  return out;
}

}  // namespace scrl
