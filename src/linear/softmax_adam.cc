#include "linear/softmax_adam.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "kernels/adam.h"
#include "kernels/layers.h"
#include "kernels/products.h"
#include "kernels/reduce.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

using kernels::Op;

// Scores become the gradient of the mean cross-entropy: (softmax - [label]) / rows, where each
// group of `classes` columns is a start of its own.
void scores_to_gradient(std::span<const std::int32_t> labels, Index classes, Matrix& scores) {
  const float share = 1.0f / static_cast<float>(scores.rows());
  parallel_for(scores.rows(), 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index first = 0; first < scores.cols(); first += classes) {
        float* row = scores.row(i) + first;
        const float top = *std::max_element(row, row + classes);
        float sum = 0;
        for (Index c = 0; c < classes; ++c) sum += row[c] = std::exp(row[c] - top);
        for (Index c = 0; c < classes; ++c) row[c] *= share / sum;
        row[labels[i]] -= share;
      }
    }
  });
}

// Mean over the starts of row j, class c.
float mean_of(const Matrix& m, Index j, Index c, Index classes, int repeats) {
  double sum = 0;
  for (int r = 0; r < repeats; ++r) sum += m(j, r * classes + c);
  return static_cast<float>(sum / repeats);
}

}  // namespace

float softmax_adam_start(Index columns, Index classes, std::uint64_t seed, int repeat, Index j,
                         Index c) {
  const Rng rng(seed, Purpose::kHead, static_cast<std::uint32_t>(repeat));
  const double bound = std::sqrt(6.0 / static_cast<double>(columns + classes));
  return static_cast<float>(bound) *
         (2.0f * rng.uniform_at(static_cast<std::uint64_t>(j * classes + c)) - 1.0f);
}

LinearClassifier softmax_adam(const Matrix& Z, std::span<const NodeId> rows,
                              std::span<const std::int32_t> labels, Index classes,
                              std::uint64_t seed, const SoftmaxAdamOptions& options) {
  linear::count_labels(rows, labels, classes);
  check(options.repeats >= 1 && options.steps >= 0, "softmax head: ", options.repeats,
        " repeats and ", options.steps, " steps; expected at least 1 and 0");
  const Index n = static_cast<Index>(rows.size()), h = Z.cols(), width = classes * options.repeats;
  Matrix X(n, h);
  for (Index i = 0; i < n; ++i) {
    check(rows[i] >= 0 && rows[i] < Z.rows(), "softmax head: row ", rows[i],
          " of an embedding with ", Z.rows(), " rows");
    for (Index j = 0; j < h; ++j) X(i, j) = Z(rows[i], j);
  }
  if (!kernels::all_finite(X)) {
    fail(ErrorKind::kDiverged, "softmax head: the embedding holds what is not a finite number; ",
         "the model that made it has diverged");
  }

  Matrix W(h, width), b(1, width), dW(h, width), db(1, width);
  Matrix W1(h, width), W2(h, width), b1(1, width), b2(1, width);  // moments
  for (int r = 0; r < options.repeats; ++r)
    for (Index j = 0; j < h; ++j)
      for (Index c = 0; c < classes; ++c)
        W(j, r * classes + c) = softmax_adam_start(h, classes, seed, r, j, c);

  Matrix product(n, width), scores(n, width);
  for (int t = 1; t <= options.steps; ++t) {
    kernels::gemm(Op::kN, X, Op::kN, W, product);
    kernels::add_bias(product, b, scores);
    scores_to_gradient(labels, classes, scores);
    kernels::gemm(Op::kT, X, Op::kN, scores, dW);
    kernels::column_sums(scores, db);
    const kernels::AdamStep step{.lr = options.lr,
                                 .beta1 = 0.9,
                                 .beta2 = 0.999,
                                 .epsilon = 1e-8,
                                 .weight_decay = 0,
                                 .correction1 = 1 - std::pow(0.9, t),
                                 .correction2 = 1 - std::pow(0.999, t)};
    kernels::adam(step, dW, W, W1, W2);
    kernels::adam(step, db, b, b1, b2);
  }

  LinearClassifier head{Matrix(h, classes), Matrix(1, classes)};
  for (Index c = 0; c < classes; ++c) {
    for (Index j = 0; j < h; ++j) head.W(j, c) = mean_of(W, j, c, classes, options.repeats);
    head.b(0, c) = mean_of(b, 0, c, classes, options.repeats);
  }
  return head;
}

}  // namespace scrl
