#include "linear/logistic.h"

#include "base/error.h"
#include "base/parallel.h"
#include "linear/features.h"
#include "linear/newton.h"

namespace scrl {
namespace {
constexpr double kTolerance = 1e-7;  // of the gradient; tighter is below the rounding of float
}  // namespace

namespace linear {

std::vector<Index> count_labels(std::span<const NodeId> rows, std::span<const std::int32_t> labels,
                                Index classes) {
  check(rows.size() == labels.size(), "head: ", rows.size(), " rows and ", labels.size(),
        " labels; there must be one for each");
  if (rows.empty()) {
    fail(ErrorKind::kData,
         "head: no labelled rows to fit a classifier on; give at least one training node");
  }
  std::vector<Index> count(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= classes) {
      fail(ErrorKind::kData, "head: row ", rows[i], " has label ", labels[i],
           ", expected a class from 0 to ", classes - 1, "; give labelled rows only");
    }
    ++count[labels[i]];
  }
  return count;
}

LinearClassifier fit(const Features& features, std::span<const std::int32_t> labels, Index classes,
                     double C) {
  std::vector<std::int32_t> present;
  std::vector<std::int8_t> used(static_cast<std::size_t>(classes));
  for (const std::int32_t y : labels) used[y] = 1;
  for (std::int32_t c = 0; c < classes; ++c)
    if (used[c]) present.push_back(c);
  std::vector<std::int8_t> signs;
  for (const std::int32_t y : labels)
    for (const std::int32_t c : present) signs.push_back(y == c ? 1 : -1);
  LogisticProblems problems(features, signs, static_cast<Index>(present.size()));
  problems.solve(C, kTolerance);

  const Index columns = features.columns - 1;
  LinearClassifier head{Matrix(columns, classes), Matrix(1, classes)};
  head.b.fill(kAbsentScore);
  for (std::size_t p = 0; p < present.size(); ++p) {
    const std::vector<double> w = problems.weights(static_cast<Index>(p));
    for (Index j = 0; j < columns; ++j) head.W(j, present[p]) = static_cast<float>(w[j]);
    head.b(0, present[p]) = static_cast<float>(w[columns]);
  }
  return head;
}

}  // namespace linear

LinearClassifier logistic_one_vs_rest(const Matrix& Z, std::span<const NodeId> rows,
                                      std::span<const std::int32_t> labels, Index classes,
                                      double C) {
  linear::count_labels(rows, labels, classes);
  return linear::fit(linear::make_features(Z, rows), labels, classes, C);
}

std::vector<std::int32_t> predict(const LinearClassifier& head, const Matrix& Z,
                                  std::span<const NodeId> rows) {
  check(head.W.rows() == Z.cols() && head.W.cols() == head.b.cols(), "head: weights of ",
        head.W.rows(), "x", head.W.cols(), " and ", head.b.cols(), " biases do not fit rows of ",
        Z.cols());
  const Index classes = head.W.cols();
  std::vector<std::int32_t> out(rows.size());
  parallel_for(static_cast<Index>(rows.size()), 64, [&](Index begin, Index end) {
    std::vector<double> score(static_cast<std::size_t>(classes));
    for (Index i = begin; i < end; ++i) {
      for (Index c = 0; c < classes; ++c) score[c] = head.b(0, c);
      for (Index j = 0; j < Z.cols(); ++j)
        for (Index c = 0; c < classes; ++c) score[c] += double{Z(rows[i], j)} * head.W(j, c);
      std::int32_t best = 0;
      for (std::int32_t c = 1; c < classes; ++c)
        if (score[c] > score[best]) best = c;
      out[i] = best;
    }
  });
  return out;
}

}  // namespace scrl
