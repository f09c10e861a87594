// draw/chart.h: a figure as what it shows: panels of lines, bars or points, and a legend.
//
// draw() decides where everything lies. Whoever makes a figure says nothing about places, sizes of
// letters or colours, which follow from the order of the series.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "draw/axis.h"

namespace scrl {

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

struct ChartPoint {
  double x = 0, y = kNoValue;              // without a value the line is broken
  double low = kNoValue, high = kNoValue;  // the error bar
};

// One line per series of the legend, in its order.
struct LinePanel {
  std::string x_label, y_label;
  Axis x, y;
  std::vector<std::vector<ChartPoint>> lines;
};

struct ChartBar {
  double value = kNoValue, low = kNoValue, high = kNoValue;
  double printed = kNoValue;  // what a paper says, as a stroke across the bar
  std::string missing = {};   // in place of a bar without value
};
// Groups of bars, one bar per series of the legend.
struct BarPanel {
  std::string y_label;
  Axis y;
  std::vector<std::string> groups;
  std::vector<std::vector<ChartBar>> bars;  // by group
};

// Points without axes, in the colours of their classes.
struct PointPanel {
  std::vector<std::uint16_t> coordinates;  // as LayoutFrame has them
  std::vector<std::int32_t> labels;        // one per point; below 0: none
};

struct ChartPanel {
  std::string title;
  std::variant<LinePanel, BarPanel, PointPanel> content;
};

struct Figure {
  std::string name;  // of its file, without ending
  std::string title;
  std::size_t columns = 1;
  std::vector<ChartPanel> panels;   // row by row
  std::vector<std::string> series;  // of the legend; of points the classes
  std::string printed = {};         // what the strokes across bars are; empty: there are none
};

std::string draw(const Figure& figure);  // SVG

}  // namespace scrl
