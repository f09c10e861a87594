// experiments/compare_files.h: a comparison as CSV, Markdown, LaTeX and JSON (docs/formats.md).
#pragma once
#include <string>

#include "experiments/compare_tables.h"

namespace scrl {

std::string comparison_csv(const Comparison& comparison);  // one row per cell and protocol
std::string comparison_markdown(const Comparison& comparison);
std::string comparison_latex(const Comparison& comparison);  // needs booktabs and UTF-8
Json comparison_json(const Comparison& comparison);

// Text as it stands in a LaTeX document or in a cell of a Markdown table.
std::string latex_text(const std::string& text);
std::string markdown_text(const std::string& text);

// All four into the folder, as results.csv and so on, or under the name of the paper's table, and
// its pictures (experiments/figures.h).
void write_comparison(const Comparison& comparison, const CompareStore& store);

}  // namespace scrl
