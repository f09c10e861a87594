#include "eval/metrics.h"

#include <algorithm>
#include <cmath>

#include "base/per_thread.h"

namespace scrl {

namespace {

void count(std::span<const std::int32_t> predicted, std::span<const std::int32_t> labels,
           std::span<const NodeId> nodes, Index classes, std::vector<Index>& counts) {
  counts.assign(static_cast<std::size_t>(classes * classes), 0);
  for (const NodeId i : nodes) {
    check(labels[i] >= 0 && labels[i] < classes, "score: node ", i, " has no label");
    ++counts[labels[i] * classes + predicted[i]];
  }
}

}  // namespace

std::vector<Index> confusion(std::span<const std::int32_t> predicted,
                             std::span<const std::int32_t> labels, std::span<const NodeId> nodes,
                             Index classes) {
  std::vector<Index> counts;
  count(predicted, labels, nodes, classes, counts);
  return counts;
}

Scores score(std::span<const std::int32_t> predicted, std::span<const std::int32_t> labels,
             std::span<const NodeId> nodes, Index classes) {
  if (nodes.empty()) return {};
  struct Counts : std::vector<Index> {};
  Counts& counts = per_thread<Counts>();  // kept: every epoch scores, and allocates nothing
  count(predicted, labels, nodes, classes, counts);
  Index correct = 0, present = 0;
  double f1 = 0;
  for (Index c = 0; c < classes; ++c) {
    Index truth = 0, guessed = 0;
    for (Index o = 0; o < classes; ++o) {
      truth += counts[c * classes + o];
      guessed += counts[o * classes + c];
    }
    const Index hits = counts[c * classes + c];
    correct += hits;
    if (truth + guessed == 0) continue;
    ++present;
    f1 += 2.0 * static_cast<double>(hits) / static_cast<double>(truth + guessed);
  }
  return {.accuracy = 100.0 * static_cast<double>(correct) / static_cast<double>(nodes.size()),
          .macro_f1 = 100.0 * f1 / static_cast<double>(present)};
}

double mean_nll(const Matrix& log_probs, std::span<const std::int32_t> labels,
                std::span<const NodeId> nodes) {
  if (nodes.empty()) return 0;
  double sum = 0;
  for (const NodeId i : nodes) sum -= log_probs(i, labels[i]);
  return sum / static_cast<double>(nodes.size());
}

double percent_equal(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  if (a.empty()) return 0;
  Index equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return 100.0 * static_cast<double>(equal) / static_cast<double>(a.size());
}

MeanStd mean_std(std::span<const double> values) {
  MeanStd out;
  if (values.empty()) return out;
  for (const double v : values) out.mean += v;
  out.mean /= static_cast<double>(values.size());
  if (values.size() < 2) return out;
  for (const double v : values) out.std += (v - out.mean) * (v - out.mean);
  out.std = std::sqrt(out.std / static_cast<double>(values.size() - 1));
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t mid = values.size() / 2;
  return values.size() % 2 ? values[mid] : (values[mid - 1] + values[mid]) / 2;
}

}  // namespace scrl
