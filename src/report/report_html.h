// report/report_html.h: pieces of HTML. Text from data goes through escaped() or bdi(), nothing
// else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/markup.h"

namespace scrl::html {

using scrl::escaped;
// A name whose direction of writing must not reach its surroundings.
std::string bdi(std::string_view text);
// With so many digits; "–" when it is not a number.
std::string number(double value, int digits);
// 1 234 567
std::string count(long long value);

// A table: the first row is the header, the first column of the others names the row. Cells are
// HTML. `left`: columns (from 0) that hold text; others are numbers and lie on the right.
std::string table(const std::string& caption, const std::vector<std::vector<std::string>>& rows,
                  const std::vector<int>& left = {0}, const std::string& css = "");

}  // namespace scrl::html
