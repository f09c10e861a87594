// Data sets: made from arrays, or read as the command line reads them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding.h"
#include "config/config.h"
#include "run/inspect.h"
#include "scrl/dataset.h"
#include "train/split.h"

namespace scrl::python {
namespace {

nb::tuple features(const Dataset& d) {
  return nb::make_tuple(to_numpy(d.features.row_ptr), to_numpy(d.features.col),
                        to_numpy(d.features.val), d.features.cols);
}

nb::tuple edges(const Dataset& d) {
  return nb::make_tuple(to_numpy(d.edges.source), to_numpy(d.edges.target),
                        to_numpy(d.edges.weight));
}

// Training, validation and test nodes as a training on the command line has them.
nb::tuple split_of(const Dataset& d, int labels, int seed) {
  const Split s = choose_split(d, {.labels = labels}, true, static_cast<std::uint64_t>(seed));
  return nb::make_tuple(to_numpy(s.train), to_numpy(s.val), to_numpy(s.test));
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
      .def("split", &split_of, nb::arg("labels"), nb::arg("seed"));
  m.def(
      "load_dataset", [](const std::string& what) { return load_dataset(what); },
      nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "inspect",
      [](const Dataset& data, int k) {
        GraphOptions graph = RunConfig({{"method", "scrl", ""}}).graph;
        graph.k = k;
        return to_json(inspect(data, graph)).dump();
      },
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace scrl::python
