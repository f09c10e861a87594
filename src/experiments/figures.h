// experiments/figures.h: the pictures of a comparison, and all of them as one page.
//
// What a comparison shows follows from its plan: rows with a place on an axis become lines, one
// panel per data set and series; measured times become bars; cells with layouts become panels of
// points, one figure per data set. Accuracies are those under `val`.
#pragma once
#include <string>
#include <vector>

#include "draw/chart.h"
#include "experiments/compare.h"

namespace scrl {

// Names of the files that figures_of() will have; none for a plain table.
std::vector<std::string> figure_files(const CompareRequest& request);
std::vector<std::string> figure_files(const ComparePlan& plan);

std::vector<Figure> figures_of(const Comparison& comparison, const CompareStore& store);

inline constexpr const char* kFiguresPage = "figures.html";
// HTML with the pictures in it, each with its caption and the command that makes it.
std::string figures_page(const std::vector<Comparison>& tables, const CompareStore& store);

}  // namespace scrl
