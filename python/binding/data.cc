// Data sets: made from arrays, or read as the command line reads them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding.h"
#include "config/config.h"
#include "run/inspect.h"
#include "scrl/dataset.h"

namespace scrl::python {
namespace {

nb::object numbers(const std::vector<NodeId>& nodes) { return to_numpy(nodes); }

nb::tuple features(const Dataset& d) {
  return nb::make_tuple(to_numpy(d.features.row_ptr), to_numpy(d.features.col),
                        to_numpy(d.features.val), d.features.cols);
}

nb::tuple edges(const Dataset& d) {
  return nb::make_tuple(to_numpy(d.edges.source), to_numpy(d.edges.target),
                        to_numpy(d.edges.weight));
}

nb::list splits(const Dataset& d) {
  nb::list out;
  for (const Split& s : d.splits)
    out.append(nb::make_tuple(s.labels_per_class, numbers(s.train), numbers(s.val),
                              numbers(s.test)));
  return out;
}

}  // namespace

void bind_data(nb::module_& m) {
  nb::class_<Dataset>(m, "Dataset")
      .def_ro("name", &Dataset::name)
      .def_ro("nodes", &Dataset::nodes)
      .def_ro("ids", &Dataset::ids)
      .def_ro("classes", &Dataset::classes)
      .def_prop_ro("labels", [](const Dataset& d) { return to_numpy(d.labels); })
      .def_prop_ro("features", features)
      .def_prop_ro("edges", edges)
      .def_prop_ro("splits", splits);
  m.def(
      "load_dataset", [](const std::string& what) { return load_dataset(what); },
      nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "inspect",
      [](const Dataset& data, int k) {
        GraphOptions graph = RunConfig({{"method", "scrl", ""}}).graph;
        graph.k = k;
        return inspect(data, graph).dump();
      },
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace scrl::python
