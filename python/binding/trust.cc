// What follows a training: scrl/trust.h for Python. Nodes are rows here; the package knows their
// ids.
#include "scrl/trust.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/parallel.h"
#include "rows.h"

namespace scrl::python {
namespace {

// `make` runs without the lock of the interpreter.
template <class F>
auto unlocked(int threads, F make) {
  nb::gil_scoped_release release;
  const ThreadScope scope(threads);
  return make();
}

template <class Item, class F>
auto column(const std::vector<Item>& items, F field) {
  std::vector<decltype(field(items[0]))> out;
  for (const Item& item : items) out.push_back(field(item));
  return to_numpy(std::move(out));
}

nb::tuple sets_of(const TrainedModel& model, const TrainingData& given, double coverage,
                  bool nonempty, int threads) {
  const Dataset data = given.dataset();
  const ClassSets s =
      unlocked(threads, [&] { return predict_sets(model, data, coverage, nonempty); });
  return nb::make_tuple(s.sets, s.guaranteed, s.statement);
}

nb::dict queries(const std::vector<Query>& all) {
  nb::dict out;
  nb::list reasons;
  for (const Query& q : all) reasons.append(nb::cast(q.reason));
  out["node"] = column(all, [](const Query& q) { return q.node; });
  out["gain"] = column(all, [](const Query& q) { return q.gain; });
  out["represents"] = column(all, [](const Query& q) { return q.represents; });
  out["doubt"] = column(all, [](const Query& q) { return q.doubt; });
  out["reason"] = reasons;
  return out;
}

nb::dict query_nodes(const TrainingData& given, const TrainedModel* model, Index count,
                     int threads) {
  const Dataset data = given.dataset();
  return queries(
      unlocked(threads, [&] { return model ? query(*model, data, count) : query(data, count); }));
}

std::string explain_node(const TrainedModel& model, const TrainingData& given, Index node,
                         Index top, int threads) {
  const Dataset data = given.dataset();
  return unlocked(threads, [&] { return explain(model, data, data.id(node), top); });
}

nb::dict suspect_labels(const TrainingData& given, const Settings& settings, int threads) {
  const Dataset data = given.dataset();
  const auto all = unlocked(threads, [&] { return suspects(data, settings); });
  nb::dict out;
  out["node"] = column(all, [](const SuspectLabel& s) { return s.node; });
  out["label"] = column(all, [](const SuspectLabel& s) { return s.label; });
  out["suggested"] = column(all, [](const SuspectLabel& s) { return s.suggested; });
  out["p_topology"] = column(all, [](const SuspectLabel& s) { return s.p_topology; });
  out["p_features"] = column(all, [](const SuspectLabel& s) { return s.p_features; });
  nb::list both;
  for (const SuspectLabel& s : all) both.append(nb::cast(s.both_views));
  out["both_views"] = both;
  out["score"] = column(all, [](const SuspectLabel& s) { return s.score; });
  return out;
}

}  // namespace

void bind_trust(nb::module_& m) {
  m.def("predict_sets", &sets_of, nb::arg("model"), nb::arg("data"), nb::arg("coverage"),
        nb::arg("nonempty"), nb::arg("threads"));
  m.def("query", &query_nodes, nb::arg("data"), nb::arg("model").none(), nb::arg("count"),
        nb::arg("threads"));
  m.def("explain", &explain_node, nb::arg("model"), nb::arg("data"), nb::arg("node"),
        nb::arg("top"), nb::arg("threads"));
  m.def("suspects", &suspect_labels, nb::arg("data"), nb::arg("settings"), nb::arg("threads"));
}

}  // namespace scrl::python
