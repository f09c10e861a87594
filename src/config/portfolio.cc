#include "config/portfolio.h"

#include <algorithm>

#include "base/error.h"

namespace scrl {

const std::vector<PortfolioMember>& portfolio() {
  static const std::vector<PortfolioMember> list = {
      {"scrl", "scrl", "both views, strong consensus", true, {}},
      {"scrl-weak", "scrl", "both views, weak consensus", true, {{"alpha", "0.5"}}},
      {"scrl-lsa", "scrl", "neighbours by latent semantic analysis", true, {{"lsa_rank", "48"}}},
      {"appnp", "appnp", "far propagation of an MLP's predictions", true, {}},
      {"gprgnn", "gprgnn", "learned propagation", true, {}},
      {"sgc", "sgc", "regression on features and hops", true, {}},
      {"h2gcn", "h2gcn", "the node, its neighbours and theirs kept apart", true, {}},
      {"mlp", "mlp", "the node's own features", false, {}},
      {"knn-gcn", "knn-gcn", "the feature graph alone", false, {}},
  };
  return list;
}

PortfolioOptions::PortfolioOptions() {
  for (const PortfolioMember& m : portfolio()) members += (members.empty() ? "" : ",") + m.name;
}

void bind(OptionSet& set, PortfolioOptions& o) {
  set.add("members", o.members, any_text(), "models to train and combine, separated by commas");
  set.add("time_limit", o.time_limit, at_least(0),
          "seconds after which no further member is begun and the one in training ends; 0: none");
}

std::vector<PortfolioMember> chosen_members(const std::string& names) {
  std::vector<std::string> asked;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    asked.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  std::string known;
  std::vector<PortfolioMember> out;
  for (const PortfolioMember& m : portfolio()) {
    known += (known.empty() ? "" : ", ") + m.name;
    const auto times = std::count(asked.begin(), asked.end(), m.name);
    if (times > 1) fail(ErrorKind::kUsage, "members: '", m.name, "' is named twice");
    if (times == 1) out.push_back(m);
  }
  for (const std::string& name : asked)
    if (std::none_of(out.begin(), out.end(), [&](const auto& m) { return m.name == name; }))
      fail(ErrorKind::kUsage, "members: there is no '", name, "'; there is ", known);
  return out;
}

std::vector<Setting> member_settings(const PortfolioMember& member,
                                     const std::vector<Setting>& values) {
  static const std::vector<std::string> shared = {"split",
                                                  "labels",
                                                  "val_nodes",
                                                  "test_nodes",
                                                  "val_share",
                                                  "test_share",
                                                  "conformal_share",
                                                  "protocol",
                                                  "calibration",
                                                  "metric",
                                                  "seed",
                                                  "k",
                                                  "knn",
                                                  "knn_search",
                                                  "precision"};
  std::vector<Setting> out = {{"method", member.method, "auto"}};
  for (const auto& [key, value] : member.settings) out.push_back({key, value, "auto"});
  for (const Setting& s : values)
    if (std::find(shared.begin(), shared.end(), s.key) != shared.end()) out.push_back(s);
  return out;
}

}  // namespace scrl
