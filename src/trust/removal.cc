#include "trust/removal.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "graph/adjacency.h"
#include "linear/stacking.h"
#include "models/ensemble.h"

namespace scrl {
namespace {

// The graph that was normalised to N: its links without loops, each of weight 1.
Csr links_of(const Csr& N) {
  Csr out;
  out.rows = out.cols = N.rows;
  for (Index i = 0; i < N.rows; ++i) {
    for (const NodeId j : N.row_cols(i))
      if (j != i) out.col.push_back(j);
    out.row_ptr.push_back(static_cast<Index>(out.col.size()));
  }
  out.val.assign(out.col.size(), 1.0f);
  return out;
}

// Without the links between `node` and `others`; of `rows` alone, or of all if there are none.
Csr without_links(const Csr& A, NodeId node, const std::vector<NodeId>& others,
                  const std::set<Index>& rows = {}) {
  const std::set<NodeId> gone(others.begin(), others.end());
  Csr out;
  out.rows = A.rows;
  out.cols = A.cols;
  for (Index i = 0; i < A.rows; ++i) {
    if (rows.empty() || rows.contains(i)) {
      const auto cols = A.row_cols(i);
      const auto vals = A.row_vals(i);
      for (std::size_t e = 0; e < cols.size(); ++e) {
        if ((i == node && gone.contains(cols[e])) ||
            (cols[e] == node && gone.contains(static_cast<NodeId>(i))))
          continue;
        out.col.push_back(cols[e]);
        out.val.push_back(vals[e]);
      }
    }
    out.row_ptr.push_back(static_cast<Index>(out.col.size()));
  }
  return out;
}

Csr without_features(const Csr& X, NodeId node, const std::vector<NodeId>& columns) {
  const std::set<NodeId> gone(columns.begin(), columns.end());
  Csr out = X;
  std::vector<NodeId> col;
  std::vector<float> val;
  for (Index e = X.row_ptr[node]; e < X.row_ptr[node + 1]; ++e)
    if (!gone.contains(X.col[e])) {
      col.push_back(X.col[e]);
      val.push_back(X.val[e]);
    }
  const Index lost = X.row_nnz(node) - static_cast<Index>(col.size());
  const auto cut = [&](auto& all, const auto& kept) {
    std::copy(kept.begin(), kept.end(), all.begin() + X.row_ptr[node]);
    all.erase(all.begin() + X.row_ptr[node + 1] - lost, all.begin() + X.row_ptr[node + 1]);
  };
  cut(out.col, col);
  cut(out.val, val);
  for (Index i = node + 1; i <= X.rows; ++i) out.row_ptr[i] -= lost;
  return out;
}

// One row of features, as the only node of a data set.
Dataset only_node(const Csr& X, NodeId node, const std::vector<NodeId>& columns) {
  Dataset out;
  out.nodes = 1;
  out.features.rows = 1;
  out.features.cols = X.cols;
  const auto cols = X.row_cols(node);
  const auto vals = X.row_vals(node);
  for (std::size_t e = 0; e < cols.size(); ++e)
    if (std::find(columns.begin(), columns.end(), cols[e]) == columns.end()) {
      out.features.col.push_back(cols[e]);
      out.features.val.push_back(vals[e]);
    }
  out.features.row_ptr.push_back(static_cast<Index>(out.features.col.size()));
  out.labels = {kUnlabelled};
  return out;
}

SparseRow row_of(const Csr& A, Index i) {
  return {{A.row_cols(i).begin(), A.row_cols(i).end()},
          {A.row_vals(i).begin(), A.row_vals(i).end()}};
}

// The rows of a normalised graph that removed links may change: both ends, and where entries are
// divided by the degrees of both sides, all that are linked to them. A random walk needs no other
// rows than these.
std::map<Index, SparseRow> renormalised(const Csr& raw, NodeId node,
                                        const std::vector<NodeId>& others, const GraphOptions& o) {
  std::set<Index> rows = {node};
  rows.insert(others.begin(), others.end());
  const bool walk = o.adjacency == Norm::kRw;
  if (!walk)
    for (const Index i : std::vector<Index>(rows.begin(), rows.end()))
      rows.insert(raw.row_cols(i).begin(), raw.row_cols(i).end());
  const Csr left = without_links(raw, node, others, walk ? rows : std::set<Index>{});
  const Csr N = propagation(left, o.adjacency, o.lazy).forward;
  std::map<Index, SparseRow> out;
  for (const Index i : rows) out.emplace(i, row_of(N, i));
  return out;
}

std::vector<NodeId> present(const Csr& A, NodeId node, const std::vector<NodeId>& others) {
  std::vector<NodeId> out;
  if (A.rows == 0) return out;
  const auto cols = A.row_cols(node);
  for (const NodeId j : others)
    if (std::binary_search(cols.begin(), cols.end(), j)) out.push_back(j);
  return out;
}

void copy_params(const RemovalMember& from, Model& to) {
  for (const auto& node : from.model->tape.nodes()) {
    if (!node->param) continue;
    std::string name = node->param->name;
    if (name.starts_with(from.name + ".")) name = name.substr(from.name.size() + 1);
    for (auto& p : to.params)
      if (p->name == name) p->value = node->param->value;
  }
  to.tape.params_changed();
}

std::vector<double> row_values(const Matrix& m, NodeId i) {
  const auto row = m.row_span(i);
  return {row.begin(), row.end()};
}

}  // namespace

Remover::Remover(const LoadedModel& loaded) : loaded_(loaded) {
  const auto add = [&](std::string name, double weight, std::shared_ptr<const RunConfig> config,
                       const Operands& operands, const Model& model) {
    RemovalMember m{.name = std::move(name),
                    .weight = weight,
                    .config = std::move(config),
                    .operands = &operands,
                    .model = &model,
                    .replay = std::make_unique<RowReplay>(model.log_probs)};
    if (m.config->method->views() & (kTopology | kEdges))
      m.topology = adjacency(loaded.data.nodes, loaded.data.edges, m.config->graph.dup);
    if (operands.A_f) m.similar = links_of(operands.A_f->A);
    members_.push_back(std::move(m));
  };
  if (const auto* several = dynamic_cast<const Ensemble*>(loaded.model.get())) {
    pool_ = true;
    temperature_ = loaded.model->temperature;
    for (const EnsembleMember& e : several->members()) {
      std::vector<Setting> settings;
      for (const auto& [key, value] : e.settings) settings.push_back({key, value, "model file"});
      add(e.name, e.weight, std::make_shared<RunConfig>(settings, loaded.data.name),
          *static_cast<const Operands*>(e.operands.get()), *e.model);
    }
  } else {
    add(loaded.config->run.method, 1,
        std::shared_ptr<const RunConfig>(loaded.config.get(), [](const RunConfig*) {}),
        *loaded.operands, *loaded.model);
  }
}

std::vector<NodeId> Remover::neighbours(NodeId node) const {
  std::set<NodeId> out;
  for (const RemovalMember& m : members_)
    if (m.topology.rows > 0)
      for (const NodeId j : m.topology.row_cols(node))
        if (j != node) out.insert(j);
  return {out.begin(), out.end()};
}

std::vector<NodeId> Remover::similar(NodeId node) const {
  std::set<NodeId> out;
  for (const RemovalMember& m : members_)
    if (m.similar.rows > 0)
      out.insert(m.similar.row_cols(node).begin(), m.similar.row_cols(node).end());
  return {out.begin(), out.end()};
}

std::vector<double> Remover::replayed(RemovalMember& m, NodeId node, const Removal& removal) {
  const std::vector<NodeId> edges = present(m.topology, node, removal.edges);
  const std::vector<NodeId> similar = present(m.similar, node, removal.similar);
  const bool own_graphs = m.config->method->views() & kEdges;  // made in the model itself
  if (!m.replay->supported() || (own_graphs && !edges.empty()))
    return edges.empty() && similar.empty() && removal.features.empty()
               ? row_values(m.model->log_probs.value(), node)
               : evaluated(m, node, removal);
  ChangedRows changed;
  if (!edges.empty() && m.operands->A_t)
    changed[m.operands->A_t.get()] = renormalised(m.topology, node, edges, m.config->graph);
  if (!similar.empty())
    changed[m.operands->A_f.get()] = renormalised(m.similar, node, similar, m.config->graph);
  if (!removal.features.empty()) {
    const Dataset left = only_node(loaded_.data.features, node, removal.features);
    changed[&m.operands->X][node] = row_of(prepare(left, m.config->graph, kNoGraph).X.A, 0);
  }
  return m.replay->row(node, changed);
}

std::vector<double> Remover::evaluated(const RemovalMember& m, NodeId node,
                                       const Removal& removal) {
  const GraphOptions& o = m.config->graph;
  const unsigned views = m.config->method->views();
  Dataset data = loaded_.data;
  data.features = without_features(data.features, node, removal.features);
  Operands operands = prepare(data, o, kNoGraph);
  const Csr topology = m.topology.rows > 0 ? without_links(m.topology, node, removal.edges) : Csr{};
  if (views & kTopology) operands.A_t = normalised(topology, o);
  if (views & kEdges) operands.edges = std::make_unique<Csr>(topology);
  if (views & kFeatureGraph)
    operands.A_f = normalised(without_links(m.similar, node, removal.similar), o);
  const auto model =
      untrained_model(operands, *m.config, static_cast<Index>(loaded_.facts.classes.size()));
  copy_params(m, *model);
  if (!pool_) model->calibrate(m.model->temperature);
  model->evaluate();
  return row_values(model->log_probs.value(), node);
}

std::vector<double> Remover::pooled(const std::vector<std::vector<double>>& log_probs) const {
  std::vector<double> z(log_probs[0].size(), 0.0);
  for (std::size_t c = 0; c < z.size(); ++c) {
    for (std::size_t m = 0; m < members_.size(); ++m)
      z[c] += pool_
                  ? members_[m].weight *
                        std::max(log_probs[m][c], static_cast<double>(kLeastLogProb)) / temperature_
                  : log_probs[m][c];
  }
  const double top = *std::max_element(z.begin(), z.end());
  double total = 0;
  for (double& v : z) total += v = std::exp(v - top);
  for (double& v : z) v /= total;
  return z;
}

std::vector<double> Remover::probabilities(NodeId node, const Removal& removal) {
  std::vector<std::vector<double>> all;
  for (RemovalMember& m : members_) all.push_back(replayed(m, node, removal));
  return pooled(all);
}

std::vector<double> Remover::by_full_evaluation(NodeId node, const Removal& removal) {
  std::vector<std::vector<double>> all;
  for (const RemovalMember& m : members_) all.push_back(evaluated(m, node, removal));
  return pooled(all);
}

}  // namespace scrl
