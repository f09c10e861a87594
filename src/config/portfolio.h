// config/portfolio.h: method auto, the default: a few methods trained side by side and combined.
//
// Members are the two views of SCRL with a strong and a weak consensus and with another feature
// graph, and the methods that win where SCRL does not. Each has the same settings on every graph.
// Nothing about the data chooses among them but labels: weights of a log-linear pool
// (models/ensemble.h, linear/stacking.h) that suit
//   val      the validation nodes
//   oracle   the test nodes (diagnostic only)
//   fixed    the training nodes, each predicted by models that were trained without it: 3-fold
//            cross-validation
// Few labels leave the weights close to even.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "models/registry.h"

namespace scrl {

struct Setting {
  std::string key, value, origin;
};

inline constexpr int kPortfolioFolds = 3;  // of the cross-validation under `fixed`

struct PortfolioOptions {
  std::string members;  // names, separated by commas; at first all
  double time_limit = 0;
  PortfolioOptions();
};
void bind(OptionSet& set, PortfolioOptions& o);

// A data set without edges is left to the members that need none.
struct PortfolioMember {
  std::string name, method, summary;
  bool edges = true;  // whether it needs some; all but the features' own models do
  std::vector<std::pair<std::string, std::string>> settings;
};
const std::vector<PortfolioMember>& portfolio();

// The members that `names` lists, in the order of portfolio(). Throws Error(kUsage) on a name that
// is not there or twice, and on none.
std::vector<PortfolioMember> chosen_members(const std::string& names);

// The settings of a member's own configuration: its method and settings, and of `values`, those of
// the portfolio, what both have.
std::vector<Setting> member_settings(const PortfolioMember& member,
                                     const std::vector<Setting>& values);

}  // namespace scrl
