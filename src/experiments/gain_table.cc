#include "experiments/gain_table.h"

#include <span>

#include "base/error.h"
#include "base/text.h"
#include "eval/significance.h"

namespace scrl {
namespace {

std::string signed_text(double value) {
  std::string text = number_text(value, 2);
  if (text == "-0.00") return "0.00";
  return value > 0 && text != "0.00" ? text.insert(0, 1, '+') : text;
}

// "+1.20 ± 0.40" and "0.004"; "-" without scores of the same seeds.
std::pair<std::string, std::string> gain_texts(const CompareRow& with, const CompareRow& without) {
  if (!with.accuracy || !without.accuracy || with.seeds != without.seeds) return {"-", "-"};
  std::vector<double> gains;
  for (std::size_t i = 0; i < with.accuracies.size(); ++i)
    gains.push_back(with.accuracies[i] - without.accuracies[i]);
  const MeanStd gain = mean_std(gains);
  const std::string spread = gains.size() > 1 ? " ± " + number_text(gain.std, 2) : "";
  const auto p = paired_t_test(with.accuracies, without.accuracies);
  return {signed_text(gain.mean) + spread, p_text(p)};
}

// The first row beside the second, a line for each data set and label rate.
CompareTable side_by_side(const ComparePlan& plan, const std::vector<CompareRow>& rows) {
  CompareTable table{
      .title = plan.title,
      .header = {"data", "labels", plan.rows[0].label, plan.rows[1].label, "gain", "p"}};
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const CompareRow &with = rows[i], &without = rows[i + 1];
    const auto [gain, p] = gain_texts(with, without);
    table.rows.push_back({{with.dataset},
                          {cat(with.rate)},
                          {score_text(with, with.accuracy), with.best},
                          {score_text(without, without.accuracy), without.best},
                          {gain},
                          {p}});
    add_failure(with, table.notes), add_failure(without, table.notes);
  }
  return table;
}

// The rows below each other, the one they are held against at the end.
CompareTable over_the_last(const ComparePlan& plan, std::span<const CompareRow> rows) {
  CompareTable table{
      .title = cat(plan.title, ": ", title_of(rows.front())),
      .header = {"method", cat("ACC ", shown_protocol(plan.protocols.front())), "gain", "p"}};
  for (const CompareRow& row : rows) {
    const bool last = &row == &rows.back();
    const auto [gain, p] =
        last ? std::pair<std::string, std::string>("", "") : gain_texts(row, rows.back());
    table.rows.push_back({{row.label}, {score_text(row, row.accuracy), row.best}, {gain}, {p}});
    add_failure(row, table.notes);
  }
  return table;
}

}  // namespace

std::vector<CompareTable> gain_tables(const Comparison& c) {
  const std::size_t step = c.plan.rows.size();
  check(step >= 2 && c.plan.protocols.size() == 1,
        "gain_tables: expected two or more rows and one protocol");
  const std::vector<CompareRow> rows = compare_rows(c);
  if (step == 2) return {side_by_side(c.plan, rows)};
  std::vector<CompareTable> tables;
  for (std::size_t begin = 0; begin < rows.size(); begin += step)
    tables.push_back(over_the_last(c.plan, std::span(rows).subspan(begin, step)));
  return tables;
}

}  // namespace scrl
