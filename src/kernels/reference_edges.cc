// The scalar twins of kernels over edges, groups and pairs of nodes (see reference.h).
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/dropout.h"
#include "kernels/reference.h"

namespace scrl::reference {
namespace {

double score(const Matrix& s, const Matrix& t, Index i, Index j, Index k) {
  return static_cast<double>(s(i, k)) + static_cast<double>(t(j, k));
}

}  // namespace

void attention(const Csr& A, const Matrix& s, const Matrix& t, const Matrix& g, float p,
               const Rng* rng, std::span<float> weights, Matrix& out) {
  const Index heads = s.cols(), f = g.cols() / heads, slots = kernels::attention_slots(heads);
  const auto rate = kernels::dropout_rate(rng ? p : 0.0f);
  out.fill(0.0f);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index k = 0; k < heads; ++k) {
      const auto e = [&](Index at) {
        const double x = score(s, t, i, A.col[at], k);
        return x > 0.0 ? x : 0.2 * x;
      };
      double top = -INFINITY, sum = 0.0;
      for (Index at = A.row_ptr[i]; at < A.row_ptr[i + 1]; ++at) top = std::max(top, e(at));
      for (Index at = A.row_ptr[i]; at < A.row_ptr[i + 1]; ++at) sum += std::exp(e(at) - top);
      std::vector<double> total(static_cast<std::size_t>(f), 0.0);
      for (Index at = A.row_ptr[i]; at < A.row_ptr[i + 1]; ++at) {
        const double share = std::exp(e(at) - top) / sum;
        const Index element = at * slots + k;
        const bool kept =
            !rng || kernels::dropout_bits(*rng, A.nnz() * slots, 0, element) >= rate.threshold;
        weights[element] = static_cast<float>(kept ? share : -share);
        for (Index c = 0; kept && c < f; ++c)
          total[c] += share * static_cast<double>(rate.scale) * g(A.col[at], k * f + c);
      }
      for (Index c = 0; c < f; ++c) out(i, k * f + c) = static_cast<float>(total[c]);
    }
  }
}

void attention_backward(const Csr& A, const Matrix& s, const Matrix& t, const Matrix& g, float p,
                        std::span<const float> weights, const Matrix& dout,
                        const kernels::AttentionGradients& to) {
  const Index heads = s.cols(), f = g.cols() / heads, slots = kernels::attention_slots(heads);
  const double scale = static_cast<double>(kernels::dropout_rate(p).scale);
  if (!to.add_ds) to.ds->fill(0.0f);
  if (!to.add_dt) to.dt->fill(0.0f);
  if (!to.add_dg) to.dg->fill(0.0f);
  std::vector<double> ds(static_cast<std::size_t>(A.rows * heads), 0.0);
  std::vector<double> dt(static_cast<std::size_t>(A.cols * heads), 0.0);
  std::vector<double> dg(static_cast<std::size_t>(A.cols * heads * f), 0.0);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index k = 0; k < heads; ++k) {
      const auto q = [&](Index at) {
        if (weights[at * slots + k] < 0.0f) return 0.0;
        double dot = 0.0;
        for (Index c = 0; c < f; ++c)
          dot += static_cast<double>(g(A.col[at], k * f + c)) * dout(i, k * f + c);
        return scale * dot;
      };
      double mean = 0.0;
      for (Index at = A.row_ptr[i]; at < A.row_ptr[i + 1]; ++at)
        mean += std::abs(static_cast<double>(weights[at * slots + k])) * q(at);
      for (Index at = A.row_ptr[i]; at < A.row_ptr[i + 1]; ++at) {
        const Index j = A.col[at];
        const double w = weights[at * slots + k];
        const double slope = std::abs(w) * (q(at) - mean) * (score(s, t, i, j, k) > 0 ? 1 : 0.2);
        ds[i * heads + k] += slope;
        dt[j * heads + k] += slope;
        for (Index c = 0; w > 0 && c < f; ++c)
          dg[j * heads * f + k * f + c] += w * scale * dout(i, k * f + c);
      }
    }
  }
  const auto add = [](Matrix& m, const std::vector<double>& values) {
    for (Index i = 0; i < m.rows(); ++i)
      for (Index j = 0; j < m.cols(); ++j)
        m(i, j) = static_cast<float>(m(i, j) + values[i * m.cols() + j]);
  };
  add(*to.ds, ds), add(*to.dt, dt), add(*to.dg, dg);
}

namespace {

// S(a_i, b_j), in double precision.
double similarity(const Matrix& a, Index i, const Matrix& b, Index j, float tau) {
  double dot = 0.0;
  for (Index c = 0; c < a.cols(); ++c) dot += static_cast<double>(a(i, c)) * b(j, c);
  return std::exp(dot / static_cast<double>(tau));
}

}  // namespace

double info_nce(const Matrix& U, const Matrix& V, float tau, std::vector<double>& sums) {
  const Index n = U.rows();
  sums.assign(static_cast<std::size_t>(2 * n), 0.0);
  double loss = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (j != i) sums[i] += similarity(U, i, U, j, tau);
      if (j != i) sums[n + i] += similarity(V, i, V, j, tau);
      sums[i] += similarity(U, i, V, j, tau);
      sums[n + i] += similarity(V, i, U, j, tau);
    }
    const double pair = similarity(U, i, V, i, tau);
    loss += std::log(sums[i] / pair) + std::log(sums[n + i] / pair);
  }
  return loss / (2.0 * static_cast<double>(n));
}

// d/da_i of ln D(a_i) and of every ln D that holds a_i.
void info_nce_backward(const Matrix& U, const Matrix& V, float tau, std::span<const double> sums,
                       float dout, const kernels::InfoNceGradients& gradients) {
  const Index n = U.rows();
  const double share =
      static_cast<double>(dout) / (2.0 * static_cast<double>(n) * static_cast<double>(tau));
  const auto gradient = [&](const Matrix& own, Index own_at, const Matrix& other, Index other_at,
                            Matrix& out, bool add) {
    for (Index i = 0; i < n; ++i) {
      std::vector<double> total(static_cast<std::size_t>(own.cols()), 0.0);
      for (Index j = 0; j < n; ++j) {
        const double inverse = 1.0 / sums[own_at + i];
        const double near =
            i == j ? 0.0 : similarity(own, i, own, j, tau) * (inverse + 1.0 / sums[own_at + j]);
        const double far = similarity(own, i, other, j, tau) * (inverse + 1.0 / sums[other_at + j]);
        for (Index c = 0; c < own.cols(); ++c) total[c] += near * own(j, c) + far * other(j, c);
      }
      for (Index c = 0; c < own.cols(); ++c) {
        const double d = share * (total[c] - 2.0 * static_cast<double>(other(i, c)));
        out(i, c) = static_cast<float>(add ? out(i, c) + d : d);
      }
    }
  };
  if (gradients.dU) gradient(U, 0, V, n, *gradients.dU, gradients.add_dU);
  if (gradients.dV) gradient(V, n, U, 0, *gradients.dV, gradients.add_dV);
}

void grouped_gemm(const kernels::RowGroups& groups, const Matrix& x, Op tw, const Matrix& W,
                  Matrix& out, bool accumulate) {
  const Index height = W.rows() / groups.count();
  if (!accumulate) out.fill(0.0f);
  for (Index g = 0; g < groups.count(); ++g) {
    for (const NodeId i : groups.members(g)) {
      for (Index j = 0; j < out.cols(); ++j) {
        double sum = out(i, j);
        for (Index k = 0; k < x.cols(); ++k) {
          const float w = tw == Op::kN ? W(g * height + k, j) : W(g * height + j, k);
          sum += static_cast<double>(x(i, k)) * w;
        }
        out(i, j) = static_cast<float>(sum);
      }
    }
  }
}

void grouped_gemm_gradient(const kernels::RowGroups& groups, const Matrix& x, const Matrix& dout,
                           Matrix& dW, bool accumulate) {
  const Index height = dW.rows() / groups.count();
  for (Index g = 0; g < groups.count(); ++g) {
    for (Index k = 0; k < height; ++k) {
      for (Index j = 0; j < dW.cols(); ++j) {
        double sum = accumulate ? dW(g * height + k, j) : 0.0;
        for (const NodeId i : groups.members(g)) sum += static_cast<double>(x(i, k)) * dout(i, j);
        dW(g * height + k, j) = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace scrl::reference
