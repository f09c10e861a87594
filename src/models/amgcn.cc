#include "models/amgcn.h"

#include "kernels/products.h"

namespace scrl {

void bind(OptionSet& set, AmgcnOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the first layer of an encoder");
  set.add("hidden2", o.hidden2, between(1, 65536), "width of the second");
  set.add("dropout", o.dropout, between(0, 0.99), "share of hidden units dropped in training");
  set.add("theta", o.theta, at_least(0), "weight of the consistency of the shared encoder");
  set.add("beta", o.beta, at_least(0), "weight of the independence of own and shared encoders");
}

Amgcn::Encoder Amgcn::encoder(const Inputs& in, const std::string& name) {
  const Index n = in.X.A.rows, d = in.X.A.cols, h1 = o_.hidden1, h2 = o_.hidden2;
  const double r1 = 1 / std::sqrt(h1), r2 = 1 / std::sqrt(h2);
  Var W1 =
      tape.param(uniform_param("W1_" + name, d, h1, r1, in.seed, kernels::gather_layout(d, h1)));
  Var b1 = tape.param(uniform_param("b1_" + name, 1, h1, r1, in.seed));
  Var W2 = tape.param(uniform_param("W2_" + name, h1, h2, r2, in.seed));
  Var b2 = tape.param(uniform_param("b2_" + name, 1, h2, r2, in.seed));
  return {spmm(in.X, W1, kernels::gather_layout(n, h1)), b1, W2, b2};
}

Var Amgcn::apply(const Encoder& e, const SparseOperand& A) const {
  const Index n = A.A.rows;
  const float drop = static_cast<float>(o_.dropout);
  Var AXW = spmm(A, e.XW, kernels::gather_layout(n, o_.hidden1));
  Var HW = hidden_matmul(AXW, e.b1, drop, e.W2, kernels::gather_layout(n, o_.hidden2));
  return add_bias(spmm(A, HW), e.b2);
}

Amgcn::Amgcn(const Inputs& in, const AmgcnOptions& o) : o_(o) {
  const Encoder own_t = encoder(in, "t"), own_f = encoder(in, "f"), shared = encoder(in, "c");
  Var Z_t = apply(own_t, *in.A_t), Z_f = apply(own_f, *in.A_f);
  Var C_t = apply(shared, *in.A_t), C_f = apply(shared, *in.A_f);
  Var Z_c = 0.5f * (C_t + C_f);

  constexpr Index kAttention = 16;
  const Index h = o.hidden2, M = in.classes;
  const double r_h = 1 / std::sqrt(h), r_a = 1 / std::sqrt(kAttention);
  Var W = tape.param(uniform_param("attention_W", h, kAttention, r_h, in.seed));
  Var b = tape.param(uniform_param("attention_b", 1, kAttention, r_h, in.seed));
  Var u = tape.param(uniform_param("attention_u", kAttention, 1, r_a, in.seed));
  const auto score = [&](Var Z) { return matmul(tanh(add_bias(matmul(Z, W), b)), u); };
  Var weights = softmax(concat_columns({score(Z_t), score(Z_f), score(Z_c)}));
  embedding = mix(weights, {Z_t, Z_f, Z_c});

  Var V = tape.param(uniform_param("V", h, M, r_h, in.seed));
  Var a = tape.param(uniform_param("a", 1, M, r_h, in.seed));
  const auto classify = [&](Var Z) { return log_softmax(add_bias(matmul(Z, V), a)); };
  log_probs = classify(embedding);
  if (in.train.empty()) return;

  loss = nll(classify(gather_rows(embedding, in.train)), in.train_labels);
  if (o.theta > 0) {
    const auto unit = [](Var C) { return l2_normalize_rows(center_columns(C)); };
    loss = loss + static_cast<float>(o.theta) * gram_distance(unit(C_t), unit(C_f));
  }
  if (o.beta > 0)
    loss = loss + static_cast<float>(0.5 * o.beta) * (hsic(Z_t, C_t) + hsic(Z_f, C_f));
}

}  // namespace scrl
