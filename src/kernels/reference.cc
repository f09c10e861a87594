// Long because it is the scalar twins of most kernels, a few lines each.
#include "kernels/reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/dropout.h"

namespace scrl::reference {
namespace {

void put(float& to, double value, bool accumulate) {
  to = static_cast<float>(accumulate ? static_cast<double>(to) + value : value);
}

template <class F>
void for_elements(const Matrix& x, const F& f) {
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) f(i, j);
  }
}

float dropped(float x, const kernels::DropoutRate& rate, const Rng& rng, Index columns, Index i,
              Index j) {
  return kernels::dropout_bits(rng, columns, i, j) >= rate.threshold ? x * rate.scale : 0.0f;
}

}  // namespace

void spmm(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
          bool accumulate) {
  for_elements(out, [&](Index i, Index j) {
    double sum = 0.0;
    for (Index k = A.row_ptr[i]; k < A.row_ptr[i + 1]; ++k) {
      sum += static_cast<double>(values[k]) * X(A.col[k], j);
    }
    put(out(i, j), sum, accumulate);
  });
}

Matrix in_bf16(const Matrix& X) {
  Matrix out(X.rows(), X.cols());
  for_elements(X, [&](Index i, Index j) {
    int exponent = 0;
    const float significand = std::frexp(X(i, j), &exponent);  // in [1/2, 1)
    out(i, j) = std::ldexp(std::nearbyint(significand * 256.0f), exponent - 8);
  });
  return out;
}

void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate) {
  spmm(A, A.val, X, out, accumulate);
}

void gemm(Op ta, const Matrix& A, Op tb, const Matrix& B, Matrix& C, bool accumulate) {
  const Index depth = ta == Op::kN ? A.cols() : A.rows();
  for_elements(C, [&](Index i, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < depth; ++k) {
      const double a = ta == Op::kN ? A(i, k) : A(k, i);
      sum += a * (tb == Op::kN ? B(k, j) : B(j, k));
    }
    put(C(i, j), sum, accumulate);
  });
}

void bias_relu_dropout(const Matrix& x, const Matrix* bias, float p, const Rng* rng, Matrix& out) {
  const auto rate = kernels::dropout_rate(p);
  for_elements(x, [&](Index i, Index j) {
    const float v = std::max(0.0f, bias ? x(i, j) + (*bias)(0, j) : x(i, j));
    out(i, j) = rng ? dropped(v, rate, *rng, x.cols(), i, j) : v;
  });
}

void bias_relu_dropout_backward(const Matrix& out, const Matrix& dout, float scale, Matrix& dx,
                                bool accumulate) {
  for_elements(out, [&](Index i, Index j) {
    put(dx(i, j), out(i, j) > 0.0f ? dout(i, j) * scale : 0.0f, accumulate);
  });
}

// Bit k % 64 of word k / 64 of row i tells whether element (i, k) of the layer is not zero.
void hidden_gemm(const Matrix& x, const Matrix& bias, float p, const Rng* rng, const Matrix& W,
                 std::uint64_t* bits, Matrix& out) {
  Matrix H(x.rows(), x.cols());
  bias_relu_dropout(x, &bias, p, rng, H);
  reference::gemm(Op::kN, H, Op::kN, W, out);
  if (bits == nullptr) return;
  const Index words = kernels::hidden_words(x.cols());
  std::fill_n(bits, x.rows() * words, 0u);
  for_elements(H, [&](Index i, Index k) {
    if (H(i, k) != 0.0f) bits[i * words + k / 64] |= std::uint64_t{1} << (k % 64);
  });
}

// H = factor * (x + bias) where marked; dW = H^T dout; dx = factor * dout W^T where marked.
void hidden_gemm_backward(const Matrix& x, const Matrix& bias, const std::uint64_t* bits,
                          float factor, const Matrix& W, const Matrix& dout,
                          HiddenGradients gradients) {
  const Index words = kernels::hidden_words(x.cols());
  const auto marked = [&](Index i, Index k) { return bits[i * words + k / 64] >> (k % 64) & 1; };
  Matrix H(x.rows(), x.cols());
  for_elements(H, [&](Index i, Index k) {
    H(i, k) = marked(i, k) ? factor * (x(i, k) + bias(0, k)) : 0.0f;
  });
  reference::gemm(Op::kT, H, Op::kN, dout, gradients.dW, gradients.add_dW);
  reference::gemm(Op::kN, dout, Op::kT, W, gradients.dx);
  for_elements(x, [&](Index i, Index k) { gradients.dx(i, k) *= marked(i, k) ? factor : 0.0f; });
  column_sums(gradients.dx, gradients.dbias, gradients.add_dbias);
}

void dropout(const Matrix& x, float p, const Rng& rng, Matrix& out, bool accumulate) {
  const auto rate = kernels::dropout_rate(p);
  for_elements(x, [&](Index i, Index j) {
    put(out(i, j), dropped(x(i, j), rate, rng, x.cols(), i, j), accumulate);
  });
}

void dropout(std::span<const float> x, float p, const Rng& rng, std::span<float> out) {
  const auto rate = kernels::dropout_rate(p);
  const Index size = static_cast<Index>(x.size());
  for (Index j = 0; j < size; ++j) out[j] = dropped(x[j], rate, rng, size, 0, j);
}

void add_bias(const Matrix& x, const Matrix& bias, Matrix& out) {
  for_elements(x, [&](Index i, Index j) { out(i, j) = x(i, j) + bias(0, j); });
}

void relu(const Matrix& x, Matrix& out) {
  for_elements(x, [&](Index i, Index j) { out(i, j) = std::max(0.0f, x(i, j)); });
}

void relu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  bias_relu_dropout_backward(out, dout, 1.0f, dx, accumulate);
}

void log_softmax(const Matrix& x, float s, Matrix& out) {
  for (Index i = 0; i < x.rows(); ++i) {
    double top = -INFINITY, sum = 0.0;
    const auto scaled = [&](Index j) { return static_cast<double>(s) * x(i, j); };
    for (Index j = 0; j < x.cols(); ++j) top = std::max(top, scaled(j));
    for (Index j = 0; j < x.cols(); ++j) sum += std::exp(scaled(j) - top);
    for (Index j = 0; j < x.cols(); ++j) {
      out(i, j) = static_cast<float>(scaled(j) - top - std::log(sum));
    }
  }
}

void log_softmax_backward(const Matrix& L, const Matrix& dL, float s, Matrix& dx, bool accumulate) {
  for (Index i = 0; i < L.rows(); ++i) {
    double sum = 0.0;
    for (Index j = 0; j < L.cols(); ++j) sum += dL(i, j);
    for (Index j = 0; j < L.cols(); ++j) {
      put(dx(i, j), s * (dL(i, j) - std::exp(static_cast<double>(L(i, j))) * sum), accumulate);
    }
  }
}

void l2_normalize_rows(const Matrix& x, Matrix& out, std::vector<float>& norms) {
  norms.resize(static_cast<std::size_t>(x.rows()));
  for (Index i = 0; i < x.rows(); ++i) {
    double sum = 0.0;
    for (Index j = 0; j < x.cols(); ++j) sum += static_cast<double>(x(i, j)) * x(i, j);
    norms[i] = static_cast<float>(std::sqrt(sum));
    for (Index j = 0; j < x.cols(); ++j) out(i, j) = x(i, j) / std::max(norms[i], 1e-12f);
  }
}

void l2_normalize_rows_backward(const Matrix& out, const std::vector<float>& norms,
                                const Matrix& dout, Matrix& dx, bool accumulate) {
  for (Index i = 0; i < out.rows(); ++i) {
    double along = 0.0;
    for (Index j = 0; j < out.cols(); ++j) along += static_cast<double>(out(i, j)) * dout(i, j);
    for (Index j = 0; j < out.cols(); ++j) {
      put(dx(i, j), (dout(i, j) - out(i, j) * along) / std::max(norms[i], 1e-12f), accumulate);
    }
  }
}

void argmax_rows(const Matrix& x, std::vector<std::int32_t>& out) {
  out.resize(static_cast<std::size_t>(x.rows()));
  for (Index i = 0; i < x.rows(); ++i) {
    out[i] = 0;
    for (Index j = 1; j < x.cols(); ++j) {
      if (x(i, j) > x(i, out[i])) out[i] = static_cast<std::int32_t>(j);
    }
  }
}

void column_sums(const Matrix& x, Matrix& out, bool accumulate) {
  for (Index j = 0; j < x.cols(); ++j) {
    double sum = 0.0;
    for (Index i = 0; i < x.rows(); ++i) sum += x(i, j);
    put(out(0, j), sum, accumulate);
  }
}

double dot(const Matrix& x, const Matrix& y) {
  double sum = 0.0;
  for_elements(x, [&](Index i, Index j) { sum += static_cast<double>(x(i, j)) * y(i, j); });
  return sum;
}

bool all_finite(const Matrix& x) {
  bool finite = true;
  for_elements(x, [&](Index i, Index j) { finite = finite && std::isfinite(x(i, j)); });
  return finite;
}

void scale(float a, const Matrix& x, Matrix& y, bool accumulate) {
  for_elements(
      x, [&](Index i, Index j) { put(y(i, j), static_cast<double>(a) * x(i, j), accumulate); });
}

void adam(const AdamStep& step, const Matrix& grad, Matrix& w, Matrix& m, Matrix& v) {
  for_elements(grad, [&](Index i, Index j) {
    const double g = grad(i, j) + step.weight_decay * w(i, j);
    const double first = step.beta1 * m(i, j) + (1.0 - step.beta1) * g;
    const double second = step.beta2 * v(i, j) + (1.0 - step.beta2) * g * g;
    const double divisor = std::sqrt(second / step.correction2) + step.epsilon;
    w(i, j) = static_cast<float>(w(i, j) - step.lr * (first / step.correction1) / divisor);
    m(i, j) = static_cast<float>(first);
    v(i, j) = static_cast<float>(second);
  });
}

void sinkhorn(const Matrix& z, float eps, int iterations, std::span<const NodeId> rows, Matrix& Q) {
  std::vector<NodeId> chosen(rows.begin(), rows.end());
  if (rows.empty()) {
    chosen.resize(static_cast<std::size_t>(z.rows()));
    std::iota(chosen.begin(), chosen.end(), 0);
  }
  const Index n = static_cast<Index>(chosen.size()), B = z.cols();
  std::vector<double> K(static_cast<std::size_t>(n * B));
  for (Index i = 0; i < n; ++i) {
    for (Index b = 0; b < B; ++b) {
      K[i * B + b] = std::exp(static_cast<double>(z(chosen[i], b)) / static_cast<double>(eps));
    }
  }
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (Index b = 0; b < B; ++b) {
      double sum = 0.0;
      for (Index i = 0; i < n; ++i) sum += K[i * B + b];
      for (Index i = 0; i < n; ++i) K[i * B + b] /= sum * static_cast<double>(B);
    }
    for (Index i = 0; i < n; ++i) {
      double sum = 0.0;
      for (Index b = 0; b < B; ++b) sum += K[i * B + b];
      for (Index b = 0; b < B; ++b) K[i * B + b] /= sum * static_cast<double>(n);
    }
  }
  Q.fill(0.0f);
  for (Index i = 0; i < n; ++i) {
    for (Index b = 0; b < B; ++b) {
      Q(chosen[i], b) = static_cast<float>(static_cast<double>(n) * K[i * B + b]);
    }
  }
}

float skipgram_step(float* v, float* table, Index stride, const StepTargets& targets, float lr,
                    bool want_loss) {
  std::vector<double> g, e(static_cast<std::size_t>(stride));
  double loss = 0.0;
  for (std::uint32_t k = 0; k < targets.count; ++k) {
    const float* w = table + targets.row[k] * stride;
    double x = 0.0;
    for (Index j = 0; j < stride; ++j) x += double{v[j]} * double{w[j]};
    x = std::clamp(x, -80.0, 80.0);
    const double positive = targets.positive[k], total = targets.total[k];
    g.push_back(lr * (positive - total / (1.0 + std::exp(-x))));
    loss += positive * std::log1p(std::exp(-x)) + (total - positive) * std::log1p(std::exp(x));
  }
  for (std::uint32_t k = 0; k < targets.count; ++k) {
    float* w = table + targets.row[k] * stride;
    for (Index j = 0; j < stride; ++j) {
      e[static_cast<std::size_t>(j)] += g[k] * double{w[j]};
      w[j] = static_cast<float>(w[j] + g[k] * double{v[j]});
    }
  }
  for (Index j = 0; j < stride; ++j)
    v[j] = static_cast<float>(v[j] + e[static_cast<std::size_t>(j)]);
  return want_loss ? static_cast<float>(loss) : 0.0f;
}

void skipgram_merge(float* base, std::span<const float* const> copies, float factor, Index stride) {
  for (Index j = 0; j < stride; ++j) {
    double change = 0.0;
    for (const float* copy : copies) change += double{copy[j]} - double{base[j]};
    base[j] = static_cast<float>(base[j] + factor * change);
  }
}

bool block_dots(std::span<const NodeId> columns, std::span<const float> values, const float* block,
                float scale, const float* threshold, float* dots) {
  bool any = false;
  for (Index r = 0; r < kernels::kDotBlock; ++r) {
    dots[r] = 0;
    for (std::size_t e = 0; e < columns.size(); ++e)
      dots[r] += values[e] * block[columns[e] * kernels::kDotBlock + r];
    any |= dots[r] * scale > threshold[r];
  }
  return any;
}

void panel_product(const double* a, Index row_step, Index step, Index m, Index k, const double* b,
                   double* c, bool accumulate) {
  constexpr Index n = kernels::kDoublePanel;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      double sum = accumulate ? c[i * n + j] : 0;
      for (Index l = 0; l < k; ++l) sum += a[i * row_step + l * step] * b[l * n + j];
      c[i * n + j] = sum;
    }
  }
}

}  // namespace scrl::reference
