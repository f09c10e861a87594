#include "experiments/compare_rows.h"

#include "eval/significance.h"
#include "models/registry.h"
#include "run/results.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

CompareRow make_row(const Comparison& c, std::size_t data, int labels, const std::string& protocol,
                    std::size_t variant) {
  const Variant& v = c.plan.rows[variant];
  const std::size_t index = cell_of(c.plan, data, labels, variant, protocol);
  const CellOutcome& outcome = c.outcomes[index];
  CompareRow row{.data = data,
                 .cell = index,
                 .dataset = c.plan.data[data].name,
                 .labels = labels,
                 .rate = shown_rate(c.plan, data, labels),
                 .method = v.method,
                 .label = v.label,
                 .protocol = protocol,
                 .status = outcome.status,
                 .failure = outcome.failure,
                 .build = outcome.program};
  row.paper = published(c.plan.table, row.dataset, row.rate, v.published);
  if (outcome.status != Status::kDone) return row;
  const Json& m = outcome.metrics;
  row.result_hash = m.at("result_hash").get<std::string>();
  row.seconds = outcome.seconds;
  row.peak_mb = outcome.peak_mb;
  const bool has_test = m.at("test_nodes").get<Index>() > 0;
  for (const Json& j : m.at("per_seed")) {
    const SeedResult seed = seed_result_from_json(j);
    row.seeds.push_back(seed.seed);
    if (!has_test) continue;
    const Scores& s = protocol == "oracle" ? seed.oracle : seed.test;
    row.accuracies.push_back(s.accuracy);
    row.macro_f1s.push_back(s.macro_f1);
  }
  if (has_test) {
    row.accuracy = mean_std(row.accuracies);
    row.macro_f1 = mean_std(row.macro_f1s);
  }
  return row;
}

// Rows of one protocol in one table.
void find_best(std::vector<CompareRow>& rows, std::size_t begin) {
  CompareRow* best = nullptr;
  for (std::size_t i = begin; i < rows.size(); ++i) {
    CompareRow& r = rows[i];
    if (!r.accuracy || r.protocol == "oracle") continue;
    if (!best || r.accuracy->mean > best->accuracy->mean ||
        (r.accuracy->mean == best->accuracy->mean && r.macro_f1->mean > best->macro_f1->mean))
      best = &r;
  }
  if (!best || rows.size() - begin < 2) return;
  best->best = true;
  for (std::size_t i = begin; i < rows.size(); ++i)
    if (rows[i].accuracy && !rows[i].best && rows[i].seeds == best->seeds)
      rows[i].p_value = paired_t_test(rows[i].accuracies, best->accuracies);
}

}  // namespace

const char* status_text(Status status) {
  return status == Status::kDone ? "done" : status == Status::kFailed ? "failed" : "missing";
}

std::string chosen_on(const std::string& protocol, const std::string& method) {
  if (!method_info(method).labels) return "no labels";
  if (protocol == "val") return "validation nodes";
  if (protocol == "fixed") return "last epoch";
  return "test nodes (diagnostic, not a result)";
}

std::vector<CompareRow> compare_rows(const Comparison& c) {
  std::vector<CompareRow> rows;
  for (std::size_t data = 0; data < c.plan.data.size(); ++data)
    for (const int labels : c.plan.data[data].labels)
      for (const std::string& protocol : c.plan.protocols) {
        const std::size_t begin = rows.size();
        for (std::size_t variant = 0; variant < c.plan.rows.size(); ++variant)
          rows.push_back(make_row(c, data, labels, protocol, variant));
        find_best(rows, begin);
      }
  return rows;
}

}  // namespace scrl
