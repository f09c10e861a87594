// app/compare_tables.h: the figures of a comparison, and the tables that people read.
//
// The best method of a table is the one with the highest mean accuracy (then macro-F1, then the
// order of the methods) under an honest protocol, val or fixed. Under `oracle` nothing is best: the
// epoch is chosen on the test nodes, and every heading says so.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/compare.h"
#include "eval/metrics.h"

namespace scrl {

// One method under one protocol at one label rate of one data set.
struct CompareRow {
  std::size_t data = 0, cell = 0;
  std::string dataset;
  int labels = 0;  // asked for
  int rate = 0;    // of the split; 0: it has none
  std::string method, protocol;
  CellOutcome::Status status = CellOutcome::Status::kMissing;
  std::string failure, result_hash;
  std::vector<int> seeds;
  std::vector<double> accuracies, macro_f1s;  // by seed; none without test nodes
  std::optional<MeanStd> accuracy, macro_f1;
  bool best = false;
  std::optional<double> p_value;  // against the best; none for itself, for oracle, for few seeds
  std::optional<double> seconds, peak_mb;
};
// By data, labels, protocol, method.
std::vector<CompareRow> compare_rows(const Comparison& comparison);

// "validation nodes", "last epoch", "test nodes (diagnostic, not a result)"; "no labels" for a
// method that learns without them
std::string chosen_on(const std::string& protocol, const std::string& method);

struct CompareTable {
  struct Field {
    std::string text;
    bool best = false;
  };
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<Field>> rows;
  std::vector<std::string> notes;  // failures
};
// One table per data set and rate, with everything.
std::vector<CompareTable> full_tables(const Comparison& comparison);
// With several of those, accuracies alone: rates side by side, or data sets if there is one rate.
// Empty otherwise.
std::vector<CompareTable> overview_tables(const Comparison& comparison);

// Sentences that belong to every table: what is shown, how epochs were chosen, which test p is
// from.
std::vector<std::string> caption(const Comparison& comparison);

}  // namespace scrl
