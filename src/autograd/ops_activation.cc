#include <optional>

#include "autograd/ops.h"
#include "base/error.h"
#include "kernels/layers.h"
#include "kernels/reduce.h"

namespace scrl {
namespace {

void check_bias(const char* op, Var x, Var bias) {
  check(bias.rows() == 1 && bias.cols() == x.cols(), op, ": x is ", x.rows(), "x", x.cols(),
        ", so the bias must be 1x", x.cols(), ", got ", bias.rows(), "x", bias.cols());
}

void check_rate(const char* op, float p) {
  check(p >= 0.0f && p < 1.0f, op, ": dropout rate must be in [0, 1), got ", p);
}

Rng dropout_rng(const Pass& pass, std::uint32_t site) {
  return Rng(pass.seed, Purpose::kDropout, site, pass.epoch);
}

// out = drop(relu(x + b)); with bias null, drop(relu(x)).
Var record_relu_dropout(const char* op, Var x, std::optional<Var> bias, float p) {
  check_rate(op, p);
  const std::uint32_t site = p > 0.0f ? x.tape().new_dropout_site() : 0;
  std::vector<Var> inputs = {x};
  if (bias) inputs.push_back(*bias);
  return x.tape().record(
      op, inputs, x.rows(), x.cols(),
      [x, bias, p, site](const Pass& pass, Matrix& out) {
        const Rng rng = dropout_rng(pass, site);
        kernels::bias_relu_dropout(x.value(), bias ? &bias->value() : nullptr, p,
                                   pass.training && p > 0.0f ? &rng : nullptr, out);
      },
      [x, bias, p](const Pass& pass, const Matrix& out, const Matrix& dout) {
        const float scale = pass.training ? 1.0f / (1.0f - p) : 1.0f;
        // The column sums of db need this op's own contribution, so take it before it is mixed.
        auto [dx, add] = x.sink();
        check(!(add && bias), "bias_relu_dropout: its input must feed nothing else");
        kernels::bias_relu_dropout_backward(out, dout, scale, dx, add);
        if (bias) {
          auto [db, add_bias_grad] = bias->sink();
          kernels::column_sums(dx, db, add_bias_grad);
        }
      },
      p > 0.0f);
}

}  // namespace

Var bias_relu_dropout(Var x, Var bias, float p) {
  check_bias("bias_relu_dropout", x, bias);
  check(x.needs_grad(), "bias_relu_dropout: x must depend on a parameter");
  return record_relu_dropout("bias_relu_dropout", x, bias, p);
}

Var relu_dropout(Var x, float p) { return record_relu_dropout("relu_dropout", x, {}, p); }

Var relu(Var x) {
  return x.tape().record(
      "relu", {x}, x.rows(), x.cols(),
      [x](const Pass&, Matrix& out) { kernels::relu(x.value(), out); },
      [x](const Pass&, const Matrix& out, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::relu_backward(out, dout, dx, add);
      });
}

Var dropout(Var x, float p) {
  check_rate("dropout", p);
  if (p == 0.0f) return x;
  const std::uint32_t site = x.tape().new_dropout_site();
  return x.tape().record(
      "dropout", {x}, x.rows(), x.cols(),
      [x, p, site](const Pass& pass, Matrix& out) {
        if (!pass.training) return kernels::scale(1.0f, x.value(), out);
        kernels::dropout(x.value(), p, dropout_rng(pass, site), out);
      },
      [x, p, site](const Pass& pass, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        if (!pass.training) return kernels::scale(1.0f, dout, dx, add);
        kernels::dropout(dout, p, dropout_rng(pass, site), dx, add);
      },
      /*random=*/true);
}

Var add_bias(Var x, Var bias) {
  check_bias("add_bias", x, bias);
  return x.tape().record(
      "add_bias", {x, bias}, x.rows(), x.cols(),
      [x, bias](const Pass&, Matrix& out) { kernels::add_bias(x.value(), bias.value(), out); },
      [x, bias](const Pass&, const Matrix&, const Matrix& dout) {
        if (x.needs_grad()) {
          auto [dx, add] = x.sink();
          kernels::scale(1.0f, dout, dx, add);
        }
        if (bias.needs_grad()) {
          auto [db, add] = bias.sink();
          kernels::column_sums(dout, db, add);
        }
      });
}

}  // namespace scrl
