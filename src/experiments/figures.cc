#include "experiments/figures.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "experiments/compare_tables.h"
#include "experiments/figure_layouts.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

bool has_axis(const std::vector<Variant>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Variant& v) { return !v.axis.empty(); });
}

// Adds `value` unless it is there.
template <class T>
std::size_t index_in(std::vector<T>& list, const T& value) {
  const auto at = std::find(list.begin(), list.end(), value);
  if (at != list.end()) return static_cast<std::size_t>(at - list.begin());
  list.push_back(value);
  return list.size() - 1;
}

// The lowest and the highest of what is shown.
struct Range {
  double low = INFINITY, high = -INFINITY;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool any() const { return low <= high; }
};

Figure line_figure(const Comparison& c) {
  Figure out{.name = c.plan.table, .title = c.plan.title, .columns = 1, .panels = {}, .series = {}};
  std::vector<std::string> series;
  std::vector<int> rates;
  std::vector<double> xs;
  for (const Variant& v : c.plan.rows) {
    index_in(series, v.series);
    index_in(xs, v.x);
  }
  for (const DataFacts& d : c.plan.data)
    for (const int labels : d.labels) index_in(rates, labels);
  std::sort(xs.begin(), xs.end());
  for (const int rate : rates) out.series.push_back(cat(rate, " labels per class"));
  out.columns = series.size();
  const std::vector<CompareRow> rows = compare_rows(c);
  for (std::size_t d = 0; d < c.plan.data.size(); ++d) {
    Range shown;  // one for all panels of a data set, so that they can be compared
    std::vector<LinePanel> panels(series.size());
    for (LinePanel& p : panels) p.lines.resize(rates.size());
    for (const CompareRow& row : rows) {
      if (row.data != d || row.protocol != Protocol::kVal) continue;
      const Variant& v = c.plan.rows[c.plan.cells[row.cell].row];
      ChartPoint point{.x = v.x};
      if (row.accuracy) {
        point.y = row.accuracy->mean;
        point.low = std::max(0.0, point.y - row.accuracy->std);
        point.high = std::min(100.0, point.y + row.accuracy->std);
      }
      shown.add(point.low);
      shown.add(point.high);
      panels[index_in(series, v.series)].lines[index_in(rates, row.labels)].push_back(point);
    }
    for (std::size_t s = 0; s < series.size(); ++s) {
      panels[s].x_label = c.plan.rows.front().axis;
      panels[s].y_label = "accuracy, %";
      panels[s].x = value_axis(xs);
      panels[s].y = shown.any() ? linear_axis(shown.low, shown.high) : linear_axis(0, 100);
      out.panels.push_back({cat(c.plan.data[d].name, ", ", series[s]), std::move(panels[s])});
    }
  }
  return out;
}

Figure time_figure(const Comparison& c) {
  Figure out{.name = c.plan.table, .title = c.plan.title, .columns = 1, .panels = {}, .series = {}};
  for (const Variant& v : c.plan.rows) out.series.push_back(v.label);
  BarPanel panel{.y_label = "ms per epoch", .y = {}, .groups = {}, .bars = {}};
  Range shown;
  for (const DataFacts& d : c.plan.data) panel.groups.push_back(d.name);
  panel.bars.assign(panel.groups.size(), std::vector<ChartBar>(c.plan.rows.size()));
  for (std::size_t i = 0; i < c.plan.cells.size(); ++i) {
    const CompareCell& cell = c.plan.cells[i];
    const CellOutcome& o = c.outcomes[i];
    ChartBar& bar = panel.bars[cell.data][cell.row];
    if (o.times) {
      const Spread& ms = o.times->epoch_ms;
      bar.value = ms.median, bar.low = ms.p25, bar.high = ms.p75;
    } else if (o.status == Status::kFailed) {
      bar.missing = "failed";
    }
    const auto paper =
        published_epoch_ms(c.plan.data[cell.data].name, c.plan.rows[cell.row].published);
    // A method that has several rows has one stroke, at the first.
    const bool first = std::none_of(
        c.plan.rows.begin(), c.plan.rows.begin() + static_cast<std::ptrdiff_t>(cell.row),
        [&](const Variant& v) { return v.published == c.plan.rows[cell.row].published; });
    if (paper && first) {
      bar.printed = *paper;
      out.printed = "printed in the paper (GTX 1080 Ti)";
    }
    for (const double value : {bar.value, bar.low, bar.high, bar.printed})
      if (value > 0) shown.add(value);
  }
  panel.y = shown.any() ? log_axis(shown.low, shown.high) : log_axis(1, 10);
  out.panels.push_back({"", std::move(panel)});
  return out;
}

std::string panel_title(const Comparison& c, const CompareRow& row, const LayoutFrame* frame) {
  if (row.status != Status::kDone)
    return cat(row.label, row.status == Status::kFailed ? ": failed" : ": not trained yet");
  if (!c.plan.cells[row.cell].layouts.value_or("").empty())
    return cat(row.label, ", epoch ", frame ? cat(frame->epoch) : "?");
  return cat(row.label, row.accuracies.empty()
                            ? ""
                            : cat(", accuracy ", number_text(row.accuracies.front(), 1), " %"));
}

// A bare number would say nothing.
std::vector<std::string> class_names(std::vector<std::string> names) {
  for (std::string& name : names)
    if (name.find_first_not_of("0123456789") == std::string::npos) name.insert(0, "class ");
  return names;
}

Figure map_figure(const Comparison& c, const CompareStore& store, std::size_t data) {
  const DataFacts& facts = c.plan.data[data];
  Figure out{.name = cat(c.plan.table, "-", facts.given),
             .title = cat(c.plan.title, ": ", facts.name),
             .columns = 1,
             .panels = {},
             .series = {}};
  for (const CompareRow& row : compare_rows(c)) {
    if (row.data != data || row.protocol != Protocol::kVal) continue;
    const auto layouts = row.status == Status::kDone ? load_layouts(store, c.plan.cells[row.cell])
                                                     : std::optional<CellLayouts>();
    if (!layouts) out.panels.push_back({panel_title(c, row, nullptr), PointPanel{}});
    if (!layouts) continue;
    out.series = class_names(layouts->classes);
    for (const LayoutFrame& f : layouts->frames)
      out.panels.push_back({panel_title(c, row, &f), PointPanel{f.coordinates, layouts->labels}});
  }
  out.columns = out.panels.size() <= 4 ? out.panels.size() : 3;
  return out;
}

// Of a request or of its plan.
template <class Planned>
std::vector<std::string> files_of(const Planned& p) {
  std::vector<std::string> out;
  if (p.table.empty()) return out;
  if (p.layouts)
    for (const auto& d : p.data) out.push_back(cat(p.table, "-", d.given, ".svg"));
  else if (p.bench_epochs > 0 || has_axis(p.rows))
    out.push_back(p.table + ".svg");
  return out;
}

}  // namespace

std::vector<std::string> figure_files(const CompareRequest& request) { return files_of(request); }
std::vector<std::string> figure_files(const ComparePlan& plan) { return files_of(plan); }

std::vector<Figure> figures_of(const Comparison& c, const CompareStore& store) {
  std::vector<Figure> out;
  if (c.plan.table.empty()) return out;
  if (c.plan.layouts)
    for (std::size_t d = 0; d < c.plan.data.size(); ++d) out.push_back(map_figure(c, store, d));
  else if (c.plan.bench_epochs > 0)
    out.push_back(time_figure(c));
  else if (has_axis(c.plan.rows))
    out.push_back(line_figure(c));
  return out;
}

}  // namespace scrl
