#include "comparison_view.h"

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "command.h"

namespace scrl::cli {
namespace {

using Status = CellOutcome::Status;

std::string cell_text(const ComparePlan& plan, std::size_t index) {
  const CompareCell& cell = plan.cells[index];
  const int rate = shown_rate(plan, cell.data, cell.labels);
  return cat(plan.table, plan.table.empty() ? "" : " ", "[", index + 1, "/", plan.cells.size(),
             "] ", plan.data[cell.data].name, rate > 0 ? cat(" ", rate) : "", " ",
             plan.rows[cell.row].label,
             cell.protocol == Protocol::kVal ? "" : std::string(" ") + name_of(cell.protocol));
}

std::string done_text(const Comparison& c, std::size_t index) {
  const CellOutcome& o = c.outcomes[index];
  const std::string cell = cell_text(c.plan, index);
  if (o.status == Status::kFailed) return cat(cell, ": failed: ", o.failure);
  if (o.times) return cat(cell, ": ", fixed(o.times->epoch_ms.median, 1), " ms per epoch");
  const TrainResult& r = o.training.value();
  const std::string score = r.tested()
                                ? percent(r.accuracy().mean, r.accuracy().std, r.seeds.size() > 1)
                                : "no test nodes";
  return cat(cell, ": ", score, ", ", fixed(o.seconds, 1), " s");
}

}  // namespace

void print_table(const CompareTable& t, bool star) {
  std::vector<std::vector<std::string>> rows = {t.header};
  for (const auto& row : t.rows) {
    rows.emplace_back();
    for (const auto& field : row)
      rows.back().push_back(field.best ? bold(field.text) + (star ? " *" : "") : field.text);
  }
  std::printf("%s\n%s", bold(t.title).c_str(), table(rows).c_str());
  for (const std::string& note : t.notes) std::printf("  %s\n", note.c_str());
  std::printf("\n");
}

void print_caption(const Comparison& c) {
  for (const std::string& line : caption(c)) std::printf("  %s\n", dim(line).c_str());
}

CompareEvents events_for(Progress& progress) {
  CompareEvents events;
  events.note = [&](const std::string& line) { progress.note(line); };
  events.should_stop = [] { return caught_signal() != 0; };
  events.epoch = [&](const ComparePlan& plan, std::size_t index, int seed, const EpochStats& e,
                     const TimeLeft& left) {
    const CompareCell& cell = plan.cells[index];
    progress.epoch(cat(cell_text(plan, index), cell.seeds > 1 ? cat(" seed ", seed) : "", ", ",
                       left.at_least ? "at least " : "about ", duration(left.seconds), " left"),
                   e, cell.epochs);
  };
  events.cell_done = [&](const Comparison& c, std::size_t index) {
    progress.note(done_text(c, index));
  };
  return events;
}

int exit_code(const Comparison& c, bool quiet) {
  const auto failed = std::find_if(c.outcomes.begin(), c.outcomes.end(),
                                   [](const auto& o) { return o.status == Status::kFailed; });
  if (failed == c.outcomes.end()) return 0;
  if (quiet)  // the others have seen it when it happened
    std::fprintf(stderr, "scrl: %s\n", done_text(c, failed - c.outcomes.begin()).c_str());
  return static_cast<int>(failed->kind);
}

}  // namespace scrl::cli
