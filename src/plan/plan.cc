#include "plan/plan.h"

#include <algorithm>
#include <cmath>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "plan/epoch_time.h"
#include "plan/memory.h"
#include "plan/plan_large.h"
#include "train/split.h"

namespace scrl {
namespace {

constexpr Index kWholeNodes = 1 << 15;  // up to here a plan is a short training

}  // namespace

namespace {

Json plan_method(const Dataset& data, const RunConfig& config) {
  const Split split = choose_split(data, config.split, config.train.protocol == Protocol::kVal,
                                   static_cast<std::uint64_t>(config.train.seed));
  const bool whole = data.nodes <= kWholeNodes;
  const bool approximate = (config.method->views() & kFeatureGraph) &&
                           config.graph.knn != FeatureGraph::kFile &&
                           searches_approximately(data.features, config.graph);
  Json plan = {{"data", data.name},
               {"method", config.run.method},
               {"precision", name_of(config.graph.precision)},
               {"nodes", data.nodes},
               {"measured", whole ? "whole" : "piece"},
               {"epochs", config.train.epochs},
               {"seeds", config.run.seeds}};
  if (whole) {
    const Stopwatch preparing;
    const Operands operands = prepare(data, config.graph, config.method->views());
    plan["prepare_s"] = preparing.seconds();
    const auto model = config.method->build(model_inputs(operands, data, split, config.train));
    Moments moments;
    Epoch epoch(*model, data, split, config.train, moments);
    plan["epoch_ms"] = measure_epochs(epoch, *model, config.train.epochs).total_ms();
    plan["peak_mb"] = static_cast<double>(peak_memory() + keeping_bytes(*model, data)) / 1e6;
  } else {
    const LargeEstimate estimate = estimate_large(data, split, config);
    plan["epoch_ms"] = estimate.epoch_ms;
    plan["peak_mb"] = static_cast<double>(estimate.peak) / 1e6;
    if (approximate) {
      constexpr double kSecondsPerStep = 14e-6;  // one core, per node and halving of the nodes
      const double n = static_cast<double>(data.nodes);
      plan["prepare_s"] = kSecondsPerStep * n * std::log2(n) / threads();
    }
  }
  return plan;
}

// Members are trained one after the other, under `fixed` also without each fold.
Json plan_portfolio(const Dataset& data, const RunConfig& config) {
  Json plan = {{"data", data.name},
               {"method", config.run.method},
               {"precision", name_of(config.graph.precision)},
               {"nodes", data.nodes},
               {"seeds", config.run.seeds},
               {"members", Json::array()}};
  double ms = 0, prepare_s = 0, peak_mb = 0;
  int epochs = 0;
  const int times = config.train.protocol == Protocol::kFixed ? 1 + kPortfolioFolds : 1;
  for (const PortfolioMember& m : chosen_members(config.portfolio.members)) {
    if (m.edges && data.edges.size() == 0) continue;
    RunConfig own(member_settings(m, config.values()), data.name);
    own.resolve(data);
    Json part = plan_method(data, own);
    epochs += times * own.train.epochs;
    ms += times * own.train.epochs * part["epoch_ms"].get<double>();
    prepare_s += part.value("prepare_s", 0.0);
    peak_mb = std::max(peak_mb, part["peak_mb"].get<double>());
    plan["members"].push_back({{"name", m.name},
                               {"epoch_ms", part["epoch_ms"]},
                               {"epochs", own.train.epochs},
                               {"peak_mb", part["peak_mb"]}});
    plan["measured"] = part["measured"];
  }
  plan["epochs"] = epochs;
  plan["epoch_ms"] = ms / epochs;
  plan["prepare_s"] = prepare_s;
  plan["peak_mb"] = peak_mb;
  return plan;
}

}  // namespace

Json run_plan(PlanRequest request) {
  RunConfig config(request.settings, request.data.name);
  config.resolve(request.data);
  Json plan =
      config.method ? plan_method(request.data, config) : plan_portfolio(request.data, config);
  plan["available_mb"] = static_cast<double>(available_memory() + resident_memory()) / 1e6;
  return plan;
}

}  // namespace scrl
