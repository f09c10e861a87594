// draw/chart_panels.h: one panel of a figure, drawn into its area.
#pragma once
#include <string>

#include "draw/chart.h"
#include "draw/svg.h"

namespace scrl {

struct Area {
  double x, y, width, height;
};

void draw_panel(SvgWriter& out, const Area& area, const LinePanel& panel);
void draw_panel(SvgWriter& out, const Area& area, const BarPanel& panel);
void draw_panel(SvgWriter& out, const Area& area, const PointPanel& panel);

// A point is a closed stroke of no length with a round end or, from the eighth class on, a
// square end; from the fifteenth on it is a short bar. After "M x y", in units of `unit`.
std::string point_mark(std::size_t label, double unit);
std::string point_look(std::size_t label, double width);

inline constexpr const char* kPrintedLook = "stroke=\"#222\" stroke-width=\"2.4\"";

}  // namespace scrl
