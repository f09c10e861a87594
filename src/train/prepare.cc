#include "train/prepare.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "data/knn_file.h"
#include "graph/adjacency.h"
#include "neighbors/knn_approximate.h"
#include "neighbors/knn_graph.h"

namespace scrl {
namespace {

Csr scaled_rows(Csr X, const GraphOptions& o) {
  const FeatureNorm norm = o.feature_norm;
  if (norm == FeatureNorm::kNone) return X;
  for (Index i = 0; i < X.rows; ++i) {
    double total = 0;
    for (const float v : X.row_vals(i))
      total += norm == FeatureNorm::kL1 ? std::abs(v) : static_cast<double>(v) * v;
    if (norm == FeatureNorm::kL2) total = std::sqrt(total);
    if (total == 0) continue;  // an empty row stays empty
    for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e)
      X.val[e] = static_cast<float>(X.val[e] / total);
  }
  return X;
}

}  // namespace

Csr model_features(const CsrView& features, const GraphOptions& o) {
  Csr X = own_copy(features);
  return scaled_rows(binarizes(features, o) ? binarized(std::move(X)) : std::move(X), o);
}

std::unique_ptr<SparseOperand> normalised(const Csr& A, const GraphOptions& o) {
  Propagation p = propagation(A, o.adjacency, o.lazy);
  auto out = std::make_unique<SparseOperand>(SparseOperand{
      .A = std::move(p.forward), .At = std::move(p.backward), .gathers = o.precision});
  out->degree = std::move(p.degree);
  return out;
}

Neighbours feature_neighbours(const Dataset& data, const GraphOptions& o, SearchCheck* check) {
  const CsrView features = features_of(data);
  const auto search = [&](const CsrView& X) {
    Neighbours found =
        searches_approximately(features, o) ? nearest_approximate(X, o.k) : nearest(X, o.k);
    if (check) check->recall = recall(X, found, sample_rows(X.rows, check->samples));
    return found;
  };
  if (compares_as_stored(features, o)) return search(features);
  return search(searched_features(features, o));
}

Csr feature_graph(const Neighbours& neighbours, const GraphOptions& o) {
  return knn_graph(neighbours, o.knn == FeatureGraph::kRule     ? KnnMode::kRule
                               : o.knn == FeatureGraph::kMutual ? KnnMode::kMutual
                                                                : KnnMode::kUnion);
}

Csr feature_graph(const Dataset& data, const GraphOptions& o) {
  if (o.knn == FeatureGraph::kFile) {
    const auto file = data.knn_files.find(has_own_graph(data) ? kOwnGraph : o.k);
    if (file == data.knn_files.end()) {
      std::string have;
      for (const auto& [k, edges] : data.knn_files) have += cat(have.empty() ? "" : ", ", k);
      fail(ErrorKind::kData, data.source, ": no published feature graph for k=", o.k,
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
            .lr = train.lr};
  for (const NodeId i : split.train) in.train_labels.push_back(data.labels[i]);
  return in;
}

Operands prepare(const Dataset& data, const GraphOptions& o, unsigned views) {
  Operands out;
  out.X = sparse_operand(model_features(features_of(data), o), o.precision);
  if (views & (kTopology | kEdges)) {
    Csr A = adjacency(data, o.dup);
    if (views & kTopology) out.A_t = normalised(A, o);
    if (views & kEdges) out.edges = std::make_unique<Csr>(std::move(A));
  }
  if (views & kFeatureGraph) out.A_f = normalised(feature_graph(data, o), o);
  return out;
}

}  // namespace scrl
