#include "serve/page.h"

#include "base/error.h"
#include "report/report_html.h"
#include "report/report_page.h"

namespace scrl {

bool has_page() { return !serve_script().empty(); }

std::string page_html(const ServedModel& model) {
  const std::string title =
      html::escaped(cat(model.method(), " on ", model.description()["dataset"].get<std::string>()));
  std::string out =
      cat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; connect-src ",
          "'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n",
          "<link rel=\"icon\" href=\"data:,\">\n<title>", title, " – scrl serve</title>\n<style>\n",
          report_style(), "</style>\n</head>\n<body>\n<header class=\"top\"><h1>", title,
          "</h1><div id=\"tools\"></div></header>\n<main>\n");
  out += has_page()
             ? cat("<section id=\"ask\">\n<noscript><p>This page needs JavaScript; the ",
                   "addresses of <a href=\"/openapi.json\">/openapi.json</a> do not.</p>",
                   "</noscript>\n</section>\n<section id=\"map\">\n<h2>2-D embedding</h2>\n",
                   "</section>\n</main>\n<script>\n", serve_script(), "</script>\n")
             : cat("<p>The program was built without esbuild, so this page is empty. ",
                   "<a href=\"/openapi.json\">/openapi.json</a> describes the addresses that ",
                   "answer.</p>\n</main>\n");
  return out + "</body>\n</html>\n";
}

}  // namespace scrl
