// experiments/paper_experiment_rows.h: the rows of the experiments, methods with settings.
#pragma once
#include <string>
#include <vector>

#include "experiments/compare_plan.h"

namespace scrl {

// Each method with published settings; for scrl that is scrl-paper, and scrl and auto follow.
std::vector<Variant> rows_of(const std::vector<std::string>& methods);

// auto has no epochs of one model to time or to lay out.
std::vector<Variant> without_auto(std::vector<Variant> rows);

// SCRL, AM-GCN, and GRACE contrasting all nodes, as the ones that the paper timed.
std::vector<Variant> timed_rows();

// One row per value of a setting: those with published settings first, and with `fixed` besides,
// then ours if it is a setting there.
// With the name of an axis they are the lines of a figure.
std::vector<Variant> sweep(const std::string& key, const std::string& name,
                           const std::vector<int>& values, const std::string& axis = "",
                           const std::vector<Setting>& fixed = {});

std::vector<Variant> prototype_rows();  // numbers of free ones, and one per class
std::vector<Variant> ablation_rows();   // with and without L_ss, published settings and default
std::vector<Variant> consensus_rows();  // the default, with and without L_ss

}  // namespace scrl
