#include "experiments/compare_tables.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "eval/significance.h"
#include "experiments/gain_table.h"
#include "experiments/paper_tables.h"
#include "experiments/time_tables.h"
#include "models/registry.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;
using Field = CompareTable::Field;

std::string optional_text(const std::optional<double>& value, int digits) {
  return value ? number_text(*value, digits) : "-";
}

// The honest protocols among the columns, in their order.
std::vector<Protocol> honest(const ComparePlan& plan) {
  std::vector<Protocol> out;
  for (const Protocol p : plan.protocols)
    if (p != Protocol::kOracle) out.push_back(p);
  return out;
}

CompareTable full_table(const ComparePlan& plan, const std::vector<CompareRow>& rows,
                        std::size_t begin) {
  const std::size_t methods = plan.rows.size(), protocols = plan.protocols.size();
  const bool compared = methods > 1;
  CompareTable table{.title = title_of(rows[begin]), .header = {"method"}};
  table.rows.resize(methods);
  std::vector<Protocol> trainings = honest(plan);
  if (std::find(trainings.begin(), trainings.end(), Protocol::kVal) == trainings.end() &&
      trainings.size() < protocols)
    trainings.push_back(
        Protocol::kOracle);  // read off a training whose own column was not asked for
  for (std::size_t m = 0; m < methods; ++m) table.rows[m].push_back({plan.rows[m].label});
  for (std::size_t p = 0; p < protocols; ++p) {
    const Protocol protocol = plan.protocols[p];
    const std::string prefix =
        protocols > 1 || protocol == Protocol::kOracle ? shown_protocol(protocol) + " " : "";
    const bool tested = compared && protocol != Protocol::kOracle;
    table.header.insert(table.header.end(), {prefix + "accuracy", prefix + "macro-F1"});
    if (tested) table.header.push_back(prefix + "p");
    for (std::size_t m = 0; m < methods; ++m) {
      const CompareRow& r = rows[begin + p * methods + m];
      table.rows[m].push_back({score_text(r, r.accuracy), r.best});
      table.rows[m].push_back(
          {r.status == Status::kFailed ? "-" : score_text(r, r.macro_f1), r.best});
      if (tested) table.rows[m].push_back({r.best ? "best" : p_text(r.p_value), r.best});
      add_failure(r, table.notes);
    }
  }
  for (const Protocol training : trainings) {
    const std::string prefix = trainings.size() > 1 ? shown_protocol(training) + " " : "";
    table.header.insert(table.header.end(), {prefix + "seconds", prefix + "peak MB"});
    const auto p = static_cast<std::size_t>(
        std::find(plan.protocols.begin(), plan.protocols.end(), training) - plan.protocols.begin());
    for (std::size_t m = 0; m < methods; ++m) {
      const CompareRow& r = rows[begin + p * methods + m];
      table.rows[m].push_back({optional_text(r.seconds, 1)});
      table.rows[m].push_back({optional_text(r.peak_mb, 0)});
    }
  }
  return table;
}

}  // namespace

std::string score_text(const CompareRow& row, const std::optional<MeanStd>& value) {
  if (row.status == Status::kFailed) return "failed";
  if (!value) return "-";
  return row.seeds.size() > 1 ? cat(number_text(value->mean, 2), " ± ", number_text(value->std, 2))
                              : number_text(value->mean, 2);
}

std::string p_text(const std::optional<double>& p) {
  if (!p) return "-";
  return *p < 0.001 ? "< 0.001" : number_text(*p, 3);
}

std::string shown_protocol(Protocol protocol) {
  return protocol == Protocol::kOracle ? "oracle†" : name_of(protocol);
}

std::string title_of(const CompareRow& row) {
  return row.rate > 0 ? cat(row.dataset, ", ", row.rate, " labels per class") : row.dataset;
}

void add_failure(const CompareRow& row, std::vector<std::string>& notes) {
  if (row.status != Status::kFailed) return;
  std::string note = cat(row.label, " failed: ", row.failure);
  std::replace(note.begin(), note.end(), '\n', ' ');
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
}

std::vector<CompareTable> all_tables(const Comparison& c) {
  if (c.plan.bench_epochs > 0) return {time_table(c)};
  if (c.plan.gain) return gain_tables(c);
  if (!c.plan.table.empty()) return paper_tables(c);
  std::vector<CompareTable> tables = overview_tables(c);
  for (CompareTable& t : full_tables(c)) tables.push_back(std::move(t));
  return tables;
}

std::vector<CompareTable> full_tables(const Comparison& c) {
  const std::vector<CompareRow> rows = compare_rows(c);
  std::vector<CompareTable> tables;
  const std::size_t step = c.plan.rows.size() * c.plan.protocols.size();
  for (std::size_t begin = 0; begin < rows.size(); begin += step)
    tables.push_back(full_table(c.plan, rows, begin));
  return tables;
}

std::vector<CompareTable> overview_tables(const Comparison& c) {
  constexpr std::size_t kColumns = 6;  // side by side
  const std::size_t rates = c.plan.data.front().labels.size(), groups = c.plan.data.size() * rates;
  if (groups < 2) return {};
  const std::vector<CompareRow> rows = compare_rows(c);
  const std::vector<Protocol> honest_ones = honest(c.plan);
  const Protocol protocol = honest_ones.empty() ? Protocol::kOracle : honest_ones.front();
  const std::string what = cat("accuracy, ", shown_protocol(protocol));
  const std::size_t methods = c.plan.rows.size(), step = methods * c.plan.protocols.size();
  const auto offset =
      methods * static_cast<std::size_t>(
                    std::find(c.plan.protocols.begin(), c.plan.protocols.end(), protocol) -
                    c.plan.protocols.begin());
  const std::size_t columns = rates > 1 ? rates : kColumns;
  std::vector<CompareTable> tables;
  for (std::size_t first = 0; first < groups; first += columns) {
    const std::string& name = c.plan.data[first / rates].name;
    CompareTable table{.title = rates > 1 ? cat(name, ": ", what, ", by labels per class") : what,
                       .header = {"method"}};
    table.rows.resize(methods);
    for (std::size_t m = 0; m < methods; ++m) table.rows[m].push_back({c.plan.rows[m].label});
    for (std::size_t g = first; g < std::min(groups, first + columns); ++g) {
      const CompareRow* const group = &rows[g * step + offset];
      const std::string rate = group->rate > 0 ? cat(group->rate) : std::string("own split");
      table.header.push_back(rates > 1         ? rate
                             : group->rate > 0 ? cat(group->dataset, " ", rate)
                                               : group->dataset);
      for (std::size_t m = 0; m < methods; ++m)
        table.rows[m].push_back({score_text(group[m], group[m].accuracy), group[m].best});
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<std::string> caption(const Comparison& c) {
  if (c.plan.bench_epochs > 0) return time_caption(c);
  const int seeds = c.plan.cells.front().seeds;
  std::vector<std::string> out = {
      seeds > 1 ? cat("Percent on the test nodes, mean ± sample standard deviation over ", seeds,
                      " seeds.")
                : std::string("Percent on the test nodes, one seed.")};
  for (const Protocol p : c.plan.protocols) {
    if (p == Protocol::kVal) out.emplace_back("val: epoch chosen on the validation nodes.");
    if (p == Protocol::kFixed) out.emplace_back("fixed: the last epoch.");
    if (p == Protocol::kOracle)
      out.emplace_back(
          "† oracle: epoch of the val training chosen on the test nodes (diagnostic, not a "
          "result).");
  }
  std::string alone;
  for (const std::string& m : methods_of(c.plan.rows))
    if (!method_info(m).labels) alone += (alone.empty() ? "" : ", ") + m;
  if (!alone.empty())
    out.push_back(cat(alone, ": learned without labels; no protocol chooses an epoch of it."));
  if (c.plan.table.empty() && c.plan.rows.size() > 1 && !honest(c.plan).empty()) {
    if (seeds >= static_cast<int>(kFewestPairs))
      out.push_back(cat("p: two-sided paired t-test of the accuracies of ", seeds,
                        " seeds against the best method, not corrected for the number of ",
                        "comparisons."));
    else
      out.push_back(
          cat("p: a paired t-test against the best method needs ", kFewestPairs, " seeds."));
  }
  if (c.plan.table.empty())
    out.emplace_back(
        "seconds: all seeds, with the feature graph; peak MB: of the process meanwhile.");
  add_common_lines(c, out);
  return out;
}

void add_common_lines(const Comparison& c, std::vector<std::string>& out) {
  const auto missing = std::count_if(c.outcomes.begin(), c.outcomes.end(),
                                     [](const auto& o) { return o.status == Status::kMissing; });
  if (missing > 0)
    out.push_back(cat(missing, " of ", c.outcomes.size(),
                      c.plan.bench_epochs > 0 ? " measurements" : " trainings",
                      " are still to do."));
  std::map<std::string, int> builds;
  for (const CellOutcome& o : c.outcomes)
    if (o.status == Status::kDone) ++builds[o.program];
  builds.erase(c.plan.cells.front().key.at("program").get<std::string>());
  for (const auto& [build, count] : builds)
    out.push_back(
        cat(count, " of ", c.outcomes.size(), " were done by another build, ", build, "."));
  for (const std::string& note : c.plan.notes) out.push_back(note + ".");
}

}  // namespace scrl
