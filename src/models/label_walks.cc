#include "models/label_walks.h"

#include <cmath>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace scrl {

Matrix log_label_walks(const SparseOperand& A, const std::vector<NodeId>& labelled,
                       const std::vector<std::int32_t>& labels, Index classes) {
  constexpr float kRestart = 0.02f;
  constexpr int kSteps = 200;  // what is left to walk after them is 0.98^200 = 2 %
  constexpr double kUnknown = 0.1;
  constexpr Index kRowsPerChunk = 1024;

  const Index n = A.A.rows;
  Matrix start(n, classes), F(n, classes), walked(n, classes);
  for (std::size_t e = 0; e < labelled.size(); ++e) start.row(labelled[e])[labels[e]] = 1.0f;
  kernels::scale(1.0f, start, F);
  for (int step = 0; step < kSteps; ++step) {
    kernels::spmm(A.At, F, walked);
    kernels::scale(1 - kRestart, walked, F);
    kernels::scale(kRestart, start, F, /*accumulate=*/true);
  }

  const double mean = static_cast<double>(labelled.size()) / static_cast<double>(n * classes);
  parallel_for(n, kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      float* const row = F.row(i);
      double sum = 0;
      for (Index c = 0; c < classes; ++c) sum += row[c] + kUnknown * mean;
      for (Index c = 0; c < classes; ++c)
        row[c] = static_cast<float>(std::log((row[c] + kUnknown * mean) / sum));
    }
  });
  return F;
}

}  // namespace scrl
