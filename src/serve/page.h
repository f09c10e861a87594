// serve/page.h: the page at "/", whose script comes from report/, and openapi.json.
#pragma once
#include <string>
#include <string_view>

#include "serve/served_model.h"

namespace scrl {

bool has_page();  // else this program was built without a bundler
std::string page_html(const ServedModel& model);

// Files that are part of the program (cmake/report_page.cmake).
std::string_view serve_script();
std::string_view openapi_text();

}  // namespace scrl
