#include "models/scrl.h"

#include <cmath>

#include "kernels/rows.h"
#include "models/gcn_encoder.h"

namespace scrl {
namespace {

constexpr float kTau = 0.3f, kEpsilon = 0.03f;  // temperatures of predictions and of targets
constexpr float kBeta = 0.3f;                   // weight of the feature view in the classifier
constexpr int kHops = 4, kSinkhornIterations = 3, kRampEpochs = 20;

// n_c^-1/2 for n_c labelled nodes of class c, 1 for a class of mean size.
std::vector<float> class_weights(const Inputs& in) {
  std::vector<double> counts(static_cast<std::size_t>(in.classes), 0.0);
  for (const std::int32_t y : in.train_labels) ++counts[static_cast<std::size_t>(y)];
  const double mean = static_cast<double>(in.train.size()) / static_cast<double>(in.classes);
  std::vector<float> weights;
  for (const double n : counts)
    weights.push_back(n == 0 ? 0.0f : static_cast<float>(std::sqrt(mean / n)));
  return weights;
}

}  // namespace

void bind(OptionSet& set, ScrlOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the first GCN layer");
  set.add("hidden2", o.hidden2, between(1, 65536), "width of the second, per view");
  set.add("dropout", o.dropout, between(0, 0.99), "share of hidden units dropped in training");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training");
  set.add("alpha", o.alpha, between(0, 1e6), "weight of the self-supervised loss");
}

Scrl::Scrl(const Inputs& in, const ScrlOptions& o) {
  EncoderOptions encoder = {o.hidden1, o.hidden2, o.dropout, o.input_dropout, kHops};
  Var Z_t = gcn_encoder(*this, in, *in.A_t, encoder, "t");
  encoder.hops = 1;
  Var Z_f = gcn_encoder(*this, in, *in.A_f, encoder, "f");

  const Index h = o.hidden2, M = in.classes;
  const double r = 1 / std::sqrt(2 * h);
  Var W = tape.param(uniform_param("W", 2 * h, M, r, in.seed));
  Var b = tape.param(uniform_param("b", 1, M, r, in.seed));
  C_ = &uniform_param("C", M, h, 1 / std::sqrt(h), in.seed);
  Var C = tape.param(*C_);
  const auto join = [](Var t, Var f) { return concat_columns({t, kBeta * f}); };
  const auto classify = [&](Var Z) { return log_softmax(add_bias(matmul(Z, W), b)); };
  Var S_t = matmul_transposed(l2_normalize_rows(Z_t), C);
  Var S_f = matmul_transposed(l2_normalize_rows(Z_f), C);
  Var P_t = log_softmax(S_t, 1 / kTau), P_f = log_softmax(S_f, 1 / kTau);
  view_scores = {S_t, S_f};
  embedding = join(Z_t, Z_f);
  log_probs = log_softmax(classify(embedding) + (P_t + P_f), 1.0f / 3);
  if (in.train.empty()) return;

  const std::vector<float> weights = class_weights(in);
  const auto labelled = [&](Var P) { return nll(P, in.train_labels, weights); };
  // Only labelled rows reach the classifier in training.
  Var Y = classify(join(gather_rows(Z_t, in.train), gather_rows(Z_f, in.train)));
  Var L_proto = labelled(gather_rows(P_t, in.train)) + labelled(gather_rows(P_f, in.train));
  loss = labelled(Y) + 0.5f * L_proto;
  if (o.alpha == 0.0) return;
  Var Q_t = sinkhorn(S_t, kEpsilon, kSinkhornIterations);
  Var Q_f = sinkhorn(S_f, kEpsilon, kSinkhornIterations);
  Var L_ss = 0.5f * (soft_nll(Q_f, P_t) + soft_nll(Q_t, P_f));
  loss = loss + ramped(static_cast<float>(o.alpha), kRampEpochs, L_ss);
}

// C has unit rows before each step, so S_v are cosines up to one step of the optimizer.
void Scrl::begin_epoch(const Pass&) {
  kernels::l2_normalize_rows(C_->value, C_->value, norms_);
  tape.param_changed(*C_);  // an evaluation may have made scores of the old ones
}

}  // namespace scrl
