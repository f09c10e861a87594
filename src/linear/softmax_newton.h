// linear/softmax_newton.h: many multinomial logistic regressions on the same rows at once. Internal
// to src/linear.
//
// Problem f sees the rows i with w_if = 1:
//   min_W  1/2 |W|^2 + C sum_i w_if (log sum_c exp(x_i . W_c) - x_i . W_yi)
// with one column of weights per class and no column left out: the penalty makes the solution
// unique. Newton's method as in linear/newton.h: the step comes from conjugate gradients with a
// diagonal preconditioner, and is halved until the objective falls. At the solution
//   W = C sum_i w_if x_i (e_yi - p_i),
// so that weights in other coordinates of the rows follow from residuals().
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "kernels/panel_product.h"

namespace scrl::linear {

using Doubles = std::vector<double>;

// The rows x as products with them. Columns of v (dims x columns) and u (rows x columns) go in
// panels: element (j,c) at ((c / w) * dims + j) * w + c % w with w = kernels::kDoublePanel.
class RowProducts {
 public:
  virtual ~RowProducts() = default;
  virtual Index rows() const = 0;
  virtual Index dims() const = 0;
  virtual void multiply(const Doubles& v, Doubles& u) const = 0;        // u = x v
  virtual void add_transposed(const Doubles& u, Doubles& v) const = 0;  // v += x^T u
  virtual const Doubles& squares() const = 0;                           // dims: sum_i x_ij^2
};

// Rows that are at hand, rows x dims. In the calling thread.
class DenseRows : public RowProducts {
 public:
  DenseRows(Doubles x, Index rows, Index dims);
  Index rows() const override { return rows_; }
  Index dims() const override { return dims_; }
  void multiply(const Doubles& v, Doubles& u) const override;
  void add_transposed(const Doubles& u, Doubles& v) const override;
  const Doubles& squares() const override { return squares_; }

 private:
  Doubles x_, squares_;
  Index rows_, dims_;
};

class SoftmaxProblems {
 public:
  // seen: rows x problems. REQUIRES: `x` outlives this object; labels are in [0, classes).
  SoftmaxProblems(const RowProducts& x, std::span<const std::int32_t> labels, Index classes,
                  std::vector<std::uint8_t> seen, Index problems);

  // Until |gradient| <= tolerance * |gradient at W = 0|, for each problem. Starts from the solution
  // of the call before, at first from 0. REQUIRES: C > 0.
  void solve(double C, double tolerance);

  // Negative log-likelihood and whether the most probable class is the label, for rows that the
  // problem does not see, too.
  double nll(Index row, Index problem) const;
  bool right(Index row, Index problem) const;
  // C (e_y - p) of a row and class: what the row brings to the weights of the class.
  double residual(double C, Index row, Index problem, Index c) const;
  // Weight of coordinate j for a class.
  double weight(Index j, Index problem, Index c) const;

 private:
  static constexpr Index kWidth = kernels::kDoublePanel;
  Index at(Index count, Index row, Index column) const {
    return (column / kWidth * count + row) * kWidth + column % kWidth;
  }
  Doubles zeros(Index count) const {
    return Doubles(static_cast<std::size_t>(count * columns_), 0.0);
  }
  Doubles dots(const Doubles& a, const Doubles& b, Index count) const;
  void add_scaled(const Doubles& factor, const Doubles& x, Index count, Doubles& y) const;
  double log_sum(const Doubles& margins, Index row, Index problem) const;
  Doubles objective(double C, const Doubles& margins, const Doubles& squares) const;
  void bend(double C);
  void apply_hessian(double C);
  void find_step(double C, const Doubles& target);
  Doubles walk(double C, const Doubles& value, const Doubles& decrease, Doubles& length,
               std::vector<std::uint8_t>& done);

  const RowProducts& x_;
  std::vector<std::int32_t> labels_;
  std::vector<std::uint8_t> seen_;
  Index classes_, problems_, columns_, rows_, dims_;
  Doubles w_, gradient_, residual_, direction_, product_, step_, inverse_;  // dims
  Doubles margin_, probability_, along_, trial_, bent_;                     // rows
  Doubles start_;  // per problem: |gradient| at W = 0 and C = 1
};

}  // namespace scrl::linear
