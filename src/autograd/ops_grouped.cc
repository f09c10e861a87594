#include "autograd/ops.h"
#include "base/error.h"
#include "kernels/grouped_gemm.h"
#include "kernels/products.h"

namespace scrl {

Var grouped_matmul(Var x, Var W, std::vector<std::int32_t> group_of_row) {
  const Index h = x.cols();
  check(static_cast<Index>(group_of_row.size()) == x.rows(), "grouped_matmul: x is ", x.rows(), "x",
        h, ", so there must be ", x.rows(), " groups of rows, got ", group_of_row.size());
  check(h > 0 && W.rows() > 0 && W.rows() % h == 0, "grouped_matmul: x has ", h,
        " columns, so the rows of W must be a multiple of it, got ", W.rows(), "x", W.cols());
  const auto groups =
      std::make_shared<const kernels::RowGroups>(kernels::row_groups(group_of_row, W.rows() / h));
  const Var out = x.tape().record(
      "grouped_matmul", {x, W}, x.rows(), W.cols(),
      [x, W, groups](const Pass&, Matrix& to) {
        kernels::grouped_gemm(*groups, x.value(), kernels::Op::kN, W.value(), to);
      },
      [x, W, groups](const Pass&, const Matrix&, const Matrix& dout) {
        // out_i = x_i W_g, hence dx_i += dout_i W_g^T and dW_g += x_i^T dout_i
        if (x.needs_grad()) {
          auto [dx, add] = x.sink();
          kernels::grouped_gemm(*groups, dout, kernels::Op::kT, W.value(), dx, add);
        }
        if (W.needs_grad()) {
          auto [dW, add] = W.sink();
          kernels::grouped_gemm_gradient(*groups, x.value(), dout, dW, add);
        }
      });
  const double flops = 2.0 * static_cast<double>(groups->rows.size()) * static_cast<double>(h) *
                       static_cast<double>(W.cols());
  out.node()->forward_cost.flops = flops;
  out.node()->backward_cost.flops = flops * (x.needs_grad() + W.needs_grad());
  return out;
}

}  // namespace scrl
