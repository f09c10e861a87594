// autograd/propagate.h: labels that spread over a graph; what label propagation and Correct &
// Smooth share. Not differentiable.
#pragma once
#include <memory>
#include <vector>

#include "autograd/ops.h"

namespace scrl {

// `steps` times F <- clamp(alpha S F + (1 - alpha) F_0, low, high), F_0 what F holds at first.
struct Spread {
  float alpha = 0.9f;
  int steps = 50;
  float low = 0.0f, high = 1.0f;
};
class Propagator {
 public:
  // REQUIRES: S outlives it.
  Propagator(const Csr& S, Index classes)
      : S_(S), first_(S.rows, classes), next_(S.rows, classes) {}
  void run(const Spread& spread, Matrix& F);

 private:
  const Csr& S_;
  Matrix first_, next_;
};

// log of (1 - 1e-3) F_i / sum_c F_ic + 1e-3 / M: a node that no label reached is like all classes
// alike, and no class is impossible. REQUIRES: F is not negative.
void log_shares(const Matrix& F, Matrix& out);

struct CorrectSmoothOptions {
  double correct_alpha = 0.8, smooth_alpha = 0.8;
  int correct_steps = 50, smooth_steps = 50;
  bool autoscale = true;
};
// Correct & Smooth, as models/correct_smooth.h says, of log-probabilities; targets (n,1) holds the
// class of each training node and -1 for the others. No gradient flows through it.
Var correct_and_smooth(const std::shared_ptr<const Csr>& S, Var log_probs, Var targets,
                       const CorrectSmoothOptions& o);

}  // namespace scrl
