#include "experiments/paper_tables.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace scrl {
namespace {

// The columns of one score: paper, then the protocols.
void add_score(const ComparePlan& plan, const CompareRow* rows, bool paper, bool f1,
               CompareTable& table) {
  const std::string score = f1 ? "F1" : "ACC";
  const std::size_t count = plan.rows.size();
  if (paper) table.header.push_back(score + " paper");
  for (std::size_t r = 0; paper && r < count; ++r) {
    const auto& p = rows[r].paper;
    const std::optional<double> value = !p   ? std::nullopt
                                        : f1 ? p->macro_f1
                                             : std::optional(p->accuracy);
    table.rows[r].push_back({value ? number_text(*value, p->digits) : "-"});
  }
  for (std::size_t p = 0; p < plan.protocols.size(); ++p) {
    table.header.push_back(
        cat(score, " ", shown_protocol(plan.protocols[p]), " (", plan.cells.front().seeds, ")"));
    for (std::size_t r = 0; r < count; ++r) {
      const CompareRow& row = rows[p * count + r];
      table.rows[r].push_back({score_text(row, f1 ? row.macro_f1 : row.accuracy), row.best});
    }
  }
}

CompareTable score_table(const ComparePlan& plan, const CompareRow* rows) {
  const std::size_t count = plan.rows.size();
  CompareTable table{.title = cat(plan.title, ": ", title_of(*rows)), .header = {"method"}};
  for (std::size_t r = 0; r < count; ++r) table.rows.push_back({{plan.rows[r].label}});
  const auto any = [&](auto has) { return std::any_of(rows, rows + count, has); };
  add_score(plan, rows, any([](const CompareRow& r) { return r.paper.has_value(); }), false, table);
  if (any([](const CompareRow& r) { return r.paper && r.paper->macro_f1; }))
    add_score(plan, rows, true, true, table);
  for (std::size_t i = 0; i < count * plan.protocols.size(); ++i) add_failure(rows[i], table.notes);
  return table;
}

}  // namespace

std::vector<CompareTable> paper_tables(const Comparison& c) {
  const std::vector<CompareRow> rows = compare_rows(c);
  const std::size_t step = c.plan.rows.size() * c.plan.protocols.size();
  std::vector<CompareTable> tables;
  for (std::size_t begin = 0; begin < rows.size(); begin += step)
    tables.push_back(score_table(c.plan, &rows[begin]));
  return tables;
}

}  // namespace scrl
