#include "models/scrl.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "models/class_likeness.h"

namespace scrl {
namespace {

std::vector<double> class_counts(std::span<const std::int32_t> labels, Index classes) {
  std::vector<double> counts(static_cast<std::size_t>(classes), 0.0);
  for (const std::int32_t y : labels) ++counts[static_cast<std::size_t>(y)];
  return counts;
}

}  // namespace

void bind(OptionSet& set, ScrlOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the first GCN layer");
  set.add("hidden2", o.hidden2, between(1, 65536), "width of the second, per view");
  set.add(
      "dropout", o.dropout, between(0, 0.99),
      "share of hidden units dropped in training; auto: by the labels and what is known of a node");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training; auto: by the labels and what is "
          "known of a node");
  set.add("prototypes", o.prototypes, between(0, 65536),
          "free prototypes B; 0: one per class, anchored to its labels");
  set.add("tau", o.tau, between(1e-4, 1e4), "temperature of the predictions");
  set.add("epsilon", o.epsilon, between(1e-4, 1e4),
          "temperature of the Sinkhorn targets; auto: by the labels and what is known of a node");
  set.add("sinkhorn_iters", o.sinkhorn_iters, between(1, 1000), "Sinkhorn iterations");
  set.add(
      "alpha", o.alpha, between(0, 1e6),
      "weight of the self-supervised loss; auto: by how many nodes are labelled and how evenly");
  set.add("ramp", o.ramp, at_least(0), "epochs over which alpha grows to its value");
  set.add("proto_norm", o.proto_norm, {}, "scale prototypes to length 1 before each step");
  set.add("proto_relu", o.proto_relu, {}, "ReLU on the prototype scores");
  set.add("embed_norm", o.embed_norm, {}, "scale embeddings to length 1 before the prototypes");
  set.add("ss_nodes", o.ss_nodes, one_of({"all", "train"}), "nodes in the self-supervised loss");
  set.add("anchor", o.anchor, between(0, 100),
          "weight of the tie between labelled nodes and the prototypes of their classes");
  set.add("feature_weight", o.feature_weight, between(0, 100),
          "weight of the feature view in the classifier, the topology has 1; auto: 0.3 where views "
          "teach each other classes, more where their labels are uneven, otherwise 1");
  set.add("vote", o.vote, between(0, 100),
          "weight of each view's class prototypes in the prediction, the classifier has 1; auto: 1 "
          "where labels are few or little is known of a node, otherwise 0");
  set.add("likeness", o.likeness, between(0, 100),
          "weight in the targets of how like each class a node is before any training; auto: 0.6 "
          "where few nodes of many are labelled, otherwise 0");
  set.add("steps", o.steps, between(2, 100), "steps over the topology; auto: by its mean degree");
  set.add("class_balance", o.class_balance, between(0, 1),
          "a labelled node weighs n^-class_balance, n the training nodes of its class; 0: nodes "
          "count alike, 1: classes do");
}

std::vector<float> class_weights(const Inputs& in, double balance) {
  const double mean = static_cast<double>(in.train.size()) / static_cast<double>(in.classes);
  std::vector<float> weights;
  for (const double n : class_counts(in.train_labels, in.classes))
    weights.push_back(n == 0 ? 0.0f : static_cast<float>(std::pow(mean / n, balance)));
  return weights;
}

Var Scrl::encoder(const Inputs& in, const SparseOperand& A, int steps, const std::string& view) {
  // The published layers draw weight and bias from U(+-1/sqrt(out)).
  const double r1 = 1 / std::sqrt(o_.hidden1), r2 = 1 / std::sqrt(o_.hidden2);
  const float drop = static_cast<float>(o_.dropout.value_or(0.5));
  const float drop_input = static_cast<float>(o_.input_dropout.value_or(0.5));
  const auto [n, d] = std::pair(in.X.A.rows, in.X.A.cols);
  const Layout wide = kernels::gather_layout(n, o_.hidden1);
  Var W1 = tape.param(uniform_param("W1_" + view, d, o_.hidden1, r1, in.seed,
                                    kernels::gather_layout(d, o_.hidden1)));
  Var b1 = tape.param(uniform_param("b1_" + view, 1, o_.hidden1, r1, in.seed));
  Var W2 = tape.param(uniform_param("W2_" + view, o_.hidden1, o_.hidden2, r2, in.seed));
  Var b2 = tape.param(uniform_param("b2_" + view, 1, o_.hidden2, r2, in.seed));
  Var AXW = spmm(A, dropout_spmm(in.X, W1, drop_input, wide), wide);
  Var HW = hidden_matmul(AXW, b1, drop, W2, kernels::gather_layout(n, o_.hidden2));
  return bias_relu_dropout(spmm_powers(A, HW, steps - 1), b2, drop);
}

Var Scrl::scores(Var Z) {
  Var S = matmul_transposed(o_.embed_norm ? l2_normalize_rows(Z) : Z, tape.param(*C_));
  return o_.proto_relu ? relu(S) : S;
}

Scrl::Scrl(const Inputs& in, const ScrlOptions& o) : o_(o) {
  Var Z_t = encoder(in, *in.A_t, o_.steps.value_or(2), "t");
  Var Z_f = encoder(in, *in.A_f, 2, "f");

  const Index h = o_.hidden2, M = in.classes;
  const double r = 1 / std::sqrt(2 * h);
  Var W = tape.param(uniform_param("W", 2 * h, M, r, in.seed));
  Var b = tape.param(uniform_param("b", 1, M, r, in.seed));
  const auto classify = [&](Var R) { return log_softmax(add_bias(matmul(R, W), b)); };

  const auto join = [&](Var t, Var f) {
    const float beta = static_cast<float>(o_.feature_weight.value_or(1));
    return concat_columns({t, beta == 1 ? f : beta * f});
  };
  embedding = join(Z_t, Z_f);
  log_probs = classify(embedding);
  // Last of the parameters, so that with and without L_ss the others start alike.
  const bool anchored = o_.prototypes == 0;
  const float vote = static_cast<float>(o_.vote.value_or(0));
  const bool votes = anchored && o_.anchor > 0 && vote > 0;  // for a class of their own
  if (o_.alpha != 0.0)
    C_ = &uniform_param("C", anchored ? M : o_.prototypes, h, 1 / std::sqrt(h), in.seed);
  Var S_t, S_f, P_t, P_f;
  if (C_) {
    const float inv_tau = static_cast<float>(1 / o_.tau);
    view_scores = {S_t = scores(Z_t), S_f = scores(Z_f)};
    P_t = log_softmax(S_t, inv_tau), P_f = log_softmax(S_f, inv_tau);
    if (votes) log_probs = log_softmax(log_probs + vote * (P_t + P_f), 1 / (1 + 2 * vote));
  }
  if (in.train.empty()) return;

  // Only labelled rows reach the classifier in training.
  Var Y = classify(join(gather_rows(Z_t, in.train), gather_rows(Z_f, in.train)));
  const std::vector<float> weights = class_weights(in, o_.class_balance);
  loss = nll(Y, in.train_labels, weights);
  if (!C_) return;

  const auto nodes = o_.ss_nodes == "train" ? in.train : std::vector<NodeId>{};
  const float eps = static_cast<float>(o_.epsilon.value_or(0.05));
  const float w = static_cast<float>(o_.likeness.value_or(0));
  Var K_t = S_t, K_f = S_f;
  if (anchored && w > 0) {
    const int steps = o_.steps.value_or(2), walk = 3 * (steps - 1) * (steps - 1);
    Var L = tape.constant(class_likeness(in.X, *in.A_t, walk, in.train, in.train_labels, M));
    K_t = S_t + w * L, K_f = S_f + w * L;
  }
  Var Q_t = sinkhorn(K_t, eps, o_.sinkhorn_iters, nodes);
  Var Q_f = sinkhorn(K_f, eps, o_.sinkhorn_iters, nodes);
  if (anchored && o_.anchor > 0) {
    const auto tie = [&](Var P) { return nll(gather_rows(P, in.train), in.train_labels, weights); };
    loss = loss + static_cast<float>(0.5 * o_.anchor) * (tie(P_t) + tie(P_f));
  }
  Var L_ss = 0.5f * (soft_nll(Q_f, P_t, nodes) + soft_nll(Q_t, P_f, nodes));
  loss = loss + ramped(static_cast<float>(o_.alpha.value_or(1)), o_.ramp, L_ss);
}

void Scrl::begin_epoch(const Pass&) {
  if (!C_ || !o_.proto_norm) return;
  kernels::l2_normalize_rows(C_->value, C_->value, norms_);
  tape.param_changed(*C_);  // an evaluation may have made scores of the old ones
}

}  // namespace scrl
