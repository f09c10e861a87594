// Scalar twins of the curves, of weighted rows, and of what treats column by column.
#include <algorithm>
#include <cmath>

#include "kernels/reference.h"

namespace scrl::reference {
namespace {

// to_ij = or += value(i, j), computed in double precision.
template <class F>
void fill(Matrix& to, bool accumulate, const F& value) {
  for (Index i = 0; i < to.rows(); ++i) {
    for (Index j = 0; j < to.cols(); ++j) {
      const double v = value(i, j);
      to(i, j) = static_cast<float>(accumulate ? static_cast<double>(to(i, j)) + v : v);
    }
  }
}

double product(float a, float b) { return static_cast<double>(a) * static_cast<double>(b); }

}  // namespace

void elu(const Matrix& x, Matrix& out) {
  fill(out, false, [&](Index i, Index j) {
    const double v = x(i, j);
    return v < 0.0 ? std::expm1(v) : v;
  });
}

void elu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  fill(dx, accumulate, [&](Index i, Index j) {
    const double y = out(i, j);
    return dout(i, j) * (y < 0.0 ? y + 1.0 : 1.0);
  });
}

void tanh(const Matrix& x, Matrix& out) {
  fill(out, false, [&](Index i, Index j) { return std::tanh(static_cast<double>(x(i, j))); });
}

void tanh_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  fill(dx, accumulate,
       [&](Index i, Index j) { return dout(i, j) * (1.0 - product(out(i, j), out(i, j))); });
}

void sigmoid(const Matrix& x, Matrix& out) {
  fill(out, false,
       [&](Index i, Index j) { return 1.0 / (1.0 + std::exp(-static_cast<double>(x(i, j)))); });
}

void sigmoid_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  fill(dx, accumulate, [&](Index i, Index j) {
    const double y = out(i, j);
    return dout(i, j) * y * (1.0 - y);
  });
}

void prelu(const Matrix& x, float slope, Matrix& out) {
  fill(out, false, [&](Index i, Index j) {
    return x(i, j) < 0.0f ? product(slope, x(i, j)) : static_cast<double>(x(i, j));
  });
}

void prelu_backward(const Matrix& x, const Matrix& dout, float slope, Matrix& dx, bool accumulate) {
  fill(dx, accumulate,
       [&](Index i, Index j) { return product(dout(i, j), x(i, j) <= 0.0f ? slope : 1.0f); });
}

double prelu_slope_gradient(const Matrix& x, const Matrix& dout) {
  double sum = 0.0;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) sum += product(dout(i, j), std::min(0.0f, x(i, j)));
  }
  return sum;
}

void softmax(const Matrix& x, Matrix& out) {
  for (Index i = 0; i < x.rows(); ++i) {
    double top = -INFINITY, sum = 0.0;
    for (Index j = 0; j < x.cols(); ++j) top = std::max(top, static_cast<double>(x(i, j)));
    for (Index j = 0; j < x.cols(); ++j) sum += std::exp(x(i, j) - top);
    for (Index j = 0; j < x.cols(); ++j) {
      out(i, j) = static_cast<float>(std::exp(x(i, j) - top) / sum);
    }
  }
}

void softmax_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  fill(dx, accumulate, [&](Index i, Index j) {
    double along = 0.0;
    for (Index b = 0; b < out.cols(); ++b) along += product(out(i, b), dout(i, b));
    return out(i, j) * (dout(i, j) - along);
  });
}

void mix(const Matrix& weights, std::span<const Matrix* const> parts, Matrix& out) {
  fill(out, false, [&](Index i, Index j) {
    double sum = 0.0;
    for (std::size_t c = 0; c < parts.size(); ++c) {
      sum += product(weights(i, static_cast<Index>(c)), (*parts[c])(i, j));
    }
    return sum;
  });
}

void scale_rows(const Matrix& weights, Index c, const Matrix& x, Matrix& out, bool accumulate) {
  fill(out, accumulate, [&](Index i, Index j) { return product(weights(i, c), x(i, j)); });
}

void row_dots(const Matrix& x, const Matrix& y, Matrix& out, Index c, bool accumulate) {
  for (Index i = 0; i < x.rows(); ++i) {
    double sum = accumulate ? static_cast<double>(out(i, c)) : 0.0;
    for (Index j = 0; j < x.cols(); ++j) sum += product(x(i, j), y(i, j));
    out(i, c) = static_cast<float>(sum);
  }
}

void column_moments(const Matrix& x, const Matrix& y, std::span<double> sums,
                    std::span<double> dots) {
  for (Index j = 0; j < x.cols(); ++j) {
    double sum = 0.0, dot = 0.0;
    for (Index i = 0; i < x.rows(); ++i) {
      sum += static_cast<double>(y(i, j));
      dot += product(x(i, j), y(i, j));
    }
    sums[static_cast<std::size_t>(j)] = sum;
    dots[static_cast<std::size_t>(j)] = dot;
  }
}

void map_columns(const Matrix& x, const ColumnMap& map, Matrix& out, bool accumulate) {
  fill(out, accumulate, [&](Index i, Index j) {
    double v = x(i, j);
    if (map.shift != nullptr) v -= static_cast<double>((*map.shift)(0, j));
    if (map.scale != nullptr) v *= static_cast<double>((*map.scale)(0, j));
    if (map.offset != nullptr) v += static_cast<double>((*map.offset)(0, j));
    return v;
  });
}

void repeat_row(const Matrix& row, Matrix& out, bool accumulate) {
  fill(out, accumulate, [&](Index, Index j) { return static_cast<double>(row(0, j)); });
}

void batch_norm_backward(const Matrix& out, const Matrix& dout, const BatchNormGradient& at,
                         Matrix& dx, bool accumulate) {
  fill(dx, accumulate, [&](Index i, Index j) {
    const double xhat = static_cast<double>(out(i, j)) - static_cast<double>(at.offset(0, j));
    const double g = static_cast<double>(dout(i, j)) - static_cast<double>(at.mean_dout(0, j));
    return at.scale(0, j) * (g - xhat * at.mean_product(0, j));
  });
}

void gram(const Matrix& A, const Matrix& B, std::span<double> out) {
  for (Index i = 0; i < A.cols(); ++i) {
    for (Index j = 0; j < B.cols(); ++j) {
      double sum = 0.0;
      for (Index r = 0; r < A.rows(); ++r) sum += product(A(r, i), B(r, j));
      out[static_cast<std::size_t>(i * B.cols() + j)] = sum;
    }
  }
}

}  // namespace scrl::reference
