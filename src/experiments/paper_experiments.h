// experiments/paper_experiments.h: the experiments of the SCRL paper (ACM MM 2021), as what scrl
// reproduce runs.
//
// Every table and figure of results is here: Tables 2 to 5, the influence of k and of the Sinkhorn
// iterations, the time per epoch, 2-D embeddings. SCRL has two kinds of rows: with the settings
// of its authors (--profile paper) and with the defaults of this program, named "default". Three
// are not in the paper: what the default gains by the consensus on every data set, what other forms
// of it gain, and what each part of it is worth.
#pragma once
#include <string>
#include <vector>

#include "experiments/compare_plan.h"

namespace scrl {

struct Experiment {
  std::string name, title;
  std::vector<DataRequest> data;
  std::vector<Variant> rows;
  std::vector<Protocol> protocols;
  int seeds = 5;  // as in the paper
  std::vector<std::string> notes = {};
  bool timing = false;
  bool layouts = false;  // embeddings as points in the plane
  bool gain = false;     // of every row over the last one
};

const std::vector<Experiment>& experiments();

// Whether a name stands for several, of which what is not possible is left out.
bool is_group(const std::string& name);

// The experiments in "all", in "all-figures" or of these names, in the order of the paper. Throws
// Error(kUsage) with the names there are.
std::vector<Experiment> experiments_named(const std::vector<std::string>& names);

}  // namespace scrl
