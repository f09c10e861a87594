// experiments/small_comparison.h: a comparison that trains nothing.
#pragma once
#include <utility>
#include <vector>

#include "experiments/compare.h"
#include "run/results.h"

namespace scrl {

inline CompareRequest request(std::vector<Setting> settings = {}) {
  return {.data = {{"demo"}},
          .rows = method_rows({"scrl", "knn-gcn", "mlp"}, Profile::kDefault),
          .protocols = {Protocol::kVal},
          .settings = std::move(settings),
          .program = "1"};
}

inline const std::vector<DataFacts> kAcm = {{"ACM.zip", "acm", "0123456789abcdef", 20}};

// What a training with these accuracies would have left; macro-F1 is one less, oracle two more.
inline CellOutcome outcome(const std::vector<double>& accuracies, double seconds) {
  TrainResult result{.method = "scrl", .dataset = "acm", .test_nodes = 10};
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    SeedResult r;
    r.seed = static_cast<int>(i);
    r.test = {accuracies[i], accuracies[i] - 1};
    r.oracle = {accuracies[i] + 2, accuracies[i] + 1};
    result.seeds.push_back(r);
  }
  return {
      .status = CellOutcome::Status::kDone, .training = result, .seconds = seconds, .peak_mb = 12};
}

}  // namespace scrl
