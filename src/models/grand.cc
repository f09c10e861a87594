#include "models/grand.h"

#include <cmath>

namespace scrl {
namespace {

Matrix equal_weights(int count, double weight) {
  Matrix out(1, count);
  out.fill(static_cast<float>(weight));
  return out;
}

}  // namespace

void bind(OptionSet& set, GrandOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layer");
  set.add("order", o.order, between(0, 1000), "largest power of the adjacency K");
  set.add("augmentations", o.augmentations, between(1, 64),
          "augmentations of the graph per epoch S");
  set.add("dropnode", o.dropnode, between(0, 0.99), "share of nodes dropped in training");
  set.add("dropout", o.dropout, between(0, 0.99), "share of hidden units dropped in training");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training");
  set.add("temperature", o.temperature, between(0.01, 100),
          "of the targets: below 1 sharpens the mean prediction");
  set.add("lambda", o.lambda, at_least(0), "weight of the consistency loss");
}

Grand::Grand(const Inputs& in, const GrandOptions& o) {
  const double r1 = 1 / std::sqrt(o.hidden1), r2 = 1 / std::sqrt(in.classes);
  Var W1 = tape.param(uniform_param("W1", in.X.A.cols, o.hidden1, r1, in.seed));
  Var b1 = tape.param(uniform_param("b1", 1, o.hidden1, r1, in.seed));
  Var W2 = tape.param(uniform_param("W2", o.hidden1, in.classes, r2, in.seed));
  Var b2 = tape.param(uniform_param("b2", 1, in.classes, r2, in.seed));

  const double share = 1.0 / (o.order + 1);
  const auto hidden = [&](Var XW, double weight, double dropout) {
    Var gamma = tape.constant(equal_weights(o.order + 1, weight));
    return bias_relu_dropout(spmm_polynomial(*in.A_t, XW, gamma), b1, static_cast<float>(dropout));
  };
  const auto scores = [&](Var H) { return add_bias(matmul(H, W2), b2); };

  embedding = hidden(spmm(in.X, W1), share, 0.0);
  log_probs = log_softmax(scores(embedding));
  if (in.train.empty()) return;

  const float each = 1.0f / static_cast<float>(o.augmentations);
  std::vector<Var> P;
  for (int s = 0; s < o.augmentations; ++s) {
    Var XW = dropout_spmm(in.X, W1, static_cast<float>(o.input_dropout));
    XW = drop_rows(XW, static_cast<float>(o.dropnode));
    Var Y = scores(hidden(XW, share / (1 - o.dropnode), o.dropout));
    Var known = each * nll(log_softmax(gather_rows(Y, in.train)), in.train_labels);
    loss = loss.node() ? loss + known : known;
    if (o.lambda > 0) P.push_back(softmax(Y));
  }
  if (o.lambda == 0) return;
  Var Q = sharpen(P, static_cast<float>(o.temperature));
  const float weight = static_cast<float>(o.lambda) * each / static_cast<float>(embedding.rows());
  for (const Var& p : P) loss = loss + weight * sum_squares(p + -1.0f * Q);
}

}  // namespace scrl
