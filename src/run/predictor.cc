// Predictor of scrl/predictor.h: models of the training data, evaluated once, that models of new
// nodes continue (Tape::continue_from).
#include "scrl/predictor.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/parallel.h"
#include "data/dataset.h"
#include "kernels/rows.h"
#include "linear/stacking.h"
#include "models/registry.h"
#include "run/trained_model.h"
#include "train/new_nodes.h"

namespace scrl {

struct Predictor::State {
  std::vector<std::string> classes;
  Index nodes = 0, features = 0;
  std::vector<ModelPart> parts;  // evaluated
  std::size_t leader = 0;        // of the parts, whose embedding counts
  std::map<std::string, NeighbourFinder> finders;
  std::vector<const NeighbourFinder*> finder_of;  // by part; null: it has no feature graph
  Matrix log_probs, embedding;                    // of neighbour means: those of all nodes
  bool means = false;
  double temperature = 1;  // of the probabilities
};

namespace {

constexpr std::string_view kWhere = "new nodes";

Csr part_of(const CsrView& view, Index rows, Index cols, const char* name) {
  if (view.rows == 0 && view.cols == 0 && view.nnz() == 0) {
    Csr none{.rows = rows, .cols = cols};
    none.row_ptr.assign(static_cast<std::size_t>(rows) + 1, 0);
    return none;
  }
  const std::string where = cat(kWhere, ": ", name);
  if (view.rows != rows || view.cols != cols)
    fail(ErrorKind::kData, where, ": expected ", rows, "x", cols, ", found ", view.rows, "x",
         view.cols);
  validate(view, where.c_str());
  return own_copy(view);
}

// The parts that a model looks at; the others are given up to.
NewRows rows_of(const NewNodes& given, Index nodes, Index features) {
  return {
      .features = part_of(given.features, given.nodes, features, "features"),
      .edges = {.known = part_of(given.edges, given.nodes, nodes, "edges"),
                .own = part_of(given.edges_among, given.nodes, given.nodes, "edges among them")}};
}

// out_i = mean of the rows of X that the entries of row i of A name, all rows if there are none.
Matrix means(const Csr& A, const Matrix& X) {
  Matrix out(A.rows, X.cols());
  std::vector<double> all(static_cast<std::size_t>(X.cols()), 0.0);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index c = 0; c < X.cols(); ++c) all[c] += X(i, c);
  for (Index i = 0; i < A.rows; ++i) {
    std::vector<double> sum(all.size(), 0.0);
    double weight = 0;
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) {
      weight += A.val[e];
      for (Index c = 0; c < X.cols(); ++c) sum[c] += double{A.val[e]} * X(A.col[e], c);
    }
    if (!(weight > 0)) sum = all, weight = static_cast<double>(X.rows());
    for (Index c = 0; c < X.cols(); ++c) out(i, c) = static_cast<float>(sum[c] / weight);
  }
  return out;
}

// softmax(log_probs / temperature)
Matrix probabilities(const Matrix& log_probs, double temperature) {
  Matrix out = log_probs;
  if (temperature != 1) kernels::log_softmax(log_probs, static_cast<float>(1 / temperature), out);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index c = 0; c < out.cols(); ++c) out(i, c) = std::exp(out(i, c));
  return out;
}

Predictions results(std::vector<std::string> classes, const Matrix& probability,
                    const Matrix& embedding) {
  Predictions out{.classes = std::move(classes),
                  .label = {},
                  .probabilities = probability.packed(),
                  .embeddings = embedding.packed(),
                  .embedding_size = embedding.cols()};
  for (Index i = 0; i < probability.rows(); ++i)
    out.label.push_back(static_cast<std::int32_t>(
        std::ranges::max_element(probability.row_span(i)) - probability.row_span(i).begin()));
  return out;
}

}  // namespace

Predictor::Predictor(const TrainedModel& model, const Dataset& data, int threads) {
  const ThreadScope scope(threads);
  validate(data);
  const MethodInfo& info = method_info(model.method());
  if (info.features && !info.new_nodes)
    fail(ErrorKind::kUsage, info.name, " cannot predict new nodes: it knows only those it was ",
         "trained on; train again with them, or use a method that takes new nodes ",
         "('scrl methods NAME' tells)");
  auto state = std::make_unique<State>();
  state->classes = model.classes();
  state->temperature = model.state().facts.temperature;
  state->nodes = data.nodes, state->features = features_of(data).cols;
  state->parts = restore_parts(model.state().file, data);
  state->means = !info.features;
  const auto lighter = [](const ModelPart& a, const ModelPart& b) { return a.weight < b.weight; };
  state->leader = static_cast<std::size_t>(std::ranges::max_element(state->parts, lighter) -
                                           state->parts.begin());
  for (std::size_t p = 0; p < state->parts.size(); ++p) {
    const ModelPart& part = state->parts[p];
    const GraphOptions& graph = part.config->graph;
    part.model->evaluate_for_new(p == state->leader);
    const NeighbourFinder* finder = nullptr;
    if (part.config->method->views() & kFeatureGraph)
      finder =
          &state->finders.try_emplace(NeighbourFinder::key(data, graph), data, graph).first->second;
    state->finder_of.push_back(finder);
  }
  if (state->means) {
    state->log_probs = state->parts.front().model->log_probs.value();
    state->embedding = state->parts.front().model->embedding.value();
    state->parts.clear();
  }
  state_ = std::move(state);
}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

bool Predictor::neighbour_means() const { return state_->means; }

Predictions Predictor::predict(const NewNodes& nodes, int threads) const {
  const ThreadScope scope(threads);
  const State& s = *state_;
  const NewRows rows = rows_of(nodes, s.nodes, s.features);
  if (s.means) {
    if (rows.edges.own.nnz() > 0)
      fail(ErrorKind::kUsage, kWhere, ": the method predicts a new node from its known neighbours ",
           "alone; leave out edges among new nodes");
    return results(s.classes, means(rows.edges.known, probabilities(s.log_probs, s.temperature)),
                   means(rows.edges.known, s.embedding));
  }
  const Index classes = static_cast<Index>(s.classes.size());
  std::map<std::pair<const NeighbourFinder*, int>, Csr> nearest;
  std::vector<Matrix> opinions;
  std::vector<double> weights;
  Matrix embedding;
  for (std::size_t p = 0; p < s.parts.size() && nodes.nodes > 0; ++p) {
    const ModelPart& part = s.parts[p];
    const GraphOptions& graph = part.config->graph;
    const Csr* found = nullptr;
    if (const NeighbourFinder* finder = s.finder_of[p]) {
      const auto [at, first] = nearest.try_emplace({finder, graph.k});
      if (first) at->second = finder->nearest(rows.features, graph.k);
      found = &at->second;
    }
    const NewOperands operands =
        prepare_new(rows, *part.operands, graph, part.config->method->views(), found);
    const auto model = part.config->method->build({.X = operands.X,
                                                   .A_t = operands.A_t.get(),
                                                   .A_f = operands.A_f.get(),
                                                   .edges = part.operands->edges.get(),
                                                   .classes = classes,
                                                   .seed = kDrawNothing,
                                                   .new_edges = &operands.new_edges,
                                                   .known = part.model.get()});
    model->continue_from(*part.model, p == s.leader);
    opinions.push_back(model->log_probs.value());
    weights.push_back(part.weight);
    if (p == s.leader) embedding = model->embedding.value();
  }
  if (nodes.nodes == 0) return results(s.classes, Matrix(0, classes), Matrix());
  if (s.parts.front().name.empty())
    return results(s.classes, probabilities(opinions.front(), s.temperature), embedding);
  Matrix pooled(nodes.nodes, classes);
  std::vector<const Matrix*> members;
  for (const Matrix& o : opinions) members.push_back(&o);
  pool_log_probs(members, weights, pooled);
  return results(s.classes, probabilities(pooled, s.temperature), embedding);
}

}  // namespace scrl
