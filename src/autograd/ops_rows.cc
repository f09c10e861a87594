#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;

}  // namespace

Var log_softmax(Var x, float s) {
  const Var out = x.tape().record(
      "log_softmax", {x}, x.rows(), x.cols(),
      [x, s](const Pass&, Matrix& out) { kernels::log_softmax(x.value(), s, out); },
      [x, s](const Pass&, const Matrix& out, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::log_softmax_backward(out, dout, s, dx, add);
      });
  out.node()->constant = s;
  return out;
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

Var gather_rows(Var x, const std::vector<NodeId>& rows) {
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

Var concat_columns(std::vector<Var> parts) {
  check(!parts.empty(), "concat_columns: no part");
  const Index n = parts.front().rows();
  Index width = 0;
  for (const Var& part : parts) {
    check(part.rows() == n, "concat_columns: the first part has ", n, " rows, another is ",
          part.rows(), "x", part.cols(), "; they must have equally many rows");
    width += part.cols();
  }
  // Copies between the parts and the matrix that holds them side by side.
  const auto each_row = [parts](Index rows, const auto& visit) {
    parallel_for(rows, kRowsPerChunk, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        Index from = 0;
        for (const Var& part : parts) {
          visit(part, i, from);
          from += part.cols();
        }
      }
    });
  };
  return parts.front().tape().record(
      "concat_columns", parts, n, width,
      [each_row](const Pass&, Matrix& out) {
        each_row(out.rows(), [&](const Var& part, Index i, Index from) {
          std::copy_n(part.value().row(i), part.cols(), out.row(i) + from);
        });
      },
      [parts](const Pass&, const Matrix&, const Matrix& dout) {
        Index from = 0;
        for (const Var& part : parts) {
          if (part.needs_grad()) {
            auto [d, add] = part.sink();
            parallel_for(dout.rows(), kRowsPerChunk,
                         [&, &grad = d, keep = add](Index begin, Index end) {
                           for (Index i = begin; i < end; ++i)
                             for (Index j = 0; j < part.cols(); ++j)
                               grad(i, j) = (keep ? grad(i, j) : 0.0f) + dout(i, from + j);
                         });
          }
          from += part.cols();
        }
      });
}

}  // namespace scrl
