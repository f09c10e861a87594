#include "models/scrl_paper.h"

#include <cmath>

#include "kernels/rows.h"
#include "models/gcn_encoder.h"

namespace scrl {

void bind(OptionSet& set, ScrlPaperOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the first GCN layer");
  set.add("hidden2", o.hidden2, between(1, 65536), "width of the second, per view");
  set.add("dropout", o.dropout, between(0, 0.99), "share of hidden units dropped in training");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training");
  set.add("prototypes", o.prototypes, between(1, 65536), "number of prototypes, B");
  set.add("tau", o.tau, between(1e-4, 1e4), "temperature of the predictions");
  set.add("epsilon", o.epsilon, between(1e-4, 1e4), "temperature of the Sinkhorn targets");
  set.add("sinkhorn_iters", o.sinkhorn_iters, between(1, 1000), "Sinkhorn iterations");
  set.add("alpha", o.alpha, between(0, 1e6), "weight of the self-supervised loss");
  set.add("proto_norm", o.proto_norm, {}, "scale prototypes to length 1 before each step");
  set.add("proto_relu", o.proto_relu, {}, "ReLU on the prototype scores");
  set.add("embed_norm", o.embed_norm, {}, "scale embeddings to length 1 before the prototypes");
  set.add("ss_nodes", o.ss_nodes, "nodes in the self-supervised loss");
}

Var ScrlPaper::scores(Var Z) {
  Var S = matmul_transposed(o_.embed_norm ? l2_normalize_rows(Z) : Z, tape.param(*C_));
  return o_.proto_relu ? relu(S) : S;
}

ScrlPaper::ScrlPaper(const Inputs& in, const ScrlPaperOptions& o) : o_(o) {
  const EncoderOptions encoder = {o.hidden1, o.hidden2, o.dropout, o.input_dropout};
  Var Z_t = gcn_encoder(*this, in, *in.A_t, encoder, "t");
  Var Z_f = gcn_encoder(*this, in, *in.A_f, encoder, "f");

  const Index h = o.hidden2, M = in.classes;
  const double r = 1 / std::sqrt(2 * h);
  Var W = tape.param(uniform_param("W", 2 * h, M, r, in.seed));
  Var b = tape.param(uniform_param("b", 1, M, r, in.seed));
  const auto classify = [&](Var R) { return log_softmax(add_bias(matmul(R, W), b)); };
  embedding = concat_columns({Z_t, Z_f});
  log_probs = classify(embedding);
  // Last of the parameters, so that with and without L_ss the others start alike.
  Var P_t, P_f;
  if (o.alpha != 0.0) {
    C_ = &uniform_param("C", o.prototypes, h, 1 / std::sqrt(h), in.seed);
    view_scores = {scores(Z_t), scores(Z_f)};
    const float inv_tau = static_cast<float>(1 / o.tau);
    P_t = log_softmax(view_scores[0], inv_tau), P_f = log_softmax(view_scores[1], inv_tau);
  }
  if (in.train.empty()) return;

  // Only labelled rows reach the classifier in training.
  Var Y = classify(concat_columns({gather_rows(Z_t, in.train), gather_rows(Z_f, in.train)}));
  loss = nll(Y, in.train_labels);
  if (!C_) return;

  const auto nodes = o.ss_nodes == SelfSupervisedNodes::kTrain ? in.train : std::vector<NodeId>{};
  const float eps = static_cast<float>(o.epsilon);
  Var Q_t = sinkhorn(view_scores[0], eps, o.sinkhorn_iters, nodes);
  Var Q_f = sinkhorn(view_scores[1], eps, o.sinkhorn_iters, nodes);
  Var L_ss = 0.5f * (soft_nll(Q_f, P_t, nodes) + soft_nll(Q_t, P_f, nodes));
  loss = loss + static_cast<float>(o.alpha) * L_ss;
}

void ScrlPaper::begin_epoch(const Pass&) {
  if (!C_ || !o_.proto_norm) return;
  kernels::l2_normalize_rows(C_->value, C_->value, norms_);
  tape.param_changed(*C_);  // an evaluation may have made scores of the old ones
}

}  // namespace scrl
