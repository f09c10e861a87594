#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/columns.h"
#include "kernels/reduce.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;

// out (1,h) = column means of x.
void means(const Matrix& x, Matrix& out) {
  kernels::column_sums(x, out);
  const double n = static_cast<double>(x.rows());
  for (Index j = 0; j < out.cols(); ++j)
    out(0, j) = static_cast<float>(static_cast<double>(out(0, j)) / n);
}

}  // namespace

Var columns(Var x, Index from, Index count) {
  check(from >= 0 && count >= 0 && from + count <= x.cols(), "columns: x is ", x.rows(), "x",
        x.cols(), ", asked for ", count, " columns from ", from, " on");
  check(x.value().layout() == Layout::kRows, "columns: x is in panels, expected rows");
  return x.tape().record(
      "columns", {x}, x.rows(), count,
      [x, from](const Pass&, Matrix& out) {
        parallel_for(out.rows(), kRowsPerChunk, [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i)
            std::copy_n(x.value().row(i) + from, out.cols(), out.row(i));
        });
      },
      [x, from](const Pass&, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        parallel_for(dout.rows(), kRowsPerChunk,
                     [&, &grad = dx, keep = add](Index begin, Index end) {
                       for (Index i = begin; i < end; ++i) {
                         float* const to = grad.row(i);
                         const float* const g = dout.row(i);
                         if (!keep) std::fill_n(to, grad.cols(), 0.0f);
                         for (Index j = 0; j < dout.cols(); ++j) to[from + j] += g[j];
                       }
                     });
      });
}

Var center_columns(Var x) {
  auto mean = std::make_shared<Matrix>(1, x.cols());
  return x.tape().record(
      "center_columns", {x}, x.rows(), x.cols(),
      [x, mean](const Pass&, Matrix& out) {
        means(x.value(), *mean);
        kernels::map_columns(x.value(), {.shift = mean.get()}, out);
      },
      [x, mean](const Pass&, const Matrix&, const Matrix& dout) {
        // Centring is a symmetric projection: its own adjoint.
        auto [dx, add] = x.sink();
        means(dout, *mean);
        kernels::map_columns(dout, {.shift = mean.get()}, dx, add);
      });
}

Var column_means(Var x) {
  check(x.rows() > 0, "column_means: x is 0x", x.cols(), ", expected rows");
  auto share = std::make_shared<Matrix>(1, x.cols());
  return x.tape().record(
      "column_means", {x}, 1, x.cols(), [x](const Pass&, Matrix& out) { means(x.value(), out); },
      [x, share](const Pass&, const Matrix&, const Matrix& dout) {
        kernels::scale(1.0f / static_cast<float>(x.rows()), dout, *share);
        auto [dx, add] = x.sink();
        kernels::repeat_row(*share, dx, add);
      });
}

Var batch_norm(Var x, Var offset, float epsilon) {
  check(offset.rows() == 1 && offset.cols() == x.cols(), "batch_norm: x is ", x.rows(), "x",
        x.cols(), ", so the offset must be 1x", x.cols(), ", got ", offset.rows(), "x",
        offset.cols());
  check(epsilon > 0.0f, "batch_norm: epsilon must be above 0, got ", epsilon);
  struct State {
    explicit State(Index h)
        : sums(static_cast<std::size_t>(h)),
          dots(sums.size()),
          mean(1, h),
          scale(1, h),
          mean_dout(1, h),
          mean_product(1, h) {}
    std::vector<double> sums, dots;
    Matrix mean, scale, mean_dout, mean_product;
  };
  auto s = std::make_shared<State>(x.cols());
  return x.tape().record(
      "batch_norm", {x, offset}, x.rows(), x.cols(),
      [x, offset, epsilon, s](const Pass&, Matrix& out) {
        const Matrix& of = x.known() ? *x.known() : x.value();  // new nodes change no moments
        const double n = static_cast<double>(of.rows());
        kernels::column_moments(of, of, s->sums, s->dots);
        for (std::size_t j = 0; j < s->sums.size(); ++j) {
          const double mean = s->sums[j] / n;
          const double variance = std::max(0.0, s->dots[j] / n - mean * mean);
          s->mean.row(0)[j] = static_cast<float>(mean);
          s->scale.row(0)[j] =
              static_cast<float>(1.0 / std::sqrt(variance + static_cast<double>(epsilon)));
        }
        kernels::map_columns(
            x.value(), {.shift = &s->mean, .scale = &s->scale, .offset = &offset.value()}, out);
      },
      [x, offset, s](const Pass&, const Matrix& out, const Matrix& dout) {
        // With xhat = out - offset: sum dout xhat = sum dout out - offset sum dout
        const double n = static_cast<double>(x.rows());
        kernels::column_moments(out, dout, s->sums, s->dots);
        if (x.needs_grad()) {
          const float* const b = offset.value().row(0);
          for (std::size_t j = 0; j < s->sums.size(); ++j) {
            s->mean_dout.row(0)[j] = static_cast<float>(s->sums[j] / n);
            s->mean_product.row(0)[j] =
                static_cast<float>((s->dots[j] - static_cast<double>(b[j]) * s->sums[j]) / n);
          }
          auto [dx, add] = x.sink();
          kernels::batch_norm_backward(
              out, dout, {offset.value(), s->scale, s->mean_dout, s->mean_product}, dx, add);
        }
        if (offset.needs_grad()) {
          auto [d, add] = offset.sink();
          for (Index j = 0; j < d.cols(); ++j) {
            const double before = add ? static_cast<double>(d(0, j)) : 0.0;
            d(0, j) = static_cast<float>(before + s->sums[static_cast<std::size_t>(j)]);
          }
        }
      });
}

}  // namespace scrl
