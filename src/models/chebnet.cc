#include "models/chebnet.h"

#include "graph/laplacian.h"
#include "graph/new_nodes.h"
#include "models/new_operand.h"

namespace scrl {

void bind(OptionSet& set, ChebnetOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layer");
  set.add("degree", o.degree, between(1, 32), "degree K of the polynomials");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share of stored feature values and of hidden units dropped in training");
}

Var Chebnet::filter(Var HW, Index width) const {
  const auto term = [&](int k) { return columns(HW, k * width, width); };
  Var B = term(degree_), next;  // B_k and B_{k+1}
  for (int k = degree_ - 1; k >= 0; --k) {
    Var LB = spmm(L_, B);
    Var sum = term(k) + (k > 0 ? 2.0f * LB : LB);
    if (next.node()) sum = sum + -1.0f * next;
    next = B;
    B = sum;
  }
  return B;
}

Chebnet::Chebnet(const Inputs& in, const ChebnetOptions& o) : degree_(o.degree) {
  if (in.known) {
    largest_eigenvalue_ = dynamic_cast<const Chebnet&>(*in.known).largest_eigenvalue_;
    L_ = new_operand(scaled_laplacian(*in.new_edges, *in.edges, largest_eigenvalue_), in.X.gathers);
  } else {
    L_ = sparse_operand(scaled_laplacian(*in.edges, &largest_eigenvalue_), in.X.gathers);
  }
  const float drop = static_cast<float>(o.dropout);
  const Index d = in.X.A.cols, h = o.hidden1, M = in.classes, terms = o.degree + 1;
  // The matrices of a layer side by side; each is drawn as a layer of its own.
  Var W1 = tape.param(uniform_param("W1", d, terms * h, glorot(d, h), in.seed));
  Var W2 = tape.param(uniform_param("W2", h, terms * M, glorot(h, M), in.seed));
  W2.node()->param->decay = false;

  Var H = relu_dropout(filter(dropout_spmm(in.X, W1, drop), h), drop);
  Var Y = filter(matmul(H, W2), M);
  embedding = H;
  classify(in, Y);
}

}  // namespace scrl
