// report/report_page.h: the script and the style of the page, built from report/
// (cmake/report_page.cmake).
#pragma once
#include <string_view>

namespace scrl {

// Empty when the program was built without a bundler: reports then have tables and no pictures.
std::string_view report_script();
std::string_view report_style();

}  // namespace scrl
