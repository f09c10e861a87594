#include "experiments/paper_experiment_rows.h"

#include "base/error.h"
#include "models/registry.h"
#include "paper/published_settings.h"

namespace scrl {
namespace {

Variant scrl_row(bool paper, const std::string& what, std::vector<Setting> settings,
                 const std::string& published = "") {
  return {.label = cat(paper ? "scrl" : "scrl default", what.empty() ? "" : ", ", what),
          .method = paper ? "scrl-paper" : "scrl",
          .profile = paper ? Profile::kPaper : Profile::kDefault,
          .settings = std::move(settings),
          .published = published};
}

Variant without_consensus(bool paper = false) {
  return scrl_row(paper, "no L_ss", {{"alpha", "0", "reproduce"}});
}

}  // namespace

std::vector<Variant> rows_of(const std::vector<std::string>& methods) {
  std::vector<Variant> rows;
  for (const std::string& method : methods) {
    if (method == "scrl") {
      rows.push_back(scrl_row(true, "", {}, "scrl"));
      rows.push_back(scrl_row(false, "", {}, "scrl"));
      rows.push_back({.label = "auto", .method = "auto", .published = "scrl"});
      continue;
    }
    rows.push_back(method_rows({method}, Profile::kPaper).front());
    rows.back().published = method == "gcn-tf" ? "gcn" : method;  // two codes of one paper
  }
  return rows;
}

std::vector<Variant> without_auto(std::vector<Variant> rows) {
  std::erase_if(rows, [](const Variant& row) { return row.method == kAuto; });
  return rows;
}

std::vector<Variant> timed_rows() {
  std::vector<Variant> rows = without_auto(rows_of({"scrl", "amgcn", "grace"}));
  for (Variant& row : rows)
    if (row.method == "grace") row.settings.push_back({"negatives", "0", "reproduce"});
  return rows;
}

std::vector<Variant> sweep(const std::string& key, const std::string& name,
                           const std::vector<int>& values, const std::string& axis,
                           const std::vector<Setting>& fixed) {
  std::vector<Variant> rows;
  const RunConfig ours({{"method", "scrl", ""}});
  for (const bool paper : {true, false})
    for (const int value : values) {
      if (!paper && !ours.options.has(key)) continue;  // a constant of ours
      std::vector<Setting> settings = {{key, cat(value), "reproduce"}};
      if (paper) settings.insert(settings.end(), fixed.begin(), fixed.end());
      const std::string what = cat(name, "=", value);
      rows.push_back(scrl_row(paper, what, std::move(settings), what));
      rows.back().series = paper ? "published settings" : "default settings";
      rows.back().axis = axis;
      rows.back().x = value;
    }
  return rows;
}

std::vector<Variant> prototype_rows() {
  std::vector<Variant> rows = sweep("prototypes", "B", {9, 27, 45, 90});
  rows.push_back(scrl_row(false, "one per class", {}));
  return rows;
}

std::vector<Variant> ablation_rows() {
  std::vector<Variant> rows;
  for (const bool paper : {true, false}) {
    rows.push_back(scrl_row(paper, "", {}, "scrl"));
    rows.push_back(without_consensus(paper));
    rows.back().published = "scrl without L_ss";
  }
  return rows;
}

std::vector<Variant> consensus_rows() { return {scrl_row(false, "", {}), without_consensus()}; }

}  // namespace scrl
