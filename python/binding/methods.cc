// The registry: what can be trained, and every setting of each method with its default.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding.h"
#include "config/config.h"
#include "models/registry.h"

namespace scrl::python {
namespace {

nb::object default_of(const OptionSet& options, const OptionSet::Entry& e) {
  if (const auto* flag = std::get_if<bool*>(&e.field)) return nb::bool_(**flag);
  if (const auto* number = std::get_if<int*>(&e.field)) return nb::int_(**number);
  if (const auto* number = std::get_if<double*>(&e.field)) return nb::float_(**number);
  return nb::str(options.value_text(e).c_str());
}

nb::dict described(const MethodInfo& info) {
  const RunConfig config({{"method", info.name, ""}});
  nb::list options;
  for (const OptionSet::Entry& e : config.options.entries()) {
    if (e.fixed) continue;
    nb::dict option;
    option["key"] = e.key;
    option["default"] = default_of(config.options, e);
    option["range"] = e.range.describe();
    option["choices"] = e.range.choices;
    option["help"] = e.help;
    options.append(option);
  }
  nb::dict out;
  out["name"] = info.name;
  out["summary"] = info.summary;
  out["features"] = info.features;
  out["labels"] = info.labels;
  out["new_nodes"] = info.new_nodes;
  out["options"] = options;
  return out;
}

}  // namespace

void bind_methods(nb::module_& m) {
  m.def("methods", [] {
    nb::list out;
    out.append(described(method_info(kAuto)));
    for (const MethodInfo& info : method_list()) out.append(described(info));
    return out;
  });
}

}  // namespace scrl::python
