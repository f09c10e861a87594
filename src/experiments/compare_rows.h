// experiments/compare_rows.h: the figures of a comparison, one row of them per cell and protocol.
//
// The best row of a table is the one with the highest mean accuracy (then macro-F1, then the order
// of the rows) under an honest protocol, val or fixed. Under `oracle` nothing is best: the epoch is
// chosen on the test nodes, and every heading says so.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "eval/metrics.h"
#include "experiments/compare.h"
#include "paper/results.h"

namespace scrl {

// One row of the tables under one protocol at one label rate of one data set.
struct CompareRow {
  std::size_t data = 0, cell = 0;
  std::string dataset;
  int labels = 0;  // asked for
  int rate = 0;    // of the split; 0: it has none
  std::string method, label;
  Protocol protocol = Protocol::kVal;
  CellOutcome::Status status = CellOutcome::Status::kMissing;
  std::string failure, result_hash;
  std::string build;  // which version trained it
  std::vector<int> seeds;
  std::vector<double> accuracies, macro_f1s;  // by seed; none without test nodes
  std::optional<MeanStd> accuracy, macro_f1;
  std::optional<Published> paper;
  bool best = false;
  std::optional<double> p_value;  // against the best; none for itself, for oracle, for few seeds
  std::optional<double> seconds, peak_mb;
};
const char* status_text(CellOutcome::Status status);  // "done", "failed", "missing"

// By data, labels, protocol, row of the plan.
std::vector<CompareRow> compare_rows(const Comparison& comparison);

// "validation nodes", "last epoch", "test nodes (diagnostic, not a result)"; "no labels" for a
// method that learns without them
std::string chosen_on(Protocol protocol, const std::string& method);

}  // namespace scrl
