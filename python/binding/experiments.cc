// Comparisons, searches, reports and 2-D embeddings, as the command line makes them. Facts go out
// as the JSON that it prints with --json.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "base/error.h"
#include "binding.h"
#include "embedding2d/tsne.h"
#include "experiments/compare_files.h"
#include "interrupt.h"
#include "report/report.h"
#include "scrl/model.h"
#include "tune/tune_report.h"
#include "version.h"

namespace scrl::python {
namespace {

using Texts = std::map<std::string, std::string>;

std::vector<Setting> settings_of(const Texts& texts) {
  std::vector<Setting> out;
  for (const auto& [key, value] : texts) out.push_back({key, value, "caller"});
  return out;
}

std::string program_version() { return cat(SCRL_VERSION, " (", SCRL_COMMIT, ")"); }

std::string compare(const std::vector<std::string>& data, const std::string& methods,
                    const std::string& labels, const std::string& protocols, int seeds,
                    const Texts& settings, const std::string& folder) {
  CompareRequest request{.rows = method_rows(method_names(methods), Profile::kDefault),
                         .labels = label_rates(labels),
                         .protocols = protocols_named(protocols),
                         .settings = settings_of(settings),
                         .folder = folder,
                         .program = program_version()};
  request.settings.insert(request.settings.begin(), {"seeds", cat(seeds), "caller"});
  for (const std::string& given : data) request.data.push_back({given});
  check_request(request);
  Interrupt interrupt;
  CompareEvents events;
  events.should_stop = [&] { return interrupt.asked(); };
  const Comparison result = run_comparison(std::move(request), events);
  interrupt.rethrow();
  return comparison_json(result).dump();
}

std::string tune(const std::string& data, const std::string& method, int labels,
                 const std::string& budget, const std::vector<std::string>& space, int seeds,
                 const Texts& settings, const std::string& folder) {
  TuneRequest request{.data = data,
                      .method = method,
                      .labels = labels,
                      .space = space,
                      .budget = parse_budget(budget),
                      .seeds = seeds,
                      .settings = settings_of(settings),
                      .folder = folder,
                      .program = program_version()};
  check_request(request);
  Interrupt interrupt;
  TuneEvents events;
  events.should_stop = [&] { return interrupt.asked(); };
  const Tuning result = run_tuning(std::move(request), events);
  interrupt.rethrow();
  return tuning_json(result, "scrl").dump();
}

// Trains once more with the same bits, into a run folder of which the report is made.
nb::tuple report(const std::string& data, const Texts& settings, const std::string& folder,
                 int threads) {
  std::string hash, page;
  {
    nb::gil_scoped_release unlocked;
    Interrupt interrupt;
    FitOptions options{.progress = [&](const EpochReport&) { return !interrupt.asked(); },
                       .threads = threads,
                       .run_folder = folder};
    hash = fit(load_dataset(data, {.use_cache = false}), settings, options).report.result_hash;
    interrupt.rethrow();
    page = report_page({.runs = {folder}, .data = data});
  }
  return nb::make_tuple(hash, page);
}

using Points = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::object two_dimensions(const Points& points, int seed) {
  Matrix X(static_cast<Index>(points.shape(0)), static_cast<Index>(points.shape(1)));
  for (Index i = 0; i < X.rows(); ++i)
    std::copy_n(points.data() + i * X.cols(), X.cols(), X.row_span(i).begin());
  Matrix out;
  {
    nb::gil_scoped_release unlocked;
    TsneOptions o;
    o.seed = seed;
    o.perplexity = usable_perplexity(X.rows(), o.perplexity);
    out = tsne(X, o);
  }
  return to_numpy(out.packed(), 2);
}

}  // namespace

void bind_experiments(nb::module_& m) {
  const auto unlocked = nb::call_guard<nb::gil_scoped_release>();
  m.def("compare", &compare, unlocked, nb::arg("data"), nb::arg("methods"), nb::arg("labels"),
        nb::arg("protocols"), nb::arg("seeds"), nb::arg("settings"), nb::arg("folder"));
  m.def("tune", &tune, unlocked, nb::arg("data"), nb::arg("method"), nb::arg("labels"),
        nb::arg("budget"), nb::arg("space"), nb::arg("seeds"), nb::arg("settings"),
        nb::arg("folder"));
  m.def("report", &report, nb::arg("data"), nb::arg("settings"), nb::arg("folder"),
        nb::arg("threads"));
  m.def("tsne", &two_dimensions, nb::arg("points"), nb::arg("seed"));
}

}  // namespace scrl::python
