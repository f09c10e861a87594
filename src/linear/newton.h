// linear/newton.h: many logistic regressions on the same rows at once. Internal to src/linear.
//
// Problem p has a sign y_ip of +1 or -1 for each of its rows, 0 for rows it does not see:
//   min_w  1/2 |w|^2 + C sum_i log(1 + exp(-y_ip x_i . w))
// Newton's method; the step comes from conjugate gradients with a diagonal preconditioner, and is
// halved until the objective falls. Problems go side by side in panels of kDoublePanel, which turns
// products of a matrix and a vector into products of matrices; a panel belongs to one thread.
#pragma once
#include <cstdint>
#include <vector>

#include "linear/features.h"

namespace scrl::linear {

class LogisticProblems {
 public:
  // signs: rows x problems. REQUIRES: `features` outlives this object.
  LogisticProblems(const Features& features, const std::vector<std::int8_t>& signs, Index problems);
  ~LogisticProblems();

  // Until |gradient| <= tolerance * |gradient at w = 0|, for each problem. Starts from the solution
  // of the call before, at first from 0. REQUIRES: C > 0.
  void solve(double C, double tolerance);

  // x_i . w, for rows the problem does not see, too.
  double margin(Index row, Index problem) const;
  // Its weights in the columns of the embedding; the last one is the bias.
  std::vector<double> weights(Index problem) const;

 private:
  class Panel;
  const Features& features_;
  std::vector<Panel> panels_;
};

}  // namespace scrl::linear
