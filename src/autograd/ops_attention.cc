#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "kernels/attention.h"
#include "kernels/layers.h"
#include "kernels/products.h"
#include "tensor/buffer.h"

namespace scrl {

Var head_dots(Var g, Var a) {
  const Index heads = a.rows(), f = a.cols();
  check(heads > 0 && g.cols() == heads * f, "head_dots: a is ", heads, "x", f, ", so g must have ",
        heads * f, " columns, got ", g.rows(), "x", g.cols());
  using kernels::gemm, kernels::Op;
  // As a product: column k of `spread` holds a_k in the rows of head k and zeros elsewhere.
  struct State {
    Matrix spread, gradient;
  };
  auto state = std::make_shared<State>();
  state->spread = Matrix(heads * f, heads);
  if (a.needs_grad()) state->gradient = Matrix(heads * f, heads);
  const Var out = g.tape().record(
      "head_dots", {g, a}, g.rows(), heads,
      [g, a, f, state](const Pass&, Matrix& to) {
        for (Index k = 0; k < a.rows(); ++k)
          for (Index c = 0; c < f; ++c) state->spread(k * f + c, k) = a.value()(k, c);
        gemm(Op::kN, g.value(), Op::kN, state->spread, to, false,
             g.node()->known ? kernels::Cut::kNever : kernels::Cut::kByShape);
      },
      [g, a, f, state](const Pass&, const Matrix&, const Matrix& dout) {
        if (g.needs_grad()) {
          auto [dg, add] = g.sink();
          gemm(Op::kN, dout, Op::kT, state->spread, dg, add);
        }
        if (a.needs_grad()) {
          gemm(Op::kT, g.value(), Op::kN, dout, state->gradient);
          auto [da, add] = a.sink();
          for (Index k = 0; k < a.rows(); ++k)
            for (Index c = 0; c < f; ++c)
              da(k, c) = (add ? da(k, c) : 0.0f) + state->gradient(k * f + c, k);
        }
      });
  const double flops = 2.0 * static_cast<double>(g.rows()) * static_cast<double>(g.cols());
  out.node()->forward_cost.flops = flops;
  out.node()->backward_cost.flops = flops * (g.needs_grad() + a.needs_grad());
  return out;
}

namespace {

// Rows of known nodes, then those of the new ones.
Matrix stacked(const Matrix& known, const Matrix& rows) {
  Matrix out(known.rows() + rows.rows(), rows.cols());
  for (Index i = 0; i < known.rows(); ++i) std::ranges::copy(known.row_span(i), out.row(i));
  for (Index i = 0; i < rows.rows(); ++i)
    std::ranges::copy(rows.row_span(i), out.row(known.rows() + i));
  return out;
}

// The entries of new nodes over stacked columns.
Csr side_by_side(const Csr& known, const Csr& rows) {
  Csr out{.rows = rows.rows, .cols = known.cols + rows.cols};
  for (Index i = 0; i < rows.rows; ++i) {
    const auto before = known.row_cols(i);
    out.col.insert(out.col.end(), before.begin(), before.end());
    for (const NodeId j : rows.row_cols(i)) out.col.push_back(static_cast<NodeId>(known.cols + j));
    out.row_ptr.push_back(out.nnz());
  }
  out.val.assign(out.col.size(), 1.0f);
  return out;
}

// Attention of new nodes: the kernel sees one pattern over known and new nodes.
void attend_from_new(const SparseOperand& S, Var s, Var t, Var g, Matrix& out) {
  const Csr pattern = side_by_side(S.known, S.A);
  Buffer weights(static_cast<std::size_t>(kernels::attention_floats(pattern, s.cols())));
  kernels::attention(
      pattern, s.value(), stacked(*t.known(), t.value()), stacked(*g.known(), g.value()), 0.0f,
      nullptr,
      {weights.data(), static_cast<std::size_t>(kernels::attention_floats(pattern, s.cols()))},
      out);
}

}  // namespace

Var attention(const SparseOperand& S, Var s, Var t, Var g, float p) {
  const Index heads = s.cols();
  check(heads > 0 && g.cols() % heads == 0, "attention: s has ", heads,
        " columns, one per head, so g must have a multiple of it, got ", g.cols());
  check(s.rows() == S.A.rows && t.rows() == S.A.cols && g.rows() == S.A.cols && t.cols() == heads,
        "attention: A is ", S.A.rows, "x", S.A.cols, ", so s must be ", S.A.rows, "x", heads,
        ", t ", S.A.cols, "x", heads, " and g must have ", S.A.cols, " rows, got ", s.rows(), "x",
        s.cols(), ", ", t.rows(), "x", t.cols(), " and ", g.rows(), "x", g.cols());
  check(p >= 0.0f && p < 1.0f, "attention: dropout rate must be in [0, 1), got ", p);
  check(s.node() != t.node() && s.node() != g.node() && t.node() != g.node(),
        "attention: s, t and g must be three matrices");
  // Two numbers per entry and head; memory is taken where they are written.
  struct State {
    Buffer weights, slopes;
    std::size_t size;
    std::span<float> all_weights() { return {weights.data(), size}; }
    std::span<float> all_slopes() { return {slopes.data(), size}; }
  };
  auto state = std::make_shared<State>();
  state->size = static_cast<std::size_t>(kernels::attention_floats(S.A, heads));
  state->weights = Buffer(state->size);
  if (s.needs_grad() || t.needs_grad() || g.needs_grad()) {
    state->slopes = Buffer(state->size);
    S.positions();  // now, not within a step
  }
  const std::uint32_t site = p > 0.0f ? s.tape().new_dropout_site() : 0;
  const Var out = s.tape().record(
      "attention", {s, t, g}, S.A.rows, g.cols(),
      [&S, s, t, g, p, site, state](const Pass& pass, Matrix& to) {
        if (S.of_new_nodes) return attend_from_new(S, s, t, g, to);
        const Rng rng(pass.seed, Purpose::kDropout, site, pass.epoch);
        kernels::attention(S.A, s.value(), t.value(), g.value(), p,
                           pass.training && p > 0.0f ? &rng : nullptr, state->all_weights(), to);
      },
      [&S, s, t, g, p, state](const Pass& pass, const Matrix&, const Matrix& dout) {
        kernels::AttentionGradients to = {};
        const auto open = [](Var v, Matrix*& grad, bool& add) {
          if (!v.needs_grad()) return;
          const GradSink sink = v.sink();
          grad = &sink.grad, add = sink.add;
        };
        open(s, to.ds, to.add_ds), open(t, to.dt, to.add_dt), open(g, to.dg, to.add_dg);
        kernels::attention_backward(S.A, S.At, S.positions(), s.value(), t.value(), g.value(),
                                    pass.training ? p : 0.0f, state->all_weights(), dout,
                                    state->all_slopes(), to);
      },
      p > 0.0f);
  // Per entry and head: the score, its exponential and share, and a product of length f.
  const double entries = static_cast<double>(S.A.nnz()), width = static_cast<double>(g.cols());
  const double weights = entries * static_cast<double>(heads), row = width * sizeof(float);
  Node& node = *out.node();
  node.forward_cost.flops = 2 * entries * width + 6 * weights;
  node.forward_cost.streamed += weights * sizeof(float) + entries * sizeof(NodeId);
  node.forward_cost.gathered = entries * row;
  node.backward_cost.flops = 4 * entries * width + 8 * weights;
  node.backward_cost.streamed += 2 * weights * sizeof(float) + 2 * entries * sizeof(NodeId);
  node.backward_cost.gathered = 2 * entries * row;
  return out;
}

}  // namespace scrl
