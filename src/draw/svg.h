// draw/svg.h: pictures as SVG 1.1: text, lines, boxes and paths on white paper.
//
// Looks are attributes and there is no style sheet, so that several pictures can stand in one page.
// Coordinates have one decimal and numbers are written in one way: equal pictures are equal bytes.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace scrl {

// Seven colours that colour-blind people can tell apart (Okabe and Ito, darkened for white paper);
// from the eighth on they begin anew.
const char* chart_color(std::size_t i);
inline constexpr std::size_t kChartColors = 7;

// Between tags and in quoted attributes; what XML has no place for (control characters, bytes that
// are no UTF-8) becomes a question mark.
std::string svg_escaped(std::string_view text);
std::string svg_number(double value);  // "12", "-0.5": at most one decimal

// How wide a text is, about: letters of a sans-serif font.
double svg_text_width(std::string_view text, double size);

enum class Anchor { kStart, kMiddle, kEnd };

class SvgWriter {
 public:
  SvgWriter(double width, double height, std::string_view title);

  // `look` is attributes, as in "stroke=\"#000\"".
  void line(double x1, double y1, double x2, double y2, std::string_view look);
  void box(double x, double y, double width, double height, std::string_view look);
  void path(std::string_view data, std::string_view look);
  void text(double x, double y, std::string_view text, double size, Anchor anchor,
            std::string_view look = "");
  void text_upwards(double x, double y, std::string_view text, double size);  // centred
  // A sign of about 2 r across: circle, square, triangle by turns.
  void sign(double x, double y, double r, std::size_t shape, std::string_view color);
  void begin_group(std::string_view look);
  void end_group();

  std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace scrl
