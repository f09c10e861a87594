// models/small.h: a small data set and what models look at, for tests that do without the trainer.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/demo.h"
#include "graph/adjacency.h"
#include "kernels/reduce.h"
#include "models/model.h"
#include "neighbors/knn_graph.h"

namespace scrl {

using Pairs = std::vector<std::pair<NodeId, NodeId>>;

inline Csr graph_of(Index nodes, const Pairs& pairs) {
  Edges edges;
  for (const auto& [i, j] : pairs) edges.source.push_back(i), edges.target.push_back(j);
  return adjacency(nodes, edges, Dup::kSum);
}

inline SparseOperand operator_of(const Csr& A) {
  Propagation p = propagation(A, Norm::kSym);
  return {.A = std::move(p.forward), .At = std::move(p.backward)};
}

inline Csr csr_of(const std::vector<std::vector<float>>& rows) {
  Csr out{.rows = static_cast<Index>(rows.size()), .cols = static_cast<Index>(rows[0].size())};
  out.row_ptr = {0};
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) out.col.push_back(static_cast<NodeId>(j)), out.val.push_back(row[j]);
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

// The built-in graph, or its nodes without their edges.
struct Small {
  Dataset data = make_demo(":nodes=120,seed=2,features=100");
  SparseOperand X, A_t, A_f;
  Csr edges;
  std::vector<NodeId> train = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  explicit Small(bool with_edges = true)
      : X(sparse_operand(data.features)),
        edges(with_edges ? adjacency(data.nodes, data.edges, Dup::kBinary)
                         : adjacency(data.nodes, {}, Dup::kBinary)) {
    A_t = operator_of(edges);
    A_f = operator_of(knn_graph(nearest(data.features, 3), KnnMode::kUnion));
  }
  Inputs inputs(bool training) const {
    Inputs in{.X = X,
              .A_t = &A_t,
              .A_f = &A_f,
              .edges = &edges,
              .classes = data.num_classes(),
              .seed = 5,
              .epochs = 6,
              .lr = 0.01};
    if (!training) return in;
    in.train = train;
    for (const NodeId i : train) in.train_labels.push_back(data.labels[i]);
    return in;
  }
};

inline Param& param_of(Model& model, const std::string& name) {
  for (const auto& p : model.params)
    if (p->name == name) return *p;
  throw std::runtime_error("no parameter " + name);
}

// One step of plain descent, as an optimiser would do after begin_epoch().
inline void descend(Model& model, const Pass& pass, float lr) {
  const Plan plan = model.tape.plan({model.loss});
  model.tape.forward(plan, pass);
  model.tape.backward(plan, pass, model.loss);
  for (const auto& p : model.params)
    if (p->trained) kernels::scale(-lr, p->grad, p->value, true);
  model.tape.params_changed();
}

}  // namespace scrl
