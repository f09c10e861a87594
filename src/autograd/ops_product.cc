#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/graph_steps.h"
#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/dropout.h"
#include "kernels/layers.h"
#include "kernels/products.h"
#include "kernels/reduce.h"

namespace scrl {

namespace {

kernels::Cut cut_of(Var x) {
  return x.node()->known ? kernels::Cut::kNever : kernels::Cut::kByShape;
}

// Of the gradient A^T dout of A X: if X is trained itself, its rows are features, and each is a sum
// over nodes; else its rows are nodes, whose sums stay whole.
kernels::Cut gradient_cut(Var X) {
  return X.node()->param ? kernels::Cut::kBlocks : kernels::Cut::kByShape;
}

void check_product(const char* op, Index a_rows, Index a_cols, Var X) {
  check(a_cols == X.rows(), op, ": A is ", a_rows, "x", a_cols, ", so X must have ", a_cols,
        " rows, got ", X.rows(), "x", X.cols());
}

// Forward and backward of a sparse product do the same work with A and its transpose.
Cost spmm_cost(const SparseOperand& S, Var X) {
  const double entries = static_cast<double>(S.A.nnz()), width = static_cast<double>(X.cols());
  const double rows = static_cast<double>(S.A.rows + S.A.cols);
  return {.flops = 2 * entries * width,
          .streamed = rows * width * sizeof(float) + entries * (sizeof(float) + sizeof(NodeId)),
          .gathered = entries * width * gathered_bytes(S.gathers)};
}

Var with_spmm_cost(const SparseOperand& S, Var out) {
  Node& node = *out.node();
  node.sparse.operand = &S;
  node.forward_cost = node.backward_cost = spmm_cost(S, {&out.tape(), node.inputs[0]});
  return out;
}

// C (m,n), inner size k; backward is a product of the same size for each operand that needs it.
Var with_matmul_cost(Var A, Var B, Var C, Index k) {
  const double flops =
      2.0 * static_cast<double>(C.rows()) * static_cast<double>(C.cols()) * static_cast<double>(k);
  const double operands = bytes(A.value()) + bytes(B.value()) + bytes(C.value());
  const int gradients = A.needs_grad() + B.needs_grad();
  C.node()->forward_cost = {.flops = flops, .streamed = operands};
  C.node()->backward_cost = {.flops = gradients * flops, .streamed = gradients * operands};
  return C;
}

// Divides each row of these values on A's pattern by its length; a row of zeros stays.
void unit_rows(const Csr& A, std::span<float> values) {
  parallel_for(A.rows, 1024, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double square = 0.0;
      for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
        square += static_cast<double>(values[e]) * static_cast<double>(values[e]);
      const float scale = static_cast<float>(1.0 / std::max(std::sqrt(square), 1e-12));
      for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) values[e] *= scale;
    }
  });
}

}  // namespace

Var spmm(const SparseOperand& S, Var X, Layout layout) {
  check_product("spmm", S.A.rows, S.A.cols, X);
  const Var product = X.tape().record(
      "spmm", {X}, S.A.rows, X.cols(),
      [&S, X](const Pass&, Matrix& out) { multiply(S, X.value(), X.known(), out, false); },
      [&S, X](const Pass&, const Matrix&, const Matrix& dout) {
        // out[i] += A[i,j] X[j], hence dX[j] += A[i,j] dout[i]
        if (X.defer({&S.At, S.At.val, &dout, S.gathers, spmm_cost(S, X)})) return;
        auto [dX, add] = X.sink();
        kernels::spmm(S.At, dout, dX, add, S.gathers, gradient_cut(X));
      },
      /*random=*/false, layout);
  return with_spmm_cost(S, product);
}

Var spmm_powers(const SparseOperand& S, Var X, int powers) {
  check_product("spmm_powers", S.A.rows, S.A.cols, X);
  check(S.A.rows == S.A.cols, "spmm_powers: A is ", S.A.rows, "x", S.A.cols, ", not square");
  check(powers >= 1, "spmm_powers: powers must be at least 1, got ", powers);
  if (powers == 1) return spmm(S, X);
  // A (x + A (x + ... A (x + A x))) / powers: a product per power, and no power is kept.
  struct Work {
    Matrix sum, next;
  };
  auto work = std::make_shared<Work>();
  // multiply(k, x, out, add) is product number k.
  const auto apply = [work, powers](const Matrix& x, Matrix& out, bool add, const auto& multiply) {
    auto& [sum, next] = *work;
    if (sum.rows() != x.rows())
      for (Matrix* m : {&sum, &next}) *m = Matrix(x.rows(), x.cols(), x.layout());
    kernels::scale(1.0f, x, sum);
    for (int k = 0; k + 1 < powers; ++k) {
      kernels::scale(1.0f, x, next);
      multiply(k, sum, next, /*add=*/true);
      std::swap(sum, next);
    }
    kernels::scale(1.0f / static_cast<float>(powers), sum, sum);
    multiply(powers - 1, sum, out, add);
  };
  auto steps = std::make_shared<GraphSteps>(S, X);
  const Var product = X.tape().record(
      "spmm_powers", {X}, S.A.rows, X.cols(),
      [X, apply, steps](const Pass& pass, Matrix& out) {
        apply(X.value(), out, false, [&](int k, const Matrix& x, Matrix& to, bool more) {
          steps->multiply(pass, k, x, to, more);
        });
      },
      [&S, X, apply](const Pass&, const Matrix&, const Matrix& dout) {
        auto [dX, add] = X.sink();
        apply(dout, dX, add, [&](int, const Matrix& x, Matrix& to, bool more) {
          kernels::spmm(S.At, x, to, more, S.gathers);
        });
      },
      /*random=*/false, X.value().layout());
  Node& node = *product.node();
  steps->belong_to(node);
  for (int k = 0; k < powers; ++k) node.forward_cost += spmm_cost(S, X);
  node.backward_cost = node.forward_cost;
  node.work_floats = 2 * product.value().size();
  node.sparse = {.operand = &S, .products = powers};
  return product;
}

namespace {

// The values that drop(A) has in this step, as the transpose has them.
void drop_and_transpose(const SparseOperand& S, float p, const Rng& rng, std::span<float> out) {
  constexpr Index kPart = 32 * kernels::kDropoutGroup;
  const std::vector<Index>& to = S.places();
  parallel_for(S.A.nnz(), kPart, [&](Index begin, Index end) {
    std::array<float, kPart> kept;
    const auto size = static_cast<std::size_t>(end - begin);
    kernels::dropout_part(std::span(S.A.val).subspan(static_cast<std::size_t>(begin), size), begin,
                          p, rng, std::span(kept).first(size));
    for (std::size_t n = 0; n < size; ++n) out[to[static_cast<std::size_t>(begin) + n]] = kept[n];
  });
}

// drop(A) X; unit: with its rows scaled to length 1, also in evaluation.
Var record_dropout_spmm(const char* op, const SparseOperand& S, Var X, float p, bool unit,
                        Layout layout) {
  // Values of A in this step, and after it those of its transpose: in huge pages, for they are
  // scattered. Dropped values are drawn twice, which is faster than to keep both; rows of length 1
  // are kept, for they depend on all values of a row.
  struct State {
    State(std::size_t entries, bool both)
        : at(entries),
          a(both ? entries : 0),
          transposed(at.data(), entries),
          values(both ? a.data() : at.data(), entries) {}
    Buffer at, a;
    std::span<float> transposed, values;
  };
  auto state = std::make_shared<State>(S.A.val.size(), unit);
  S.places();  // now, not within a step
  const std::uint32_t site = p > 0.0f ? X.tape().new_dropout_site() : 0;
  const Var product = X.tape().record(
      op, {X}, S.A.rows, X.cols(),
      [&S, X, p, unit, site, state](const Pass& pass, Matrix& out) {
        if (pass.training && p > 0.0f) {
          const Rng rng(pass.seed, Purpose::kDropout, site, pass.epoch);
          kernels::dropout(S.A.val, p, rng, state->values);
        } else if (unit) {
          std::copy(S.A.val.begin(), S.A.val.end(), state->values.begin());
        } else {
          return multiply(S, X.value(), X.known(), out, false);
        }
        if (unit) unit_rows(S.A, state->values);
        kernels::spmm(S.A, state->values, X.value(), out, false, S.gathers,
                      S.of_new_nodes ? kernels::Cut::kNever : kernels::Cut::kByShape);
      },
      [&S, X, p, unit, site, state](const Pass& pass, const Matrix&, const Matrix& dout) {
        if (!pass.training && !unit) {
          auto [dX, add] = X.sink();
          return kernels::spmm(S.At, dout, dX, add, S.gathers, gradient_cut(X));
        }
        if (unit) {
          S.transpose_values(state->values, state->transposed);
        } else {
          const Rng rng(pass.seed, Purpose::kDropout, site, pass.epoch);
          drop_and_transpose(S, p, rng, state->transposed);
        }
        if (X.defer({&S.At, state->transposed, &dout, S.gathers, spmm_cost(S, X)})) return;
        auto [dX, add] = X.sink();
        kernels::spmm(S.At, state->transposed, dout, dX, add, S.gathers, gradient_cut(X));
      },
      /*random=*/p > 0.0f, layout);
  product.node()->sparse.kept_bytes = (unit ? 2 : 1) * sizeof(float);
  return with_spmm_cost(S, product);
}

}  // namespace

Var dropout_spmm(const SparseOperand& S, Var X, float p, Layout layout) {
  check_product("dropout_spmm", S.A.rows, S.A.cols, X);
  if (p == 0.0f) return spmm(S, X, layout);
  return record_dropout_spmm("dropout_spmm", S, X, p, /*unit=*/false, layout);
}

Var unit_dropout_spmm(const SparseOperand& S, Var X, float p) {
  check_product("unit_dropout_spmm", S.A.rows, S.A.cols, X);
  check(p >= 0.0f && p < 1.0f, "unit_dropout_spmm: dropout rate must be in [0, 1), got ", p);
  return record_dropout_spmm("unit_dropout_spmm", S, X, p, /*unit=*/true, Layout::kRows);
}

Var matmul(Var A, Var B) {
  check(A.cols() == B.rows(), "matmul: A is ", A.rows(), "x", A.cols(), ", B is ", B.rows(), "x",
        B.cols(), "; the inner sizes differ");
  using kernels::gemm, kernels::Op;
  const Var product = A.tape().record(
      "matmul", {A, B}, A.rows(), B.cols(),
      [A, B](const Pass&, Matrix& C) {
        gemm(Op::kN, A.value(), Op::kN, B.value(), C, false, cut_of(A));
      },
      [A, B](const Pass&, const Matrix&, const Matrix& dC) {
        // C = A B, hence dA += dC B^T and dB += A^T dC
        if (A.needs_grad()) {
          auto [dA, add] = A.sink();
          gemm(Op::kN, dC, Op::kT, B.value(), dA, add);
        }
        if (B.needs_grad()) {
          auto [dB, add] = B.sink();
          gemm(Op::kT, A.value(), Op::kN, dC, dB, add);
        }
      });
  return with_matmul_cost(A, B, product, A.cols());
}

Var matmul_transposed(Var A, Var B) {
  check(A.cols() == B.cols(), "matmul_transposed: A is ", A.rows(), "x", A.cols(), ", B is ",
        B.rows(), "x", B.cols(), "; they must have equally many columns");
  using kernels::gemm, kernels::Op;
  const Var product = A.tape().record(
      "matmul_transposed", {A, B}, A.rows(), B.rows(),
      [A, B](const Pass&, Matrix& C) {
        gemm(Op::kN, A.value(), Op::kT, B.value(), C, false, cut_of(A));
      },
      [A, B](const Pass&, const Matrix&, const Matrix& dC) {
        // C = A B^T, hence dA += dC B and dB += dC^T A
        if (A.needs_grad()) {
          auto [dA, add] = A.sink();
          gemm(Op::kN, dC, Op::kN, B.value(), dA, add);
        }
        if (B.needs_grad()) {
          auto [dB, add] = B.sink();
          gemm(Op::kT, dC, Op::kN, A.value(), dB, add);
        }
      });
  return with_matmul_cost(A, B, product, A.cols());
}

Var hidden_matmul(Var x, Var bias, float p, Var W, Layout layout) {
  check(x.needs_grad() && bias.needs_grad() && W.needs_grad(),
        "hidden_matmul: x, bias and W must depend on parameters");
  check(bias.rows() == 1 && bias.cols() == x.cols() && W.rows() == x.cols(), "hidden_matmul: x is ",
        x.rows(), "x", x.cols(), ", so the bias must be 1x", x.cols(), " and W must have ",
        x.cols(), " rows, got ", bias.rows(), "x", bias.cols(), " and ", W.rows(), "x", W.cols());
  check(p >= 0.0f && p < 1.0f, "hidden_matmul: dropout rate must be in [0, 1), got ", p);
  const std::uint32_t site = p > 0.0f ? x.tape().new_dropout_site() : 0;
  auto bits = std::make_shared<std::vector<std::uint64_t>>(
      static_cast<std::size_t>(x.rows() * kernels::hidden_words(x.cols())));
  const Var product = x.tape().record(
      "hidden_matmul", {x, bias, W}, x.rows(), W.cols(),
      [x, bias, p, W, site, bits](const Pass& pass, Matrix& out) {
        // Without dropout, evaluation leaves its value to the training pass that comes next.
        const bool keep = pass.training || p == 0.0f;
        const Rng rng(pass.seed, Purpose::kDropout, site, pass.epoch);
        kernels::hidden_gemm(x.value(), bias.value(), p, pass.training ? &rng : nullptr, W.value(),
                             keep ? bits->data() : nullptr, out);
      },
      [x, bias, p, W, bits](const Pass& pass, const Matrix&, const Matrix& dout) {
        check(pass.training || p == 0.0f, "hidden_matmul: backward needs a training pass");
        auto [dx, add_x] = x.sink();
        check(!add_x, "hidden_matmul: its input must feed nothing else");
        auto [db, add_b] = bias.sink();
        auto [dW, add_W] = W.sink();
        kernels::hidden_gemm_backward(x.value(), bias.value(), bits->data(),
                                      pass.training ? 1.0f / (1.0f - p) : 1.0f, W.value(), dout,
                                      {dx, db, dW, add_b, add_W});
      },
      p > 0.0f, layout);
  return with_matmul_cost(x, W, product, x.cols());
}

}  // namespace scrl
