// study/compare_plan.h: what a comparison consists of: one cell per data set, label rate, row of
// the table and way to train, each with all its settings. A row is a method with settings of its
// own.
//
// A column `oracle` has no training of its own: it is the best test epoch of the training under
// `val`. Settings go to the methods that know them; METHOD.key=value goes to one method.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/config.h"
#include "app/model_file.h"

namespace scrl {

// A row of the tables.
struct Variant {
  std::string label, method;
  std::string profile = "default";     // where it has settings for the data
  std::vector<Setting> settings = {};  // what the row is about; over all others
  std::string published = {};          // what study/paper_results.h calls it
  // A row that is a point of a figure: of which line, on which axis, where.
  std::string series = {}, axis = {};
  double x = 0;
};
// Rows named by their methods.
std::vector<Variant> method_rows(const std::vector<std::string>& methods,
                                 const std::string& profile);
// The methods of these rows, each once.
std::vector<std::string> methods_of(const std::vector<Variant>& rows);

struct DataRequest {
  std::string given;             // as load_dataset takes it
  std::vector<int> labels = {};  // empty: those of the request
  std::string note = {};         // what a reader of its figures has to know
  std::string snapshots = {};    // with maps: of which epochs; empty: of the model
};

struct CompareRequest {
  std::vector<DataRequest> data;
  std::vector<Variant> rows;           // in the order of the table
  std::vector<int> labels = {0};       // 0: the split of the data
  std::vector<std::string> protocols;  // columns: val, fixed, oracle
  std::vector<Setting> settings;       // of train, or METHOD.key; lowest precedence first
  std::string table, title;            // which one of the paper this is; empty: none
  std::vector<std::string> notes;      // more of what a reader has to know
  int bench_epochs = 0;                // above 0: epochs are timed, nothing is trained to its end
  bool maps = false;                   // embeddings are laid out too (study/figure_maps.h)
  bool gain = false;                   // of every row over the last one (study/gain_table.h)
  std::string folder;                  // empty: compare/NAMES
  std::string program;                 // version; another one trains anew
  bool any_build = false;              // take what another version trained
  Index mem_limit = 0;                 // as in TrainRequest
};

// Throws Error(kUsage) on anything that can be known to be wrong before data is read.
void check_request(const CompareRequest& request);

// Whether a setting, METHOD.key or key, is one of any of these methods.
bool applies(const Setting& setting, const std::vector<std::string>& methods);

// "a,b,c" as the value of an option. Throws Error(kUsage) on repetition and on nothing.
std::vector<std::string> list_of(const std::string& option, const std::string& list);
// The names in "all" or "a,b,c". Throws Error(kUsage) as the registry does, and on repetition.
std::vector<std::string> method_names(const std::string& list);
std::vector<int> label_rates(const std::string& list);             // "20,40,60"; "": {0}
std::vector<std::string> protocol_names(const std::string& list);  // "val,oracle"

struct DataFacts {
  std::string given, name, fingerprint;
  int first_rate = 0;            // of its first split; 0: it has none, or one without a rate
  std::vector<int> labels = {};  // as asked for; empty: as the request has them
};

struct CompareCell {
  std::size_t data = 0;  // index into the facts
  int labels = 0;        // as asked for
  std::size_t row = 0;   // index into the rows
  std::string method, protocol;
  std::vector<Setting> settings;  // all that train takes
  int first_seed = 0, epochs = 0, seeds = 0;
  Json key;                         // equal keys: equal results
  std::string stem, name;           // file names: without and with a hash of the key
  std::optional<std::string> maps;  // epochs as in DataRequest; none: no maps
  std::string embedding;  // equal: the same is learned before labels matter; empty: they always do
};

struct ComparePlan {
  std::string table, title;
  std::vector<DataFacts> data;
  std::vector<Variant> rows;
  std::vector<std::string> protocols;
  int bench_epochs = 0;
  bool maps = false, gain = false;
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
                    const std::string& protocol);

}  // namespace scrl
