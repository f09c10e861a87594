#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/kernels.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;

}  // namespace

Var log_softmax(Var x, float s) {
  return x.tape().record(
      "log_softmax", {x}, x.rows(), x.cols(),
      [x, s](const Pass&, Matrix& out) { kernels::log_softmax(x.value(), s, out); },
      [x, s](const Pass&, const Matrix& out, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::log_softmax_backward(out, dout, s, dx, add);
      });
}

Var l2_normalize_rows(Var x) {
  auto norms = std::make_shared<std::vector<float>>(x.rows());
  return x.tape().record(
      "l2_normalize_rows", {x}, x.rows(), x.cols(),
      [x, norms](const Pass&, Matrix& out) { kernels::l2_normalize_rows(x.value(), out, *norms); },
      [x, norms](const Pass&, const Matrix& out, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::l2_normalize_rows_backward(out, *norms, dout, dx, add);
      });
}

Var gather_rows(Var x, std::vector<NodeId> rows) {
  for (const NodeId r : rows)
    check(r >= 0 && r < x.rows(), "gather_rows: row ", r, " of a matrix with ", x.rows(), " rows");
  const Index n = static_cast<Index>(rows.size());
  return x.tape().record(
      "gather_rows", {x}, n, x.cols(),
      [x, rows](const Pass&, Matrix& out) {
        for (Index i = 0; i < out.rows(); ++i)
          std::copy_n(x.value().row(rows[i]), x.cols(), out.row(i));
      },
      [x, rows](const Pass&, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        if (!add) dx.fill(0.0f);
        for (Index i = 0; i < dout.rows(); ++i)
          for (Index j = 0; j < dout.cols(); ++j) dx(rows[i], j) += dout(i, j);
      });
}

Var concat_columns(Var x, Var y) {
  check(x.rows() == y.rows(), "concat_columns: x is ", x.rows(), "x", x.cols(), ", y is ", y.rows(),
        "x", y.cols(), "; they must have equally many rows");
  return x.tape().record(
      "concat_columns", {x, y}, x.rows(), x.cols() + y.cols(),
      [x, y](const Pass&, Matrix& out) {
        parallel_for(out.rows(), kRowsPerChunk, [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i) {
            std::copy_n(x.value().row(i), x.cols(), out.row(i));
            std::copy_n(y.value().row(i), y.cols(), out.row(i) + x.cols());
          }
        });
      },
      [x, y](const Pass&, const Matrix&, const Matrix& dout) {
        Index from = 0;
        for (const Var& part : {x, y}) {
          if (part.needs_grad()) {
            auto [d, add] = part.sink();
            for (Index i = 0; i < dout.rows(); ++i)
              for (Index j = 0; j < part.cols(); ++j)
                d(i, j) = (add ? d(i, j) : 0.0f) + dout(i, from + j);
          }
          from += part.cols();
        }
      });
}

}  // namespace scrl
