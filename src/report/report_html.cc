#include "report/report_html.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.h"

namespace scrl::html {

std::string bdi(std::string_view text) { return "<bdi>" + escaped(text) + "</bdi>"; }

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string count(long long value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, "\u202f");  // narrow, and does not break
  }
  return digits;
}

std::string table(const std::string& caption, const std::vector<std::vector<std::string>>& rows,
                  const std::vector<int>& left, const std::string& css) {
  const auto align = [&](std::size_t column) {
    return std::find(left.begin(), left.end(), static_cast<int>(column)) == left.end()
               ? " class=\"n\""
               : "";
  };
  std::string out =
      cat("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", escaped(caption),
          "\"><table", css.empty() ? "" : cat(" class=\"", css, "\""), "><caption>",
          escaped(caption), "</caption>\n<thead><tr>");
  for (std::size_t c = 0; c < rows.front().size(); ++c)
    out += cat("<th scope=\"col\"", align(c), ">", rows.front()[c], "</th>");
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 1; r < rows.size(); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      out += c == 0 ? cat("<th scope=\"row\"", align(c), ">", rows[r][c], "</th>")
                    : cat("<td", align(c), ">", rows[r][c], "</td>");
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace scrl::html
