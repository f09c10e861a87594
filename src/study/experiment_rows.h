// study/experiment_rows.h: the rows of the experiments, methods with settings.
#pragma once
#include <string>
#include <vector>

#include "study/compare_plan.h"

namespace scrl {

// Each method with published settings; SCRL with our defaults too.
std::vector<Variant> rows_of(const std::vector<std::string>& methods);

// SCRL, AM-GCN, and GRACE contrasting all nodes, as the ones that the paper timed.
std::vector<Variant> timed_rows();

// One row per value of a setting: those with published settings first, and with `fixed` besides.
// With the name of an axis they are the lines of a figure.
std::vector<Variant> sweep(const std::string& key, const std::string& name,
                           const std::vector<int>& values, const std::string& axis = "",
                           const std::vector<Setting>& fixed = {});

std::vector<Variant> prototype_rows();  // numbers of free ones, and one per class
std::vector<Variant> ablation_rows();   // with and without L_ss, published settings and default
std::vector<Variant> consensus_rows();  // the default, with and without L_ss

// The exchanged prediction as the paper's text has it, as the published main.py has it, with
// scores of cosines as SwAV has them, and by class; then the default without it.
std::vector<Variant> form_rows();

// The default with one part of the consensus changed, then the default.
std::vector<Variant> part_rows();

}  // namespace scrl
