#include "report/report.h"

#include "base/error.h"
#include "report/report_facts.h"
#include "report/report_html.h"
#include "report/report_page.h"
#include "report/report_tables.h"

namespace scrl {
namespace {

// JSON inside a script element: nothing in it may look like a tag.
std::string script_json(const Json& j) {
  std::string out;
  for (const char c : j.dump(-1, ' ', false, Json::error_handler_t::replace))
    out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

std::string title_of(const std::vector<ReportRun>& runs) {
  if (runs.size() > 1) return cat(runs.size(), " runs");
  return cat(runs[0].method, " on ", runs[0].data->data.name);
}

}  // namespace

bool report_has_pictures() { return !report_script().empty(); }

std::string report_page(const ReportRequest& request) {
  std::vector<ReportRun> runs;
  for (const std::string& folder : request.runs) runs.push_back(gather_run(folder, request, runs));
  const std::string title = html::escaped(title_of(runs));
  std::string out =
      cat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          // Whatever a browser is made to believe, it fetches nothing.
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ",
          "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n<title>", title,
          " – scrl report</title>\n<style>\n", report_style(), "</style>\n</head>\n<body>\n",
          "<header class=\"top\"><h1>", title, "</h1><div id=\"tools\"></div></header>\n<main>\n",
          "<section id=\"results\">\n<h2>Results</h2>\n", results_html(runs), "</section>\n");
  out += report_has_pictures()
             ? "<section id=\"map\">\n<h2>2-D embedding</h2>\n<noscript><p>The picture and the "
               "curves need "
               "JavaScript; all tables do without.</p></noscript>\n</section>\n"
             : "<p class=\"note\">This report has tables only: the program that wrote it was built "
               "without esbuild.</p>\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out += cat("<article class=\"run\" id=\"run-", i, "\">\n");
    if (runs.size() > 1) out += cat("<h2>", html::bdi(runs[i].name), "</h2>\n");
    out += cat(run_html(runs[i], i, runs.size() > 1 ? 3 : 2), "</article>\n");
  }
  out += "</main>\n";
  if (report_has_pictures()) {
    const ReportFacts facts = report_facts(runs, request.layout.kind);
    out += cat("<script id=\"facts\" type=\"application/json\">", script_json(facts.json),
               "</script>\n<script id=\"arrays\" type=\"text/plain\">", facts.arrays,
               "</script>\n<script>\n", report_script(), "</script>\n");
  }
  return out + "</body>\n</html>\n";
}

}  // namespace scrl
