// experiments/compare_request.h: what a comparison is asked for: data, rows, columns and settings,
// and what can be wrong with that before any data is read. A row is a method with settings of its
// own.
//
// Settings go to the methods that know them; METHOD.key=value goes to one method.
#pragma once
#include <string>
#include <vector>

#include "config/config.h"

namespace scrl {

// A row of the tables.
struct Variant {
  std::string label, method;
  Profile profile = Profile::kDefault;  // where it has settings for the data
  std::vector<Setting> settings = {};   // what the row is about; over all others
  std::string published = {};           // what paper/results.h calls it
  // A row that is a point of a figure: of which line, on which axis, where.
  std::string series = {}, axis = {};
  double x = 0;
};
// Rows named by their methods.
std::vector<Variant> method_rows(const std::vector<std::string>& methods, Profile profile);
// The methods of these rows, each once.
std::vector<std::string> methods_of(const std::vector<Variant>& rows);

struct DataRequest {
  std::string given;             // as load_dataset takes it
  std::vector<int> labels = {};  // empty: those of the request
  std::string note = {};         // what a reader of its figures has to know
  std::string snapshots = {};    // with layouts: of which epochs; empty: of the model
};

struct CompareRequest {
  std::vector<DataRequest> data;
  std::vector<Variant> rows;        // in the order of the table
  std::vector<int> labels = {0};    // 0: the split of the data
  std::vector<Protocol> protocols;  // columns: val, fixed, oracle
  std::vector<Setting> settings;    // of train, or METHOD.key; lowest precedence first
  std::string table, title;         // which one of the paper this is; empty: none
  std::vector<std::string> notes;   // more of what a reader has to know
  int bench_epochs = 0;             // above 0: epochs are timed, nothing is trained to its end
  bool layouts = false;             // embeddings are laid out too (experiments/figure_layouts.h)
  bool gain = false;                // of every row over the last one (experiments/gain_table.h)
  std::string folder;               // empty: compare/NAMES
  std::string program;              // version; another one trains anew
  bool any_build = false;           // take what another version trained
  Index mem_limit = 0;              // as in TrainRequest
};

// Throws Error(kUsage) on anything that can be known to be wrong before data is read.
void check_request(const CompareRequest& request);

// The settings of the request that are for a row: those for all, its method's, its own.
std::vector<Setting> settings_for(const CompareRequest& request, const Variant& row);
// What was set by hand, so that a table never looks like one made with other settings.
std::vector<std::string> notes_on_settings(const CompareRequest& request);

// Whether a setting, METHOD.key or key, is one of any of these methods.
bool applies(const Setting& setting, const std::vector<std::string>& methods);

std::string joined(const std::vector<std::string>& texts);  // a, b, c
// "a,b,c" as the value of an option. Throws Error(kUsage) on repetition and on nothing.
std::vector<std::string> list_of(const std::string& option, const std::string& list);
// The names in "all" or "a,b,c". Throws Error(kUsage) as the registry does, and on repetition.
std::vector<std::string> method_names(const std::string& list);
std::vector<int> label_rates(const std::string& list);           // "20,40,60"; "": {0}
std::vector<Protocol> protocols_named(const std::string& list);  // "val,oracle"

}  // namespace scrl
