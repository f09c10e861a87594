// models/registry.h: the methods by name. To add one, add a row in registry.cc.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/model.h"

namespace scrl {

struct MethodInfo {
  std::string name, summary;
  unsigned views = kNoGraph;
  bool features = true;   // false: looks at the graph alone
  bool labels = true;     // false: the embedding is learned without them
  bool new_nodes = true;  // false: knows the nodes it was trained on, and no others
  // Options of training in general that are part of this method's definition.
  std::vector<std::string> fixed = {};
  // Values that differ from the tables' defaults for this method: the method's own profile.
  std::vector<std::pair<std::string, std::string>> profile;
};

// The default: several of the methods, combined (config/portfolio.h). It has no model of its own.
inline constexpr const char* kAuto = "auto";

const std::vector<MethodInfo>& method_list();                // of those that have a model
const MethodInfo& method_info(std::string_view name);        // throws Error(kUsage) with the names
std::unique_ptr<Method> make_method(std::string_view name);  // likewise

}  // namespace scrl
