#include "study/gain_table.h"

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

}  // namespace

CompareTable gain_table(const Comparison& c) {
  check(c.plan.rows.size() == 2 && c.plan.protocols.size() == 1,
        "gain_table: expected two rows and one protocol");
  CompareTable table{
      .title = c.plan.title,
      .header = {"data", "labels", c.plan.rows[0].label, c.plan.rows[1].label, "gain", "p"}};
  const std::vector<CompareRow> rows = compare_rows(c);
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

}  // namespace scrl
