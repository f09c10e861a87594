#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;

void check_rows(const char* op, Var x) {
  check(x.value().layout() == Layout::kRows, op, ": x is in panels, expected rows");
}

}  // namespace

Var softmax(Var x) {
  check_rows("softmax", x);
  return x.tape().record(
      "softmax", {x}, x.rows(), x.cols(),
      [x](const Pass&, Matrix& out) { kernels::softmax(x.value(), out); },
      [x](const Pass&, const Matrix& out, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::softmax_backward(out, dout, dx, add);
      });
}

Var mix(Var weights, std::vector<Var> parts) {
  check(!parts.empty(), "mix: no part");
  const Index n = parts.front().rows(), h = parts.front().cols();
  check_rows("mix", weights);
  check(weights.rows() == n && weights.cols() == static_cast<Index>(parts.size()),
        "mix: there are ", parts.size(), " parts of ", n, " rows, so the weights must be ", n, "x",
        parts.size(), ", got ", weights.rows(), "x", weights.cols());
  std::vector<Var> inputs = {weights};
  std::vector<const Matrix*> values;
  for (const Var& part : parts) {
    check(part.rows() == n && part.cols() == h, "mix: the first part is ", n, "x", h,
          ", another is ", part.rows(), "x", part.cols(), "; the shapes must agree");
    inputs.push_back(part);
    values.push_back(&part.value());
  }
  return weights.tape().record(
      "mix", inputs, n, h,
      [weights, values](const Pass&, Matrix& out) { kernels::mix(weights.value(), values, out); },
      [weights, parts](const Pass&, const Matrix&, const Matrix& dout) {
        // out_i = sum_c w_ic x^c_i, hence dw_ic += x^c_i . dout_i and dx^c_i += w_ic dout_i
        if (weights.needs_grad()) {
          auto [dw, add] = weights.sink();
          for (std::size_t c = 0; c < parts.size(); ++c)
            kernels::row_dots(parts[c].value(), dout, dw, static_cast<Index>(c), add);
        }
        for (std::size_t c = 0; c < parts.size(); ++c) {
          if (!parts[c].needs_grad()) continue;
          auto [dx, add] = parts[c].sink();
          kernels::scale_rows(weights.value(), static_cast<Index>(c), dout, dx, add);
        }
      });
}

Var mix_segments(Var x, Var q) {
  const Index segments = q.cols();
  check(q.rows() == 1 && segments > 0 && x.cols() % segments == 0, "mix_segments: x is ", x.rows(),
        "x", x.cols(), ", q is ", q.rows(), "x", q.cols(),
        "; q must be one row, and x have equally ", "many columns for each number in it");
  check_rows("mix_segments", x);
  const Index width = x.cols() / segments;
  struct State {
    std::vector<double> p, d, partials;  // softmax(q); <dout, x_s>, and its part of each chunk
  };
  auto s = std::make_shared<State>();
  s->p.resize(static_cast<std::size_t>(segments));
  s->d.resize(s->p.size());
  s->partials.resize(static_cast<std::size_t>(chunk_count(x.rows(), kRowsPerChunk) * segments));
  return x.tape().record(
      "mix_segments", {x, q}, x.rows(), width,
      [x, q, segments, s](const Pass&, Matrix& out) {
        const float* const at = q.value().row(0);
        const double top = *std::max_element(at, at + segments);
        double total = 0.0;
        for (Index k = 0; k < segments; ++k) total += s->p[k] = std::exp(at[k] - top);
        for (double& p : s->p) p /= total;
        parallel_for(out.rows(), kRowsPerChunk, [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i) {
            float* const to = out.row(i);
            std::fill_n(to, out.cols(), 0.0f);
            for (Index k = 0; k < segments; ++k) {
              const float p = static_cast<float>(s->p[k]);
              const float* const from = x.value().row(i) + k * out.cols();
              for (Index j = 0; j < out.cols(); ++j) to[j] += p * from[j];
            }
          }
        });
      },
      [x, q, segments, s](const Pass&, const Matrix&, const Matrix& dout) {
        const Index h = dout.cols();
        if (q.needs_grad()) {
          // d_s = <dout, x_s>, dq_s = p_s (d_s - sum_r p_r d_r)
          parallel_for(dout.rows(), kRowsPerChunk, [&](Index begin, Index end) {
            double* const part = s->partials.data() + begin / kRowsPerChunk * segments;
            std::fill_n(part, segments, 0.0);
            for (Index i = begin; i < end; ++i)
              for (Index k = 0; k < segments; ++k)
                for (Index j = 0; j < h; ++j)
                  part[k] += static_cast<double>(x.value().row(i)[k * h + j]) * dout.row(i)[j];
          });
          std::fill(s->d.begin(), s->d.end(), 0.0);
          for (std::size_t at = 0; at < s->partials.size(); ++at)
            s->d[at % s->d.size()] += s->partials[at];
          const double mean = std::inner_product(s->p.begin(), s->p.end(), s->d.begin(), 0.0);
          auto [dq, add] = q.sink();
          for (Index k = 0; k < segments; ++k)
            dq(0, k) = (add ? dq(0, k) : 0.0f) + static_cast<float>(s->p[k] * (s->d[k] - mean));
        }
        if (x.needs_grad()) {
          auto [dx, add] = x.sink();
          parallel_for(dout.rows(), kRowsPerChunk,
                       [&, &grad = dx, keep = add](Index begin, Index end) {
                         for (Index i = begin; i < end; ++i) {
                           const float* const g = dout.row(i);
                           for (Index k = 0; k < segments; ++k) {
                             const float p = static_cast<float>(s->p[k]);
                             float* const to = grad.row(i) + k * h;
                             for (Index j = 0; j < h; ++j) to[j] = (keep ? to[j] : 0.0f) + p * g[j];
                           }
                         }
                       });
        }
      });
}

}  // namespace scrl
