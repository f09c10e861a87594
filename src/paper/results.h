// paper/results.h: what the SCRL paper (ACM MM 2021) printed, digit by digit.
//
// Names of data sets and methods are those of this program. In its Table 2 and Table 5 a score is
// accuracy and F1, in Table 3 and Table 4 accuracy alone; the figures of k and of the Sinkhorn
// iterations come without numbers.
#pragma once
#include <optional>
#include <string_view>

namespace scrl {

struct Published {
  double accuracy = 0;  // percent
  std::optional<double> macro_f1;
  int digits = 2;  // behind the point, as printed
};

// `table` is "table2" to "table5"; `row` a method, in table4 "B=27" and so on, in table5 "scrl" or
// "scrl without L_ss". None: not in the paper.
std::optional<Published> published(std::string_view table, std::string_view dataset, int labels,
                                   std::string_view row);

// Milliseconds per epoch that the text names, on a GeForce GTX 1080 Ti. The text gives the last of
// BlogCatalog's three to SCRL a second time; it must be GRACE's.
std::optional<double> published_epoch_ms(std::string_view dataset, std::string_view method);

}  // namespace scrl
