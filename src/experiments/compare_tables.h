// experiments/compare_tables.h: the tables of a comparison that people read.
#pragma once
#include <string>
#include <vector>

#include "experiments/compare_rows.h"

namespace scrl {

struct CompareTable {
  struct Field {
    std::string text;
    bool best = false;
  };
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<Field>> rows;
  std::vector<std::string> notes;  // failures
};
// What goes into the files: those of a table of the paper (experiments/paper_tables.h), or both
// kinds below.
std::vector<CompareTable> all_tables(const Comparison& comparison);
// One table per data set and rate, with everything.
std::vector<CompareTable> full_tables(const Comparison& comparison);
// With several of those, accuracies alone: rates side by side, or data sets if there is one rate.
// Empty otherwise.
std::vector<CompareTable> overview_tables(const Comparison& comparison);

// Sentences that belong to every table: what is shown, how epochs were chosen, which test p is
// from.
std::vector<std::string> caption(const Comparison& comparison);

// What is missing, who trained, and the notes of the plan: the end of any caption.
void add_common_lines(const Comparison& comparison, std::vector<std::string>& caption);

// Parts of such tables.
std::string score_text(const CompareRow& row, const std::optional<MeanStd>& value);
std::string p_text(const std::optional<double>& p);
std::string shown_protocol(Protocol protocol);  // oracle has a mark
std::string title_of(const CompareRow& row);
// "gcn failed: ..." on one line, once for all trainings that say the same; the table shows which.
void add_failure(const CompareRow& row, std::vector<std::string>& notes);

}  // namespace scrl
