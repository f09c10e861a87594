#include "models/m3s.h"

#include <algorithm>

#include "base/error.h"
#include "kernels/rows.h"
#include "models/kmeans.h"

namespace scrl {
namespace {

constexpr int kClusterIterations = 30;

double distance2(const float* a, const float* b, Index n) {
  double sum = 0;
  for (Index j = 0; j < n; ++j) sum += (double{a[j]} - b[j]) * (double{a[j]} - b[j]);
  return sum;
}

// The class whose labelled nodes have the mean nearest to each cluster's centre.
std::vector<std::int32_t> classes_of(const Matrix& centres, const Matrix& Z,
                                     const std::vector<NodeId>& nodes,
                                     const std::vector<std::int32_t>& labels, Index classes) {
  Matrix mean(classes, Z.cols());
  std::vector<Index> count(static_cast<std::size_t>(classes), 0);
  for (std::size_t e = 0; e < nodes.size(); ++e) {
    ++count[labels[e]];
    for (Index j = 0; j < Z.cols(); ++j) mean(labels[e], j) += Z(nodes[e], j);
  }
  std::vector<std::int32_t> out;
  for (Index k = 0; k < centres.rows(); ++k) {
    std::int32_t nearest = -1;
    double least = 0;
    for (Index c = 0; c < classes; ++c) {
      if (count[c] == 0) continue;
      if (k == 0)
        for (Index j = 0; j < Z.cols(); ++j) mean(c, j) /= static_cast<float>(count[c]);
      const double d = distance2(centres.row(k), mean.row(c), Z.cols());
      if (nearest < 0 || d < least) nearest = static_cast<std::int32_t>(c), least = d;
    }
    out.push_back(nearest);
  }
  return out;
}

}  // namespace

void bind(OptionSet& set, M3sOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layers");
  set.add("layers", o.layers, between(1, 16),
          "graph convolutions; the fewer labels, the more help");
  set.add("stages", o.stages, between(0, 100), "times that nodes are labelled on the way");
  set.add("clusters", o.clusters, between(1, 65536), "clusters that have to agree");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share of stored feature values and of hidden units dropped in training");
}

std::vector<Index> M3s::quota(const Inputs& in) const {
  const double n = static_cast<double>(in.X.A.rows);
  // The operator has a loop at every node.
  const double degree = std::max(1.0, static_cast<double>(in.A_t->A.nnz()) / n - 1);
  const double reach = 3 * n / std::pow(degree, o_.layers) / std::max(1, o_.stages);
  std::vector<Index> labelled(static_cast<std::size_t>(in.classes), 0);
  for (const std::int32_t c : in.train_labels) ++labelled[c];
  std::vector<Index> out;
  for (const Index count : labelled)
    out.push_back(
        count == 0 ? 0
                   : std::max<Index>(1, static_cast<Index>(reach * static_cast<double>(count) /
                                                           static_cast<double>(in.train.size()))));
  return out;
}

M3s::M3s(const Inputs& in, const M3sOptions& o)
    : o_(o),
      classes_(in.classes),
      train_(in.train),
      train_labels_(in.train_labels),
      stage_epochs_(std::max(1, in.epochs / (o.stages + 1))) {
  quota_ = quota(in);
  scored_from = stage_epochs_ * o.stages + 1;
  const float drop = static_cast<float>(o.dropout);
  const auto weights = [&](int layer, Index rows, Index cols) {
    return tape.param(glorot_param(cat("W", layer), rows, cols, in.seed));
  };
  const bool deep = o.layers > 1;
  Var Y = spmm(*in.A_t,
               dropout_spmm(in.X, weights(1, in.X.A.cols, deep ? o.hidden1 : in.classes), drop));
  embedding = Y;
  for (int layer = 2; layer <= o.layers; ++layer) {
    embedding = relu_dropout(Y, drop);
    const Index out = layer == o.layers ? in.classes : o.hidden1;
    Y = spmm(*in.A_t, matmul(embedding, weights(layer, o.hidden1, out)));
  }
  log_probs = log_softmax(Y);
  unit_embedding_ = l2_normalize_rows(embedding);
  targets_ = &constant_param("targets", in.X.A.rows, 1, -1.0f);
  targets_->trained = targets_->predicts = false;
  if (in.train.empty()) return;
  for (std::size_t e = 0; e < train_.size(); ++e)
    targets_->value(train_[e], 0) = static_cast<float>(train_labels_[e]);
  loss = masked_nll(log_probs, tape.param(*targets_));
  seldom_floats = kmeans_floats(in.X.A.rows, embedding.cols(), o.clusters);
}

void M3s::begin_epoch(const Pass& pass) {
  const int epoch = static_cast<int>(pass.epoch);
  const int stage = std::min(o_.stages, (epoch - 1) / stage_epochs_);
  steps_begin_after = stage * stage_epochs_;
  if (stage == 0 || epoch != steps_begin_after + 1) return;
  label_more(pass.seed, stage);
  start_anew(pass.seed, stage);
  tape.params_changed();
}

void M3s::label_more(std::uint64_t seed, int stage) {
  tape.forward(tape.plan({log_probs, unit_embedding_}), Pass{});
  const Matrix& Z = unit_embedding_.value();
  const Matrix& logp = log_probs.value();
  const Clusters clusters = kmeans(Z, std::min<Index>(o_.clusters, Z.rows()), kClusterIterations,
                                   seed + static_cast<std::uint64_t>(stage));
  const std::vector<std::int32_t> cluster_class =
      classes_of(clusters.centres, Z, train_, train_labels_, classes_);

  std::vector<std::vector<NodeId>> predicted(static_cast<std::size_t>(classes_));
  std::vector<std::int32_t> best;
  kernels::argmax_rows(logp, best);
  for (Index i = 0; i < logp.rows(); ++i)
    if (targets_->value(i, 0) < 0) predicted[best[i]].push_back(static_cast<NodeId>(i));
  for (Index c = 0; c < classes_; ++c) {
    std::vector<NodeId>& nodes = predicted[c];
    const std::size_t most = std::min(nodes.size(), static_cast<std::size_t>(quota_[c]));
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](NodeId a, NodeId b) { return logp(a, c) > logp(b, c); });
    for (std::size_t e = 0; e < most; ++e)
      if (cluster_class[clusters.of[nodes[e]]] == c)
        targets_->value(nodes[e], 0) = static_cast<float>(c);
  }
}

void M3s::start_anew(std::uint64_t seed, int stage) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    Param& p = *params[i];
    if (!p.trained) continue;
    const Rng rng(seed, Purpose::kInit, static_cast<std::uint32_t>(i),
                  static_cast<std::uint32_t>(stage));
    fill_uniform(p.value, glorot(p.value.rows(), p.value.cols()), rng);
  }
}

}  // namespace scrl
