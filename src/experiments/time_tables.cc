#include "experiments/time_tables.h"

#include "base/error.h"
#include "base/text.h"
#include "run/outputs.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

// One measured cell.
struct TimeRow {
  std::string dataset, method, label, build, failure;
  Status status = Status::kMissing;
  std::optional<double> paper_ms;
  std::optional<EpochTimes> times;
  std::optional<double> peak_mb;
};

std::vector<TimeRow> time_rows(const Comparison& c) {
  std::vector<TimeRow> rows;
  for (std::size_t i = 0; i < c.plan.cells.size(); ++i) {
    const CompareCell& cell = c.plan.cells[i];
    const CellOutcome& o = c.outcomes[i];
    const std::string& dataset = c.plan.data[cell.data].name;
    rows.push_back({.dataset = dataset,
                    .method = cell.method,
                    .label = c.plan.rows[cell.row].label,
                    .build = o.program,
                    .failure = o.failure,
                    .status = o.status,
                    .paper_ms = published_epoch_ms(dataset, c.plan.rows[cell.row].published),
                    .times = o.times,
                    .peak_mb = o.peak_mb});
  }
  return rows;
}

std::string ms_text(const TimeRow& row, Spread EpochTimes::*part, double Spread::*which) {
  if (row.status == Status::kFailed) return "failed";
  return row.times ? number_text((*row.times).*part.*which, 1) : "-";
}

}  // namespace

CompareTable time_table(const Comparison& c) {
  CompareTable table{.title = c.plan.title,
                     .header = {"data", "method", "paper ms", "ms per epoch", "middle half",
                                "train step", "peak MB"}};
  for (const TimeRow& r : time_rows(c)) {
    const std::string low = ms_text(r, &EpochTimes::epoch_ms, &Spread::p25),
                      high = ms_text(r, &EpochTimes::epoch_ms, &Spread::p75);
    table.rows.push_back({{r.dataset},
                          {r.label},
                          {r.paper_ms ? number_text(*r.paper_ms, 1) : "-"},
                          {ms_text(r, &EpochTimes::epoch_ms, &Spread::median)},
                          {r.status == Status::kDone ? cat(low, " to ", high) : "-"},
                          {ms_text(r, &EpochTimes::step_ms, &Spread::median)},
                          {r.peak_mb ? number_text(*r.peak_mb, 0) : "-"}});
    if (r.status == Status::kFailed)
      table.notes.push_back(cat(r.dataset, ", ", r.label, " failed: ", r.failure));
  }
  return table;
}

std::vector<std::string> time_caption(const Comparison& c) {
  const Json& key = c.plan.cells.front().key;
  std::vector<std::string> out = {
      cat("Milliseconds per epoch, median and middle half of ", c.plan.bench_epochs, " epochs, ",
          key.at("threads").get<int>(), " threads, ", key.at("simd").get<std::string>(),
          "; train step: without the evaluation."),
      "paper: a GeForce GTX 1080 Ti, where the text names a figure."};
  add_common_lines(c, out);
  return out;
}

std::string times_csv(const Comparison& c) {
  std::string out =
      "dataset,method,variant,status,paper_ms,epoch_ms_median,epoch_ms_p25,epoch_ms_p75,"
      "step_ms_median,threads,simd,epochs,peak_mb,build,failure\n";
  for (const TimeRow& r : time_rows(c)) {
    const auto at = [&](Spread EpochTimes::*part, double Spread::*which) {
      return r.times ? cat((*r.times).*part.*which) : std::string();
    };
    const Json& key = c.plan.cells.front().key;
    out += cat(
        csv_field(r.dataset), ",", r.method, ",", csv_field(r.label), ",", status_text(r.status),
        ",", r.paper_ms ? cat(*r.paper_ms) : "", ",", at(&EpochTimes::epoch_ms, &Spread::median),
        ",", at(&EpochTimes::epoch_ms, &Spread::p25), ",", at(&EpochTimes::epoch_ms, &Spread::p75),
        ",", at(&EpochTimes::step_ms, &Spread::median), ",", key.at("threads").get<int>(), ",",
        key.at("simd").get<std::string>(), ",", c.plan.bench_epochs, ",",
        r.peak_mb ? cat(*r.peak_mb) : "", ",", csv_field(r.build), ",",
        r.failure.empty() ? "" : csv_field(r.failure), "\n");
  }
  return out;
}

Json times_json(const Comparison& c) {
  Json out = Json::array();
  for (const TimeRow& r : time_rows(c))
    out.push_back({{"dataset", r.dataset},
                   {"method", r.method},
                   {"variant", r.label},
                   {"status", status_text(r.status)},
                   {"paper_ms", r.paper_ms ? Json(*r.paper_ms) : Json()},
                   {"bench", r.times ? to_json(*r.times) : Json()},
                   {"peak_mb", r.peak_mb ? Json(*r.peak_mb) : Json()},
                   {"build", r.build.empty() ? Json() : Json(r.build)},
                   {"failure", r.failure.empty() ? Json() : Json(r.failure)}});
  return out;
}

}  // namespace scrl
