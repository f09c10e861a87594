// autograd/cost.h: the least an op has to do, whatever the code that does it.
#pragma once
#include "tensor/matrix.h"

namespace scrl {

struct Cost {
  double flops = 0;     // additions and multiplications
  double streamed = 0;  // bytes of operands read once and results written once
  double gathered = 0;  // bytes of rows that a sparse product picks up, one per non-zero

  Cost& operator+=(const Cost& o) {
    flops += o.flops, streamed += o.streamed, gathered += o.gathered;
    return *this;
  }
};

inline double bytes(const Matrix& m) { return static_cast<double>(m.size()) * sizeof(float); }

}  // namespace scrl
