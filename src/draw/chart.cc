#include "draw/chart.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "draw/chart_panels.h"

namespace scrl {
namespace {

constexpr double kMargin = 14, kTitle = 30, kLegendLine = 20, kGap = 18, kPanelTitle = 24;

// All panels of a figure are of one kind.
struct Size {
  double width, height;
};
Size panel_size(const ChartPanel& panel) {
  if (std::holds_alternative<PointPanel>(panel.content)) return {240, 240};
  if (const auto* bars = std::get_if<BarPanel>(&panel.content))
    return {std::max(360.0, 70 + 110 * static_cast<double>(bars->groups.size())), 300};
  return {340, 250};
}

enum class Kind { kLine, kBox, kPoint, kPrinted };

struct Entry {
  std::string text;
  Kind kind;
  std::size_t series;
  double x = 0, y = 0;  // from the corner of the legend
};

// Lines of entries as wide as the figure; returns their height.
double place_entries(std::vector<Entry>& entries, double width) {
  double x = 0, y = 0;
  for (Entry& e : entries) {
    const double need = 24 + svg_text_width(e.text, 12) + 16;
    if (x > 0 && x + need > width) {
      x = 0;
      y += kLegendLine;
    }
    e.x = x;
    e.y = y;
    x += need;
  }
  return entries.empty() ? 0 : y + kLegendLine;
}

std::vector<Entry> entries_of(const Figure& f) {
  const auto& content = f.panels.front().content;
  const Kind kind = std::holds_alternative<LinePanel>(content)  ? Kind::kLine
                    : std::holds_alternative<BarPanel>(content) ? Kind::kBox
                                                                : Kind::kPoint;
  std::vector<Entry> out;
  for (std::size_t i = 0; i < f.series.size(); ++i) out.push_back({f.series[i], kind, i});
  if (!f.printed.empty()) out.push_back({f.printed, Kind::kPrinted, 0});
  return out;
}

void draw_entry(SvgWriter& out, const Entry& e, double x, double y) {
  const std::string color = chart_color(e.series);
  if (e.kind == Kind::kLine) {
    out.line(x, y - 4, x + 20, y - 4, cat("stroke=\"", color, "\" stroke-width=\"1.6\""));
    out.sign(x + 10, y - 4, 3.4, e.series, color);
  } else if (e.kind == Kind::kBox) {
    out.box(x + 4, y - 10, 14, 11, cat("fill=\"", color, "\""));
  } else if (e.kind == Kind::kPoint) {
    out.path(cat("M", svg_number(x + 10), " ", svg_number(y - 4), point_mark(e.series, 0.1)),
             point_look(e.series, 7));
  } else {
    out.line(x + 2, y - 4, x + 20, y - 4, kPrintedLook);
  }
  out.text(x + 24, y, e.text, 12, Anchor::kStart);
}

}  // namespace

std::string draw(const Figure& f) {
  check(!f.panels.empty() && f.columns > 0, "a figure has panels");
  const Size size = panel_size(f.panels.front());
  const auto columns = std::min(f.columns, f.panels.size());
  const auto rows = (f.panels.size() + columns - 1) / columns;
  const double inner = static_cast<double>(columns) * (size.width + kGap) - kGap;
  std::vector<Entry> entries = entries_of(f);
  const double legend = place_entries(entries, inner);
  const double panel_height = kPanelTitle + size.height + kGap;
  const double top = kMargin + kTitle + legend;
  SvgWriter out(inner + 2 * kMargin, top + static_cast<double>(rows) * panel_height, f.title);
  out.text(kMargin, kMargin + 14, f.title, 16, Anchor::kStart, "font-weight=\"bold\"");
  for (const Entry& e : entries) draw_entry(out, e, kMargin + e.x, kMargin + kTitle + 12 + e.y);
  for (std::size_t i = 0; i < f.panels.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const Area area{kMargin + static_cast<double>(column) * (size.width + kGap),
                    top + static_cast<double>(row) * panel_height + kPanelTitle, size.width,
                    size.height};
    out.text(area.x + area.width / 2, area.y - 8, f.panels[i].title, 13, Anchor::kMiddle);
    std::visit([&](const auto& content) { draw_panel(out, area, content); }, f.panels[i].content);
  }
  return std::move(out).finish();
}

}  // namespace scrl
