#include "experiments/compare_rows.h"

#include "eval/significance.h"
#include "models/registry.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

CompareRow make_row(const Comparison& c, std::size_t data, int labels, Protocol protocol,
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
  if (!outcome.training) return row;
  const TrainResult& trained = *outcome.training;
  row.result_hash = trained.result_hash();
  row.seconds = outcome.seconds;
  row.peak_mb = outcome.peak_mb;
  for (const SeedResult& seed : trained.seeds) {
    row.seeds.push_back(seed.seed);
    if (!trained.tested()) continue;
    const Scores& s = protocol == Protocol::kOracle ? seed.oracle : seed.test;
    row.accuracies.push_back(s.accuracy);
    row.macro_f1s.push_back(s.macro_f1);
  }
  if (trained.tested()) {
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
    if (!r.accuracy || r.protocol == Protocol::kOracle) continue;
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

std::string chosen_on(Protocol protocol, const std::string& method) {
  if (!method_info(method).labels) return "no labels";
  if (protocol == Protocol::kVal) return "validation nodes";
  if (protocol == Protocol::kFixed) return "last epoch";
  return "test nodes (diagnostic, not a result)";
}

std::vector<CompareRow> compare_rows(const Comparison& c) {
  std::vector<CompareRow> rows;
  for (std::size_t data = 0; data < c.plan.data.size(); ++data)
    for (const int labels : c.plan.data[data].labels)
      for (const Protocol protocol : c.plan.protocols) {
        const std::size_t begin = rows.size();
        for (std::size_t variant = 0; variant < c.plan.rows.size(); ++variant)
          rows.push_back(make_row(c, data, labels, protocol, variant));
        find_best(rows, begin);
      }
  return rows;
}

}  // namespace scrl
