#include "autograd/ops.h"
#include "base/error.h"
#include "kernels/nonlinear.h"

namespace scrl {
namespace {

using Curve = void (*)(const Matrix& x, Matrix& out);
using CurveBackward = void (*)(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate);

Var record_curve(const char* op, Var x, Curve curve, CurveBackward backward) {
  return x.tape().record(
      op, {x}, x.rows(), x.cols(), [x, curve](const Pass&, Matrix& out) { curve(x.value(), out); },
      [x, backward](const Pass&, const Matrix& out, const Matrix& dout) {
        auto [dx, add] = x.sink();
        backward(out, dout, dx, add);
      });
}

}  // namespace

Var elu(Var x) { return record_curve("elu", x, kernels::elu, kernels::elu_backward); }
Var tanh(Var x) { return record_curve("tanh", x, kernels::tanh, kernels::tanh_backward); }
Var sigmoid(Var x) {
  return record_curve("sigmoid", x, kernels::sigmoid, kernels::sigmoid_backward);
}

Var prelu(Var x, Var slope) {
  check(slope.rows() == 1 && slope.cols() == 1, "prelu: the slope must be 1x1, got ", slope.rows(),
        "x", slope.cols());
  return x.tape().record(
      "prelu", {x, slope}, x.rows(), x.cols(),
      [x, slope](const Pass&, Matrix& out) { kernels::prelu(x.value(), slope.scalar(), out); },
      [x, slope](const Pass&, const Matrix&, const Matrix& dout) {
        if (x.needs_grad()) {
          auto [dx, add] = x.sink();
          kernels::prelu_backward(x.value(), dout, slope.scalar(), dx, add);
        }
        if (slope.needs_grad()) {
          auto [d, add] = slope.sink();
          const double sum = kernels::prelu_slope_gradient(x.value(), dout);
          d(0, 0) = static_cast<float>(add ? static_cast<double>(d(0, 0)) + sum : sum);
        }
      });
}

}  // namespace scrl
