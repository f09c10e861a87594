#include "draw/svg.h"

#include <cmath>

#include "base/error.h"
#include "io/utf8.h"

namespace scrl {
namespace {

// Length of the character that begins here; 0: none does that XML allows.
std::size_t character(std::string_view text) {
  if (is_control(text[0]) || text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf"))
    return 0;
  return utf8_length(text);
}

}  // namespace

const char* chart_color(std::size_t i) {
  static constexpr const char* kColors[kChartColors] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#e69f00", "#56b4e9", "#8c7a00"};
  return kColors[i % kChartColors];
}

std::string svg_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character(text);
    const char c = text[0];
    if (length == 0)
      out += '?';
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string svg_number(double value) {
  check(std::isfinite(value) && std::fabs(value) < 1e9, "a place on a picture is a number");
  const long tenths = std::lround(10 * value);
  const long whole = std::labs(tenths) / 10, rest = std::labs(tenths) % 10;
  return cat(tenths < 0 ? "-" : "", whole, rest == 0 ? "" : cat(".", rest));
}

double svg_text_width(std::string_view text, double size) {
  std::size_t letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return 0.56 * size * static_cast<double>(letters);
}

SvgWriter::SvgWriter(double width, double height, std::string_view title)
    : out_(cat("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"",
               svg_number(width), "\" height=\"", svg_number(height), "\" viewBox=\"0 0 ",
               svg_number(width), " ", svg_number(height),
               "\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" fill=\"#222\">\n"
               "<title>",
               svg_escaped(title), "</title>\n")) {
  box(0, 0, width, height, "fill=\"#fff\"");
}

void SvgWriter::line(double x1, double y1, double x2, double y2, std::string_view look) {
  path(cat("M", svg_number(x1), " ", svg_number(y1), "L", svg_number(x2), " ", svg_number(y2)),
       look);
}

void SvgWriter::box(double x, double y, double width, double height, std::string_view look) {
  out_ += cat("<rect x=\"", svg_number(x), "\" y=\"", svg_number(y), "\" width=\"",
              svg_number(width), "\" height=\"", svg_number(height), "\" ", look, "/>\n");
}

void SvgWriter::path(std::string_view data, std::string_view look) {
  out_ += cat("<path d=\"", data, "\" ", look, "/>\n");
}

void SvgWriter::text(double x, double y, std::string_view text, double size, Anchor anchor,
                     std::string_view look) {
  constexpr const char* kAnchor[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  out_ += cat("<text x=\"", svg_number(x), "\" y=\"", svg_number(y), "\" font-size=\"",
              svg_number(size), "\"", kAnchor[static_cast<int>(anchor)], look.empty() ? "" : " ",
              look, ">", svg_escaped(text), "</text>\n");
}

void SvgWriter::text_upwards(double x, double y, std::string_view words, double size) {
  text(x, y, words, size, Anchor::kMiddle,
       cat("transform=\"rotate(-90 ", svg_number(x), " ", svg_number(y), ")\""));
}

void SvgWriter::sign(double x, double y, double r, std::size_t shape, std::string_view color) {
  const std::string look = cat("fill=\"", color, "\"");
  const std::string d = svg_number(2 * r), a = svg_number(r);
  if (shape % 3 == 0)
    path(cat("M", svg_number(x - r), " ", svg_number(y), "a", a, " ", a, " 0 1 0 ", d, " 0a", a,
             " ", a, " 0 1 0 -", d, " 0z"),
         look);
  else if (shape % 3 == 1)
    box(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, look);
  else
    path(cat("M", svg_number(x), " ", svg_number(y - 1.2 * r), "l", svg_number(1.2 * r), " ", d,
             "h-", svg_number(2.4 * r), "z"),
         look);
}

void SvgWriter::begin_group(std::string_view look) { out_ += cat("<g ", look, ">\n"); }
void SvgWriter::end_group() { out_ += "</g>\n"; }

std::string SvgWriter::finish() && { return std::move(out_) + "</svg>\n"; }

}  // namespace scrl
