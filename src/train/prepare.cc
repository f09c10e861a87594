#include "train/prepare.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "graph/adjacency.h"
#include "points/knn_approximate.h"
#include "points/knn_graph.h"

namespace scrl {
namespace {

Csr scaled_rows(Csr X, const GraphOptions& o) {
  const std::string& norm = o.feature_norm;
  if (norm == "none") return X;
  const double length = o.row_length.value_or(row_length_for(X));
  for (Index i = 0; i < X.rows; ++i) {
    double total = 0;
    for (const float v : X.row_vals(i)) total += norm == "row" ? v : static_cast<double>(v) * v;
    if (norm == "l2") total = std::sqrt(total) / length;
    if (total == 0) continue;  // an empty row stays empty
    for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e)
      X.val[e] = static_cast<float>(X.val[e] / total);
  }
  return X;
}

Precision gathers(const GraphOptions& o) {
  return o.precision == "bf16" ? Precision::kBf16 : Precision::kFloat32;
}

}  // namespace

double row_length_for(const Csr& features) {
  if (features.nnz() == 0) return 1;
  const double mean = static_cast<double>(features.nnz()) / static_cast<double>(features.rows);
  return std::max(mean / 64, 0.25);
}

double mean_degree(const Dataset& data) {
  if (data.nodes == 0) return 0;
  const Csr A = adjacency(data.nodes, data.edges, Dup::kBinary);
  return static_cast<double>(A.nnz()) / static_cast<double>(A.rows);
}

int steps_for(const Dataset& data) {
  constexpr double kMessages = 28;
  const double degree = mean_degree(data);
  if (degree == 0) return 2;
  const double whole = std::log(static_cast<double>(data.nodes)) / std::log(1 + degree);
  return static_cast<int>(std::clamp(std::min(kMessages / (1 + degree), whole), 2.0, 6.0));
}

std::unique_ptr<SparseOperand> normalised(const Csr& A, const GraphOptions& o) {
  Propagation p = propagation(A, o.adjacency == "sym" ? Norm::kSym : Norm::kRw, o.self_weight);
  return std::make_unique<SparseOperand>(
      SparseOperand{.A = std::move(p.forward), .At = std::move(p.backward), .gathers = gathers(o)});
}

Neighbours feature_neighbours(const Dataset& data, const GraphOptions& o) {
  const auto search = [&](const Csr& X) {
    return searches_approximately(data.features, o) ? nearest_approximate(X, o.neighbours())
                                                    : nearest(X, o.neighbours());
  };
  if (compares_as_stored(data.features, o)) return search(data.features);
  return search(searched_features(data.features, o));
}

Csr feature_graph(const Neighbours& neighbours, const GraphOptions& o) {
  return knn_graph(neighbours, o.knn == "rule"     ? KnnMode::kRule
                               : o.knn == "mutual" ? KnnMode::kMutual
                                                   : KnnMode::kUnion);
}

Csr feature_graph(const Dataset& data, const GraphOptions& o) {
  if (o.knn == "file") {
    const auto file = data.knn_files.find(o.neighbours());
    if (file == data.knn_files.end()) {
      std::string have;
      for (const auto& [k, edges] : data.knn_files) have += cat(have.empty() ? "" : ", ", k);
      fail(ErrorKind::kData, data.source, ": no published feature graph for k=", o.neighbours(),
           have.empty() ? "; the data has none" : cat("; the data has k = ", have),
           ". Use knn=union to compute one");
    }
    return knn_graph_from_file(data.nodes, file->second);
  }
  return feature_graph(feature_neighbours(data, o), o);
}

Inputs model_inputs(const Operands& operands, const Dataset& data, const Split& split,
                    const TrainOptions& train) {
  Inputs in{.X = operands.X,
            .A_t = operands.A_t.get(),
            .A_f = operands.A_f.get(),
            .edges = operands.edges.get(),
            .classes = data.num_classes(),
            .train = split.train,
            .seed = static_cast<std::uint64_t>(train.seed),
            .epochs = train.epochs,
            .lr = train.rate()};
  for (const NodeId i : split.train) in.train_labels.push_back(data.labels[i]);
  return in;
}

Operands prepare(const Dataset& data, const GraphOptions& o, unsigned views) {
  Operands out;
  Csr X = counts_presence(data.features, o) ? presence(data.features) : data.features;
  out.X = sparse_operand(scaled_rows(std::move(X), o), gathers(o));
  const Dup dup = o.dup == "sum" ? Dup::kSum : Dup::kBinary;
  if (views & (kTopology | kEdges)) {
    Csr A = adjacency(data.nodes, data.edges, dup);
    if (views & kTopology) out.A_t = normalised(A, o);
    if (views & kEdges) out.edges = std::make_unique<Csr>(std::move(A));
  }
  if (views & kFeatureGraph) out.A_f = normalised(feature_graph(data, o), o);
  return out;
}

}  // namespace scrl
