#include "draw/chart_panels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.h"

namespace scrl {
namespace {

constexpr double kLeft = 52, kBottom = 40;  // what axes take of an area
constexpr const char* kGrid = "stroke=\"#e3e3e3\" stroke-width=\"1\"";
constexpr const char* kAxis = "stroke=\"#555\" stroke-width=\"1\" fill=\"none\"";

// The area of the values, with ticks and label of the vertical axis.
Area with_y_axis(SvgWriter& out, const Area& area, const Axis& y, const std::string& label) {
  const Area in{area.x + kLeft, area.y, area.width - kLeft, area.height - kBottom};
  for (const Tick& t : y.ticks) {
    const double at = y.place(t.value, in.y + in.height, in.y);
    out.line(in.x, at, in.x + in.width, at, kGrid);
    out.text(in.x - 6, at + 4, t.text, 11, Anchor::kEnd);
  }
  out.text_upwards(area.x + 12, in.y + in.height / 2, label, 12);
  return in;
}

void frame(SvgWriter& out, const Area& in) { out.box(in.x, in.y, in.width, in.height, kAxis); }

void error_bar(SvgWriter& out, double x, double low, double high, const std::string& look) {
  if (!std::isfinite(low) || !std::isfinite(high) || low == high) return;
  const std::string a = svg_number(x - 2.5), b = svg_number(low), c = svg_number(high);
  out.path(cat("M", a, " ", b, "h5M", a, " ", c, "h5M", svg_number(x), " ", b, "V", c), look);
}

void draw_line(SvgWriter& out, const Area& in, const LinePanel& panel, std::size_t index) {
  const std::string color = chart_color(index);
  // Lines stand a little beside each other, so that their error bars can be told apart.
  const double aside =
      3.5 * (static_cast<double>(index) - (static_cast<double>(panel.lines.size()) - 1) / 2);
  const auto x_of = [&](const ChartPoint& p) {
    return panel.x.place(p.x, in.x, in.x + in.width) + aside;
  };
  const auto y_of = [&](double y) { return panel.y.place(y, in.y + in.height, in.y); };
  std::string way;
  bool drawing = false;
  for (const ChartPoint& p : panel.lines[index]) {
    const bool known = std::isfinite(p.y);
    if (known) way += cat(drawing ? "L" : "M", svg_number(x_of(p)), " ", svg_number(y_of(p.y)));
    drawing = known;
    if (known && std::isfinite(p.low) && std::isfinite(p.high))
      error_bar(out, x_of(p), y_of(p.low), y_of(p.high),
                cat("stroke=\"", color, "\" stroke-opacity=\"0.55\" fill=\"none\""));
  }
  if (!way.empty()) out.path(way, cat("stroke=\"", color, "\" stroke-width=\"1.6\" fill=\"none\""));
  for (const ChartPoint& p : panel.lines[index])
    if (std::isfinite(p.y)) out.sign(x_of(p), y_of(p.y), 3, index, color);
}

}  // namespace

void draw_panel(SvgWriter& out, const Area& area, const LinePanel& panel) {
  const Area in = with_y_axis(out, area, panel.y, panel.y_label);
  const double bottom = in.y + in.height;
  for (const Tick& t : panel.x.ticks) {
    const double at = panel.x.place(t.value, in.x, in.x + in.width);
    out.line(at, bottom, at, bottom + 4, kAxis);
    out.text(at, bottom + 16, t.text, 11, Anchor::kMiddle);
  }
  out.text(in.x + in.width / 2, bottom + 33, panel.x_label, 12, Anchor::kMiddle);
  frame(out, in);
  for (std::size_t i = 0; i < panel.lines.size(); ++i) draw_line(out, in, panel, i);
}

void draw_panel(SvgWriter& out, const Area& area, const BarPanel& panel) {
  const Area in = with_y_axis(out, area, panel.y, panel.y_label);
  const double bottom = in.y + in.height;
  const auto y_of = [&](double y) { return panel.y.place(y, bottom, in.y); };
  const double group = in.width / static_cast<double>(panel.groups.size());
  for (std::size_t g = 0; g < panel.groups.size(); ++g) {
    const double left = in.x + (static_cast<double>(g) + 0.1) * group;
    out.text(left + 0.4 * group, bottom + 18, panel.groups[g], 12, Anchor::kMiddle);
    const double width = 0.8 * group / static_cast<double>(panel.bars[g].size());
    for (std::size_t b = 0; b < panel.bars[g].size(); ++b) {
      const ChartBar& bar = panel.bars[g][b];
      const double x = left + static_cast<double>(b) * width;
      const double middle = x + width / 2;
      if (std::isfinite(bar.value)) {
        const double top = y_of(bar.value);
        out.box(x + 1, top, width - 2, bottom - top, cat("fill=\"", chart_color(b), "\""));
        if (std::isfinite(bar.low) && std::isfinite(bar.high))
          error_bar(out, middle, y_of(bar.low), y_of(bar.high), kAxis);
      } else if (!bar.missing.empty()) {
        out.text_upwards(middle + 4, bottom - 6 - svg_text_width(bar.missing, 10) / 2, bar.missing,
                         10);
      }
      if (std::isfinite(bar.printed))
        out.line(x, y_of(bar.printed), x + width, y_of(bar.printed), kPrintedLook);
    }
  }
  frame(out, in);
}

std::string point_mark(std::size_t label, double unit) {
  return label / kChartColors % 3 == 2 ? cat("h", svg_number(30 * unit)) : "z";
}

std::string point_look(std::size_t label, double width) {
  constexpr const char* kCap[] = {"round", "square", "butt"};
  const std::size_t shape = label / kChartColors % 3;
  return cat("fill=\"none\" stroke=\"", chart_color(label), "\" stroke-width=\"",
             svg_number(shape == 1 ? 0.85 * width : width), "\" stroke-linecap=\"", kCap[shape],
             "\"");
}

// In tenths, from point to point and from left to right: a third of the bytes of absolute
// coordinates.
void draw_panel(SvgWriter& out, const Area& area, const PointPanel& panel) {
  check(panel.coordinates.size() == 2 * panel.labels.size(), "a point has a place and a label");
  out.box(area.x, area.y, area.width, area.height, "fill=\"none\" stroke=\"#bbb\"");
  constexpr double kRoom = 6;
  const double side = 10 * (std::min(area.width, area.height) - 2 * kRoom);
  const auto place = [&](std::size_t i) {
    return std::lround(panel.coordinates[i] / 65535.0 * side);
  };
  std::int32_t classes = 0;
  for (const std::int32_t l : panel.labels) classes = std::max(classes, l + 1);
  out.begin_group(cat("transform=\"translate(", svg_number(area.x + kRoom), " ",
                      svg_number(area.y + kRoom), ") scale(.1)\" stroke-opacity=\"0.75\""));
  for (std::int32_t c = -1; c < classes; ++c) {
    std::vector<std::pair<long, long>> points;
    for (std::size_t i = 0; i < panel.labels.size(); ++i)
      if (std::max(panel.labels[i], -1) == c) points.emplace_back(place(2 * i), place(2 * i + 1));
    if (points.empty()) continue;
    std::sort(points.begin(), points.end());
    const auto label = static_cast<std::size_t>(std::max(c, 0));
    const long length = label / kChartColors % 3 == 2 ? 30 : 0;
    const std::string mark = point_mark(label, 1);
    const double width = panel.labels.size() > 4000 ? 18 : panel.labels.size() > 1000 ? 24 : 36;
    std::string way;
    long x = 0, y = 0;
    for (const auto& [to_x, to_y] : points) {
      way += cat("m", to_x - x, to_y < y ? "" : " ", to_y - y, mark);
      x = to_x + length;
      y = to_y;
    }
    out.path(way, c < 0 ? cat("fill=\"none\" stroke=\"#8a9099\" stroke-width=\"", svg_number(width),
                              "\" stroke-linecap=\"round\"")
                        : point_look(label, width));
  }
  out.end_group();
}

}  // namespace scrl
