#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/columns.h"
#include "kernels/reduce.h"

namespace scrl {

Var sum_squares(Var x) {
  return x.tape().record(
      "sum_squares", {x}, 1, 1,
      [x](const Pass&, Matrix& out) {
        out(0, 0) = static_cast<float>(kernels::dot(x.value(), x.value()));
      },
      [x](const Pass&, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        kernels::scale(2.0f * dout(0, 0), x.value(), dx, add);
      });
}

Var sum_column_norms(Var x) {
  struct State {
    std::vector<double> sums, squares;
    Matrix scale;
  };
  auto s = std::make_shared<State>();
  s->sums.resize(static_cast<std::size_t>(x.cols()));
  s->squares.resize(s->sums.size());
  s->scale = Matrix(1, x.cols());
  return x.tape().record(
      "sum_column_norms", {x}, 1, 1,
      [x, s](const Pass&, Matrix& out) {
        kernels::column_moments(x.value(), x.value(), s->sums, s->squares);
        double sum = 0.0;
        for (const double square : s->squares) sum += std::sqrt(square);
        out(0, 0) = static_cast<float>(sum);
      },
      [x, s](const Pass&, const Matrix&, const Matrix& dout) {
        // dx_:j = x_:j / |x_:j|, and 0 for a column of zeros
        for (std::size_t j = 0; j < s->squares.size(); ++j)
          s->scale.row(0)[j] = static_cast<float>(static_cast<double>(dout(0, 0)) /
                                                  std::max(std::sqrt(s->squares[j]), 1e-12));
        auto [dx, add] = x.sink();
        kernels::map_columns(x.value(), {.scale = &s->scale}, dx, add);
      });
}

}  // namespace scrl
