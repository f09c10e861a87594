// experiments/compare_plan.h: what a comparison consists of: one cell per data set, label rate, row
// of the table and way to train, each with all its settings.
//
// A column `oracle` has no training of its own: it is the best test epoch of the training under
// `val`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "config/json.h"
#include "experiments/compare_request.h"

namespace scrl {

struct DataFacts {
  std::string given, name, fingerprint;
  int first_rate = 0;            // of its first split; 0: it has none, or one without a rate
  std::vector<int> labels = {};  // as asked for; empty: as the request has them
};

struct CompareCell {
  std::size_t data = 0;  // index into the facts
  int labels = 0;        // as asked for
  std::size_t row = 0;   // index into the rows
  std::string method;
  Protocol protocol = Protocol::kVal;
  std::vector<Setting> settings;  // all that train takes
  int first_seed = 0, epochs = 0, seeds = 0;
  Json key;                            // equal keys: equal results
  std::string stem, name;              // file names: without and with a hash of the key
  std::optional<std::string> layouts;  // epochs as in DataRequest; none: no layouts
  std::string embedding;  // equal: the same is learned before labels matter; empty: they always do
};

struct ComparePlan {
  std::string table, title;
  std::vector<DataFacts> data;
  std::vector<Variant> rows;
  std::vector<Protocol> protocols;
  int bench_epochs = 0;
  bool layouts = false, gain = false;
  std::vector<CompareCell> cells;  // by data, labels, row, protocol
  std::vector<std::string> notes;  // what a reader of the table has to know
};

// Fills what follows from the settings of a cell: seeds, epochs, key and names.
void finish_cell(CompareCell& cell, const std::string& program, const DataFacts& data,
                 int bench_epochs = 0);

// Names that several data sets share are replaced by what was given.
ComparePlan plan_comparison(const CompareRequest& request, std::vector<DataFacts> data);

// The rate that a table is headed by; 0: the split has none.
int shown_rate(const ComparePlan& plan, std::size_t data, int labels);
// The index of the cell that a column is read from.
std::size_t cell_of(const ComparePlan& plan, std::size_t data, int labels, std::size_t row,
                    Protocol protocol);

}  // namespace scrl
