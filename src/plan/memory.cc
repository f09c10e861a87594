#include "plan/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/memory.h"
#include "data/knn_file.h"
#include "models/registry.h"
#include "train/prepare.h"

namespace scrl {
namespace {

Index csr_bytes(Index rows, Index entries) {
  return (rows + 1) * static_cast<Index>(sizeof(Index)) +
         entries * static_cast<Index>(sizeof(NodeId) + sizeof(float));
}

// Products with dropped features keep them, and share where each one is in the transpose.
Index dropped_features(const Model& model, Index entries) {
  Index kept = 0;
  for (const auto& node : model.tape.nodes()) kept += node->sparse.kept_bytes;
  return kept == 0 ? 0 : entries * (kept + Index{sizeof(Index)});
}

// The matrix that a product gathers from, in bf16, in memory that all products share.
Index rounded_rows(const Model& model) {
  Index largest = 0;
  for (const auto& node : model.tape.nodes())
    if (node->sparse.operand)
      for (const Matrix* X : {&node->inputs[0]->value(), &node->value()})
        largest = std::max(largest, X->size());
  return largest * gathered_bytes(Precision::kBf16);
}

// 1234 MB, 5.6 GB
std::string size_text(Index bytes) {
  const double mb = static_cast<double>(bytes) / 1e6;
  char text[32];
  std::snprintf(text, sizeof text, mb < 10'000 ? "%.0f MB" : "%.1f GB",
                mb < 10'000 ? mb : mb / 1e3);
  return text;
}

// Address space without limit for as long as it lives: laying out a model only reserves memory, and
// one that is too large is to be refused with its size, not with a failed allocation.
class FreeToReserve {
 public:
  FreeToReserve() {
    getrlimit(RLIMIT_DATA, &before_);
    const rlimit free = {before_.rlim_max, before_.rlim_max};
    setrlimit(RLIMIT_DATA, &free);
  }
  ~FreeToReserve() { setrlimit(RLIMIT_DATA, &before_); }
  FreeToReserve(const FreeToReserve&) = delete;
  FreeToReserve& operator=(const FreeToReserve&) = delete;

 private:
  rlimit before_{};
};

}  // namespace

bool frees_features(const Dataset& data, const GraphOptions& graph) {
  return !data.lent_features && graph.feature_norm == FeatureNorm::kNone &&
         !binarizes(features_of(data), graph);
}

OperandBytes operand_bytes(const Dataset& data, const RunConfig& config) {
  const Index n = data.nodes, entries = features_of(data).nnz();
  OperandBytes out;
  if (frees_features(data, config.graph)) out.freed = csr_bytes(n, entries);
  out.kept = csr_bytes(n, entries) + csr_bytes(features_of(data).cols, entries);
  const unsigned views = config.method->views();
  const Index links = csr_bytes(n, 2 * edge_count(data) + n);
  if (views & kTopology) out.kept += 2 * links;
  if (views & kEdges) out.kept += links;
  out.peak = out.kept;
  if (!(views & kFeatureGraph)) return out;
  const bool own = config.graph.knn == FeatureGraph::kFile && has_own_graph(data);
  const Index k = config.graph.k;
  const Index edges = n + 2 * (own ? data.knn_files.at(kOwnGraph).size() : k * n);
  out.kept += 2 * csr_bytes(n, edges);
  if (own) {
    out.peak = out.kept + csr_bytes(n, edges);
    return out;
  }
  // The search holds the rows and their transpose once more, and the lists of neighbours.
  Index search = csr_bytes(n, 2 * entries) + 4 * n * k * static_cast<Index>(sizeof(NodeId));
  if (binarizes(features_of(data), config.graph)) search += csr_bytes(n, entries);
  out.peak = std::max(out.peak + search, out.kept + csr_bytes(n, edges));
  return out;
}

Index keeping_bytes(const Model& model, const Dataset& data) {
  Index params = 0;  // the best so far, and the copy that a checkpoint writes
  for (const auto& p : model.params) params += 2 * p->value.size() * Index{sizeof(float)};
  // Embeddings and predictions are put together in memory before they are written.
  constexpr Index kIdText = 16, kProbabilityText = 10;
  const Index embedding = data.nodes * model.embedding.cols() * Index{sizeof(float)};
  const Index predictions = data.nodes * (kIdText + kProbabilityText * data.num_classes());
  return params + std::max(embedding, 2 * predictions);
}

Index model_bytes(const Model& model, const Dataset& data, const GraphOptions& graph) {
  return model.training_bytes() + dropped_features(model, features_of(data).nnz()) +
         (graph.precision == Precision::kBf16 ? rounded_rows(model) : 0) +
         keeping_bytes(model, data);
}

std::unique_ptr<Model> unused_model(const Dataset& data, const Split& split,
                                    const RunConfig& config, Operands& operands) {
  const auto empty = [](Index rows, Index cols) {
    Csr a;
    a.rows = rows, a.cols = cols;
    a.row_ptr.assign(static_cast<std::size_t>(rows) + 1, 0);
    return a;
  };
  const auto graph = [&] {
    return std::make_unique<SparseOperand>(
        SparseOperand{empty(data.nodes, data.nodes), empty(data.nodes, data.nodes)});
  };
  operands.X = {empty(data.nodes, features_of(data).cols),
                empty(features_of(data).cols, data.nodes)};
  const unsigned views = config.method->views();
  if (!method_info(config.run.method).new_nodes) {  // what it learns has the shape of the graph
    operands = prepare(data, config.graph, views);
    return config.method->build(model_inputs(operands, data, split, config.train));
  }
  if (views & kTopology) operands.A_t = graph();
  if (views & kFeatureGraph) operands.A_f = graph();
  if (views & kEdges) operands.edges = std::make_unique<Csr>(empty(data.nodes, data.nodes));
  return config.method->build(model_inputs(operands, data, split, config.train));
}

void require_memory_for_run(const Dataset& data, const Split& split, const RunConfig& config,
                            Index limit) {
  if (!config.method) {  // members are trained one after the other
    for (const MemberConfig& m : config.members)
      require_memory_for_run(data, split, *m.config, limit);
    return;
  }
  constexpr Index kLarge = 100'000;  // nodes and features; below it any machine will do
  const bool known = method_info(config.run.method).new_nodes;  // grows with these two alone
  if (limit == 0 && known && data.nodes + features_of(data).cols < kLarge) return;
  const OperandBytes operands = operand_bytes(data, config);
  const FreeToReserve free_to_reserve;
  Operands shapes;
  const Index model = model_bytes(*unused_model(data, split, config, shapes), data, config.graph);
  require_memory(operands.during(model), limit, cat(config.run.method, " on ", data.name).c_str());
}

void require_memory(Index needed, Index limit, const char* what) {
  const Index held = resident_memory(), available = available_memory();
  const Index room = limit > 0 ? limit - held : available;
  if (held == 0 || (limit == 0 && available == 0) || needed <= room) return;
  fail(ErrorKind::kResource, what, " needs about ", size_text(held + needed), " of memory, and ",
       limit > 0 ? cat("--mem-limit allows ", size_text(limit))
                 : cat("this machine has ", size_text(held + room), " for it"),
       "; smaller hidden1 and hidden2 need less, 'scrl plan' tells how much");
}

}  // namespace scrl
