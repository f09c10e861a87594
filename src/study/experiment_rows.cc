#include "study/experiment_rows.h"

#include "base/error.h"
#include "models/profiles.h"

namespace scrl {
namespace {

Variant scrl_row(bool paper, const std::string& what, std::vector<Setting> settings,
                 const std::string& published = "") {
  return {.label = cat(paper ? "scrl" : "scrl default", what.empty() ? "" : ", ", what),
          .method = "scrl",
          .profile = paper ? "paper" : "default",
          .settings = std::move(settings),
          .published = published};
}

Variant without_consensus(bool paper = false) {
  return scrl_row(paper, "no L_ss", {{"alpha", "0", "reproduce"}});
}

Variant changed(const std::string& what, const KeyValues& settings) {
  Variant row = scrl_row(false, what, {});
  for (const auto& [key, value] : settings) row.settings.push_back({key, value, "reproduce"});
  return row;
}

}  // namespace

std::vector<Variant> rows_of(const std::vector<std::string>& methods) {
  std::vector<Variant> rows;
  for (Variant& row : method_rows(methods, "paper")) {
    row.published = row.method == "gcn-tf" ? "gcn" : row.method;  // two codes of one paper
    rows.push_back(row);
    if (row.method == "scrl")
      rows.push_back({.label = "scrl default", .method = "scrl", .published = "scrl"});
  }
  return rows;
}

std::vector<Variant> timed_rows() {
  std::vector<Variant> rows = rows_of({"scrl", "amgcn", "grace"});
  for (Variant& row : rows)
    if (row.method == "grace") row.settings.push_back({"contrasted", "0", "reproduce"});
  return rows;
}

std::vector<Variant> sweep(const std::string& key, const std::string& name,
                           const std::vector<int>& values, const std::string& axis,
                           const std::vector<Setting>& fixed) {
  std::vector<Variant> rows;
  for (const bool paper : {true, false})
    for (const int value : values) {
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
  rows.push_back(scrl_row(false, "one per class", {{"prototypes", "0", "reproduce"}}));
  return rows;
}

std::vector<Variant> form_rows() {
  const auto free = [](const std::string& what, KeyValues more) {
    more.insert(more.end(), {{"prototypes", "18"}, {"alpha", "1"}});
    return changed(cat("free prototypes", what), more);
  };
  const auto products = [](KeyValues more) {
    more.insert(more.end(), {{"embed_norm", "false"},
                             {"tau", "0.1"},
                             {"epsilon", "0.3"},
                             {"ramp", "0"},
                             {"sinkhorn_iters", "10"}});
    return more;
  };
  return {free("", products({{"proto_norm", "false"}})),
          free(", training nodes", products({{"proto_norm", "true"}, {"ss_nodes", "train"}})),
          free(", cosines", {}), scrl_row(false, "", {}), without_consensus()};
}

std::vector<Variant> part_rows() {
  return {changed("not normalised", {{"embed_norm", "false"}, {"proto_norm", "false"}}),
          changed("not anchored", {{"anchor", "0"}}),
          changed("labelled nodes alone", {{"ss_nodes", "train"}}),
          changed("no ramp", {{"ramp", "0"}}),
          changed("tau=0.1", {{"tau", "0.1"}}),
          changed("tau=1", {{"tau", "1"}}),
          changed("epsilon=0.3", {{"epsilon", "0.3"}}),
          changed("no vote", {{"vote", "0"}}),
          changed("feature_weight=1", {{"feature_weight", "1"}}),
          scrl_row(false, "", {})};
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
