#include "app/plan.h"

#include <cmath>

#include "app/epoch_time.h"
#include "app/memory_need.h"
#include "app/plan_large.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "train/split.h"

namespace scrl {
namespace {

constexpr Index kWholeNodes = 1 << 15;  // up to here a plan is a short training

}  // namespace

Json run_plan(PlanRequest request) {
  const Dataset& data = request.data;
  RunConfig config(request.settings, data.name);
  const Split split = choose_split(data, config.split, config.train.protocol == "val",
                                   static_cast<std::uint64_t>(config.train.seed));
  config.settle(data, split);
  const bool whole = data.nodes <= kWholeNodes;
  const bool approximate = (config.method->views() & kFeatureGraph) && config.graph.knn != "file" &&
                           searches_approximately(data.features, config.graph);
  Json plan = {{"data", data.name},
               {"method", config.run.method},
               {"precision", config.graph.precision},
               {"nodes", data.nodes},
               {"measured", whole ? "whole" : "piece"},
               {"epochs", config.train.epochs},
               {"seeds", config.run.seeds}};
  if (whole) {
    const Stopwatch preparing;
    const Operands operands = prepare(data, config.graph, config.method->views());
    plan["prepare_s"] = preparing.seconds();
    const auto model = config.method->build(model_inputs(operands, data, split, config.train));
    Epoch epoch(*model, data, split, config.train);
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
  plan["available_mb"] = static_cast<double>(available_memory() + resident_memory()) / 1e6;
  return plan;
}

}  // namespace scrl
