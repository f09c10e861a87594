// app/compare_plan.h: what a comparison consists of: one cell per data set, label rate, method and
// way to train, each with all its settings.
//
// A column `oracle` has no training of its own: it is the best test epoch of the training under
// `val`. Settings go to the methods that know them; METHOD.key=value goes to one method.
#pragma once
#include <string>
#include <vector>

#include "app/config.h"
#include "app/model_file.h"

namespace scrl {

struct CompareRequest {
  std::vector<std::string> data;       // as load_dataset takes them
  std::vector<std::string> methods;    // in the order of the table
  std::vector<int> labels = {0};       // 0: the split of the data
  std::vector<std::string> protocols;  // columns: val, fixed, oracle
  std::vector<Setting> settings;       // of train, or METHOD.key; lowest precedence first
  bool paper = false;                  // published settings where there are any
  std::string folder;                  // empty: compare/NAMES
  std::string program;                 // version; another one trains anew
  Index mem_limit = 0;                 // as in TrainRequest
};

// Throws Error(kUsage) on anything that can be known to be wrong before data is read.
void check_request(const CompareRequest& request);

// The names in "all" or "a,b,c". Throws Error(kUsage) as the registry does, and on repetition.
std::vector<std::string> method_names(const std::string& list);
std::vector<int> label_rates(const std::string& list);             // "20,40,60"; "": {0}
std::vector<std::string> protocol_names(const std::string& list);  // "val,oracle"

struct DataFacts {
  std::string given, name, fingerprint;
  int first_rate = 0;  // of its first split; 0: it has none, or one without a rate
};

struct CompareCell {
  std::size_t data = 0;  // index into the facts
  int labels = 0;        // as asked for
  std::string method, protocol;
  std::vector<Setting> settings;  // all that train takes
  int first_seed = 0, epochs = 0, seeds = 0;
  Json key;                // equal keys: equal results
  std::string stem, name;  // file names: without and with a hash of the key
};

struct ComparePlan {
  std::vector<DataFacts> data;
  std::vector<std::string> methods, protocols;
  std::vector<int> labels;
  std::vector<CompareCell> cells;  // by data, labels, method, protocol
  std::vector<std::string> notes;  // what a reader of the table has to know
};

// Fills what follows from the settings of a cell: seeds, epochs, key and names.
void finish_cell(CompareCell& cell, const std::string& program, const DataFacts& data);

// Names that several data sets share are replaced by what was given.
ComparePlan plan_comparison(const CompareRequest& request, std::vector<DataFacts> data);

// The rate that a table is headed by; 0: the split has none.
int shown_rate(const ComparePlan& plan, std::size_t data, int labels);
// The index of the cell that a column is read from.
std::size_t cell_of(const ComparePlan& plan, std::size_t data, int labels,
                    const std::string& method, const std::string& protocol);

}  // namespace scrl
