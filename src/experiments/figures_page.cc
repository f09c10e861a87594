#include "base/error.h"
#include "experiments/compare_tables.h"
#include "experiments/figures.h"
#include "report/report_html.h"

namespace scrl {

std::string figures_page(const std::vector<Comparison>& tables, const CompareStore& store) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Figures of the SCRL paper, made anew</title>\n<style>\n"
      "body { font: 16px/1.5 Helvetica, Arial, sans-serif; color: #222; background: #fff;\n"
      "  max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }\n"
      "figure { margin: 0 0 3rem; }\nsvg { max-width: 100%; height: auto; }\n"
      "figcaption { font-size: 14px; max-width: 50rem; }\n</style>\n</head>\n<body>\n"
      "<h1>Figures of the SCRL paper, made anew</h1>\n";
  for (const Comparison& c : tables)
    for (const Figure& f : figures_of(c, store)) {
      std::string text;
      for (const std::string& line : caption(c))
        if (line.find("oracle:") == std::string::npos) text += line + " ";  // not shown
      out += cat("<figure id=\"", html::escaped(f.name), "\">\n", draw(f), "<figcaption>",
                 html::escaped(text), "Made by <code>scrl reproduce ", html::escaped(c.plan.table),
                 "</code>.</figcaption>\n</figure>\n");
    }
  return out + "</body>\n</html>\n";
}

}  // namespace scrl
