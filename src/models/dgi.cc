#include "models/dgi.h"

#include "kernels/products.h"
#include "models/linear_probe.h"

namespace scrl {

void bind(OptionSet& set, DgiOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the embedding");
}

Dgi::Dgi(const Inputs& in, const DgiOptions& o) {
  const Index d = in.X.A.cols, h = o.hidden1;
  Var W = tape.param(uniform_param("W", d, h, glorot(d, h), in.seed, kernels::gather_layout(d, h)));
  Var b = tape.param(constant_param("b", 1, h, 0.0f));
  Var slope = tape.param(constant_param("slope", 1, 1, 0.25f));
  // The reference draws W_d as PyTorch fills a bilinear form h x h -> 1: one output, h^2 inputs.
  Var W_d = tape.param(uniform_param("W_d", h, h, glorot(h * h, h), in.seed));
  Var b_d = tape.param(constant_param("b_d", 1, 1, 0.0f));

  const auto encode = [&](Var XW) { return prelu(add_bias(spmm(*in.A_t, XW), b), slope); };
  Var XW = spmm(in.X, W);
  embedding = encode(XW);
  linear_probe(*this, in, embedding, Head::kSoftmax);
  lowest_loss_counts = true;
  if (in.train.empty()) return;

  Var summary = sigmoid(column_means(embedding));
  Var direction = matmul_transposed(summary, W_d);  // (W_d s)^T
  const auto score = [&](Var H) { return add_bias(matmul_transposed(H, direction), b_d); };
  loss = 0.5f * (bce_with_logits(score(embedding), 1.0f) +
                 bce_with_logits(score(encode(shuffle_rows(XW))), 0.0f));
}

}  // namespace scrl
