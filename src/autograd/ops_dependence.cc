// How far two embeddings depend on each other or agree, by products as narrow as they are: no
// matrix of n x n. Sums over the rows are taken in double precision (kernels::gram).
#include <numeric>

#include "autograd/ops.h"
#include "base/error.h"
#include "kernels/columns.h"
#include "kernels/products.h"
#include "kernels/reduce.h"

namespace scrl {
namespace {

using kernels::gemm, kernels::Op;

void check_pair(const char* op, Var A, Var B, bool same_width) {
  check(A.rows() == B.rows() && A.rows() > 0 && (!same_width || A.cols() == B.cols()), op,
        ": the first is ", A.rows(), "x", A.cols(), ", the second ", B.rows(), "x", B.cols(),
        same_width ? "; the shapes must agree" : "; they must have equally many rows",
        ", and there must be rows");
}

// gemm or gram with `count` products of n x a x b.
Cost product_cost(Var A, Var B, double count) {
  const double n = static_cast<double>(A.rows()), a = static_cast<double>(A.cols());
  return {.flops = 2 * count * n * a * static_cast<double>(B.cols()),
          .streamed = count * (bytes(A.value()) + bytes(B.value()))};
}

// out = x - column means of x; `mean` (1,h) is for its use.
void center(const Matrix& x, Matrix& mean, Matrix& out) {
  kernels::column_sums(x, mean);
  kernels::scale(1.0f / static_cast<float>(x.rows()), mean, mean);
  kernels::map_columns(x, {.shift = &mean}, out);
}

}  // namespace

Var hsic(Var P, Var Q) {
  check_pair("hsic", P, Q, /*same_width=*/false);
  struct State {
    State(Index n, Index p, Index q)
        : P(n, p),
          Q(n, q),
          mean_p(1, p),
          mean_q(1, q),
          dK(p, q),
          K(static_cast<std::size_t>(p * q)) {}
    Matrix P, Q, mean_p, mean_q, dK;  // P and Q centred
    std::vector<double> K;
  };
  auto s = std::make_shared<State>(P.rows(), P.cols(), Q.cols());
  const Var value = P.tape().record(
      "hsic", {P, Q}, 1, 1,
      [P, Q, s](const Pass&, Matrix& out) {
        // R R = R, hence the value is |K|^2 with K = P^T R R Q
        center(P.value(), s->mean_p, s->P);
        center(Q.value(), s->mean_q, s->Q);
        kernels::gram(s->P, s->Q, s->K);
        out(0, 0) =
            static_cast<float>(std::inner_product(s->K.begin(), s->K.end(), s->K.begin(), 0.0));
      },
      [P, Q, s](const Pass&, const Matrix&, const Matrix& dout) {
        // dK = 2 K dout, dP = R Q dK^T, dQ = R P dK
        const double factor = 2.0 * static_cast<double>(dout(0, 0));
        std::size_t at = 0;
        for (Index i = 0; i < s->dK.rows(); ++i)
          for (Index j = 0; j < s->dK.cols(); ++j)
            s->dK(i, j) = static_cast<float>(factor * s->K[at++]);
        if (P.needs_grad()) {
          auto [dP, add] = P.sink();
          gemm(Op::kN, s->Q, Op::kT, s->dK, dP, add);
        }
        if (Q.needs_grad()) {
          auto [dQ, add] = Q.sink();
          gemm(Op::kN, s->P, Op::kN, s->dK, dQ, add);
        }
      });
  value.node()->forward_cost = product_cost(P, Q, 1);
  value.node()->backward_cost = product_cost(P, Q, P.needs_grad() + Q.needs_grad());
  return value;
}

Var gram_distance(Var U, Var V) {
  check_pair("gram_distance", U, V, /*same_width=*/true);
  const Index h = U.cols();
  struct State {
    State(Index n, Index h)
        : S(n, h),
          D(n, h),
          left(h, h),
          right(h, h),
          SS(static_cast<std::size_t>(h * h)),
          DD(SS),
          SD(SS) {}
    Matrix S, D, left, right;
    std::vector<double> SS, DD, SD;
  };
  auto s = std::make_shared<State>(U.rows(), h);
  const double n2 = static_cast<double>(U.rows()) * static_cast<double>(U.rows());
  // With S = U + V and D = U - V: U U^T - V V^T = (S D^T + D S^T) / 2, hence
  //   n^2 value = ( <S^T S, D^T D> + tr (S^T D)^2 ) / 2,
  // where nothing cancels when U and V are close.
  const Var value = U.tape().record(
      "gram_distance", {U, V}, 1, 1,
      [U, V, h, n2, s](const Pass&, Matrix& out) {
        kernels::scale(1.0f, U.value(), s->S);
        kernels::scale(1.0f, V.value(), s->S, /*accumulate=*/true);
        kernels::scale(1.0f, U.value(), s->D);
        kernels::scale(-1.0f, V.value(), s->D, /*accumulate=*/true);
        kernels::gram(s->S, s->S, s->SS);
        kernels::gram(s->D, s->D, s->DD);
        kernels::gram(s->S, s->D, s->SD);
        double sum = std::inner_product(s->SS.begin(), s->SS.end(), s->DD.begin(), 0.0);
        for (Index i = 0; i < h; ++i)
          for (Index j = 0; j < h; ++j) sum += s->SD[i * h + j] * s->SD[j * h + i];
        out(0, 0) = static_cast<float>(0.5 * sum / n2);
      },
      [U, V, h, n2, s](const Pass&, const Matrix&, const Matrix& dout) {
        // n^2/2 dU = S (D^T U) + D (S^T U), n^2/2 dV = -S (D^T V) - D (S^T V). As U = (S + D)/2 and
        // V = (S - D)/2, the inner products are sums of those that the value is made of.
        const double factor = static_cast<double>(dout(0, 0)) / n2;
        const auto add_gradient = [&](Var X, double sign) {
          for (Index i = 0; i < h; ++i)
            for (Index j = 0; j < h; ++j) {
              const Index at = i * h + j;
              s->left(i, j) = static_cast<float>(factor * (sign * s->SD[j * h + i] + s->DD[at]));
              s->right(i, j) = static_cast<float>(factor * (sign * s->SS[at] + s->SD[at]));
            }
          auto [dX, add] = X.sink();
          gemm(Op::kN, s->S, Op::kN, s->left, dX, add);
          gemm(Op::kN, s->D, Op::kN, s->right, dX, /*accumulate=*/true);
        };
        if (U.needs_grad()) add_gradient(U, 1.0);
        if (V.needs_grad()) add_gradient(V, -1.0);
      });
  value.node()->forward_cost = product_cost(U, V, 3);
  value.node()->backward_cost = product_cost(U, V, 2 * (U.needs_grad() + V.needs_grad()));
  return value;
}

}  // namespace scrl
