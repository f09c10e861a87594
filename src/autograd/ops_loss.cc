#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/reduce.h"
#include "kernels/sinkhorn.h"

namespace scrl {

Var nll(Var logp, const std::vector<std::int32_t>& labels, std::vector<float> class_weights) {
  check(static_cast<Index>(labels.size()) == logp.rows() && !labels.empty(), "nll: logp has ",
        logp.rows(), " rows, got ", labels.size(), " labels; expected the same number, above 0");
  for (const std::int32_t y : labels)
    check(y >= 0 && y < logp.cols(), "nll: label ", y, " outside 0..", logp.cols() - 1);
  if (class_weights.empty()) class_weights.assign(static_cast<std::size_t>(logp.cols()), 1.0f);
  check(static_cast<Index>(class_weights.size()) == logp.cols(), "nll: got ", class_weights.size(),
        " weights for ", logp.cols(), " classes");
  double total = 0;
  std::vector<float> weights;
  for (const std::int32_t y : labels) total += weights.emplace_back(class_weights[y]);
  return logp.tape().record(
      "nll", {logp}, 1, 1,
      [logp, labels, weights, total](const Pass&, Matrix& out) {
        double sum = 0;
        for (Index i = 0; i < logp.rows(); ++i)
          sum -= static_cast<double>(weights[i]) * logp.value()(i, labels[i]);
        out(0, 0) = static_cast<float>(sum / total);
      },
      [logp, labels, weights, total](const Pass&, const Matrix&, const Matrix& dout) {
        // out = -sum_i w_i logp[i, y_i] / total, hence dlogp[i, y_i] -= w_i dout / total
        auto [d, add] = logp.sink();
        if (!add) d.fill(0.0f);
        const float share = dout(0, 0) / static_cast<float>(total);
        for (Index i = 0; i < logp.rows(); ++i) d(i, labels[i]) -= weights[i] * share;
      });
}

Var soft_nll(Var Q, Var logp, const std::vector<NodeId>& rows) {
  check(Q.value().same_shape(logp.value()), "soft_nll: Q is ", Q.rows(), "x", Q.cols(),
        ", logp is ", logp.rows(), "x", logp.cols(), "; the shapes must agree");
  for (const NodeId r : rows)
    check(r >= 0 && r < Q.rows(), "soft_nll: row ", r, " of a matrix with ", Q.rows(), " rows");
  // Q is zero outside `rows` by contract of sinkhorn(), so the sum may run over everything.
  const float n = static_cast<float>(rows.empty() ? Q.rows() : static_cast<Index>(rows.size()));
  return logp.tape().record(
      "soft_nll", {logp, Q}, 1, 1,
      [Q, logp, n](const Pass&, Matrix& out) {
        out(0, 0) = static_cast<float>(-kernels::dot(Q.value(), logp.value()) / n);
      },
      [Q, logp, n](const Pass&, const Matrix&, const Matrix& dout) {
        auto [d, add] = logp.sink();
        kernels::scale(-dout(0, 0) / n, Q.value(), d, add);
      });
}

Var masked_nll(Var logp, Var targets) {
  check(targets.rows() == logp.rows() && targets.cols() == 1, "masked_nll: logp is ", logp.rows(),
        "x", logp.cols(), ", so the targets must be ", logp.rows(), "x1, got ", targets.rows(), "x",
        targets.cols());
  check(!targets.needs_grad(), "masked_nll: the targets must not be trained");
  // visit(i, class) for every row that has one; returns how many there are.
  const auto labelled = [logp, targets](const auto& visit) {
    Index count = 0;
    for (Index i = 0; i < targets.rows(); ++i) {
      const float y = targets.value()(i, 0);
      if (!(y >= 0.0f)) continue;
      check(y < static_cast<float>(logp.cols()), "masked_nll: row ", i, " has class ", y,
            ", outside 0..", logp.cols() - 1);
      visit(i, static_cast<Index>(y));
      ++count;
    }
    return count;
  };
  return logp.tape().record(
      "masked_nll", {logp, targets}, 1, 1,
      [logp, labelled](const Pass&, Matrix& out) {
        double sum = 0.0;
        const Index count = labelled([&](Index i, Index y) { sum -= logp.value()(i, y); });
        out(0, 0) = count == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(count));
      },
      [logp, labelled](const Pass&, const Matrix&, const Matrix& dout) {
        auto [d, add] = logp.sink();
        if (!add) d.fill(0.0f);
        const Index count = labelled([](Index, Index) {});
        const float share = dout(0, 0) / static_cast<float>(std::max<Index>(1, count));
        labelled([&, &grad = d](Index i, Index y) { grad(i, y) -= share; });
      });
}

Var bce_with_logits(Var x, float target) {
  check(target >= 0.0f && target <= 1.0f, "bce_with_logits: the target must be in [0, 1], got ",
        target);
  check(x.rows() > 0 && x.cols() > 0, "bce_with_logits: x is ", x.rows(), "x", x.cols(),
        ", expected elements");
  constexpr Index kRowsPerChunk = 1024;
  const double count = static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  auto partials = std::make_shared<std::vector<double>>(
      static_cast<std::size_t>(chunk_count(x.rows(), kRowsPerChunk)));
  return x.tape().record(
      "bce_with_logits", {x}, 1, 1,
      [x, target, count, partials](const Pass&, Matrix& out) {
        // -t log s(x) - (1-t) log(1 - s(x)) = max(x, 0) - t x + log(1 + exp(-|x|))
        parallel_for(x.rows(), kRowsPerChunk, [&](Index begin, Index end) {
          double sum = 0.0;
          for (Index i = begin; i < end; ++i)
            for (Index j = 0; j < x.cols(); ++j) {
              const double v = x.value()(i, j);
              sum += (v < 0.0 ? 0.0 : v) - static_cast<double>(target) * v +
                     std::log1p(std::exp(-std::abs(v)));
            }
          (*partials)[static_cast<std::size_t>(begin / kRowsPerChunk)] = sum;
        });
        double sum = 0.0;
        for (const double part : *partials) sum += part;
        out(0, 0) = static_cast<float>(sum / count);
      },
      [x, target, count](const Pass&, const Matrix&, const Matrix& dout) {
        // dx = (s(x) - t) / count
        auto [dx, add] = x.sink();
        const double share = static_cast<double>(dout(0, 0)) / count;
        parallel_for(x.rows(), kRowsPerChunk, [&, &grad = dx, keep = add](Index begin, Index end) {
          for (Index i = begin; i < end; ++i)
            for (Index j = 0; j < x.cols(); ++j) {
              const double e = std::exp(-std::abs(static_cast<double>(x.value()(i, j))));
              const double s = (x.value()(i, j) < 0.0f ? e : 1.0) / (1.0 + e);
              grad(i, j) = (keep ? grad(i, j) : 0.0f) +
                           static_cast<float>(share * (s - static_cast<double>(target)));
            }
        });
      });
}

Var sinkhorn(Var z, float epsilon, int iterations, const std::vector<NodeId>& rows) {
  check(epsilon > 0.0f && iterations >= 1, "sinkhorn: epsilon must be above 0 and iterations at ",
        "least 1, got ", epsilon, " and ", iterations);
  const Var Q = z.tape().record(
      "sinkhorn", {z}, z.rows(), z.cols(),
      [z, epsilon, iterations, rows](const Pass&, Matrix& out) {
        kernels::sinkhorn(z.value(), epsilon, iterations, rows, out);
      },
      nullptr);
  // Each iteration multiplies and adds every entry twice, once for the columns, once for the rows.
  Q.node()->forward_cost.flops = 4.0 * iterations * static_cast<double>(z.rows() * z.cols());
  return Q;
}

Var operator*(float a, Var x) {
  const Var out = x.tape().record(
      "scale", {x}, x.rows(), x.cols(),
      [a, x](const Pass&, Matrix& out) { kernels::scale(a, x.value(), out); },
      [a, x](const Pass&, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::scale(a, dout, dx, add);
      });
  out.node()->constant = a;
  return out;
}

Var ramped(float a, int epochs, Var x) {
  const auto weight = [a, epochs](const Pass& pass) {
    return static_cast<int>(pass.epoch) >= epochs
               ? a
               : a * static_cast<float>(pass.epoch) / static_cast<float>(epochs);
  };
  return x.tape().record(
      "ramp", {x}, x.rows(), x.cols(),
      [weight, x](const Pass& pass, Matrix& out) { kernels::scale(weight(pass), x.value(), out); },
      [weight, x](const Pass& pass, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::scale(weight(pass), dout, dx, add);
      },
      /*random=*/true);  // another epoch, another value
}

Var operator+(Var x, Var y) {
  check(x.value().same_shape(y.value()), "sum: x is ", x.rows(), "x", x.cols(), ", y is ", y.rows(),
        "x", y.cols(), "; the shapes must agree");
  return x.tape().record(
      "sum", {x, y}, x.rows(), x.cols(),
      [x, y](const Pass&, Matrix& out) {
        kernels::scale(1.0f, x.value(), out);
        kernels::scale(1.0f, y.value(), out, /*accumulate=*/true);
      },
      [x, y](const Pass&, const Matrix&, const Matrix& dout) {
        for (const Var& v : {x, y}) {
          if (!v.needs_grad()) continue;
          auto [d, add] = v.sink();
          kernels::scale(1.0f, dout, d, add);
        }
      });
}

}  // namespace scrl
