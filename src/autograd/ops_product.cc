#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/kernels.h"

namespace scrl {

SparseOperand sparse_operand(Csr a) {
  SparseOperand out;
  out.At = transpose(a);
  out.A = std::move(a);
  return out;
}

namespace {

void check_product(const char* op, Index a_rows, Index a_cols, Var X) {
  check(a_cols == X.rows(), op, ": A is ", a_rows, "x", a_cols, ", so X must have ", a_cols,
        " rows, got ", X.rows(), "x", X.cols());
}

// Position in A of every entry of A^T, so that a mask drawn for A can be applied to A^T.
std::vector<Index> transpose_positions(const Csr& a, const Csr& at) {
  std::vector<Index> from(a.col.size()), next(at.row_ptr.begin(), at.row_ptr.end() - 1);
  for (Index i = 0; i < a.rows; ++i)
    for (Index e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) from[next[a.col[e]]++] = e;
  return from;
}

}  // namespace

Var spmm(const SparseOperand& S, Var X) {
  check_product("spmm", S.A.rows, S.A.cols, X);
  return X.tape().record(
      "spmm", {X}, S.A.rows, X.cols(),
      [&S, X](const Pass&, Matrix& out) { kernels::spmm(S.A, X.value(), out); },
      [&S, X](const Pass&, const Matrix&, const Matrix& dout) {
        // out[i] += A[i,j] X[j], hence dX[j] += A[i,j] dout[i]
        auto [dX, add] = X.sink();
        kernels::spmm(S.At, dout, dX, add);
      });
}

Var dropout_spmm(const SparseOperand& S, Var X, float p) {
  check_product("dropout_spmm", S.A.rows, S.A.cols, X);
  if (p == 0.0f) return spmm(S, X);
  struct State {
    std::vector<Index> from;
    std::vector<float> values, transposed;
  };
  auto state = std::make_shared<State>();
  state->from = transpose_positions(S.A, S.At);
  state->values.resize(S.A.val.size());
  state->transposed.resize(S.A.val.size());
  const std::uint32_t site = X.tape().new_dropout_site();
  return X.tape().record(
      "dropout_spmm", {X}, S.A.rows, X.cols(),
      [&S, X, p, site, state](const Pass& pass, Matrix& out) {
        if (!pass.training) return kernels::spmm(S.A, X.value(), out);
        const Rng rng(pass.seed, Purpose::kDropout, site, pass.epoch);
        kernels::dropout(S.A.val, p, rng, state->values);
        kernels::spmm(S.A, state->values, X.value(), out);
      },
      [&S, X, state](const Pass& pass, const Matrix&, const Matrix& dout) {
        auto [dX, add] = X.sink();
        if (!pass.training) return kernels::spmm(S.At, dout, dX, add);
        parallel_for(S.A.nnz(), 1 << 16, [&](Index begin, Index end) {
          for (Index e = begin; e < end; ++e) state->transposed[e] = state->values[state->from[e]];
        });
        kernels::spmm(S.At, state->transposed, dout, dX, add);
      },
      /*random=*/true);
}

Var matmul(Var A, Var B) {
  check(A.cols() == B.rows(), "matmul: A is ", A.rows(), "x", A.cols(), ", B is ", B.rows(), "x",
        B.cols(), "; the inner sizes differ");
  using kernels::gemm, kernels::Op;
  return A.tape().record(
      "matmul", {A, B}, A.rows(), B.cols(),
      [A, B](const Pass&, Matrix& C) { gemm(Op::kN, A.value(), Op::kN, B.value(), C); },
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
}

Var matmul_transposed(Var A, Var B) {
  check(A.cols() == B.cols(), "matmul_transposed: A is ", A.rows(), "x", A.cols(), ", B is ",
        B.rows(), "x", B.cols(), "; they must have equally many columns");
  using kernels::gemm, kernels::Op;
  return A.tape().record(
      "matmul_transposed", {A, B}, A.rows(), B.rows(),
      [A, B](const Pass&, Matrix& C) { gemm(Op::kN, A.value(), Op::kT, B.value(), C); },
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
}

}  // namespace scrl
