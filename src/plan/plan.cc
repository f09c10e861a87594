#include "plan/plan.h"

#include <algorithm>
#include <cmath>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "plan/epoch_time.h"
#include "plan/memory.h"
#include "plan/plan_large.h"
#include "train/operand_cache.h"
#include "train/split.h"

namespace scrl {
namespace {

constexpr Index kWholeNodes = 1 << 15;  // up to here a plan is a short training
constexpr Index kMoreCode = 1'200'000;  // bytes of code that training runs and a plan does not

TrainingPlan plan_method(const Dataset& data, const RunConfig& config, OperandCache& cache) {
  const Split split = choose_split(data, config.split, config.train.protocol == Protocol::kVal,
                                   static_cast<std::uint64_t>(config.train.seed));
  TrainingPlan plan{.data = data.name,
                    .method = config.run.method,
                    .precision = config.graph.precision,
                    .nodes = data.nodes,
                    .whole = data.nodes <= kWholeNodes,
                    .epochs = config.train.epochs,
                    .seeds = config.run.seeds};
  if (plan.whole) {
    const Stopwatch preparing;
    const auto operands = cache.get(config.graph, config.method->views());
    plan.prepare_s = preparing.seconds();
    const auto model = config.method->build(model_inputs(*operands, data, split, config.train));
    Moments moments;
    Epoch epoch(*model, data, split, config.train, moments);
    plan.epoch_ms = measure_epochs(epoch, *model, config.train.epochs).total_ms();
    model->evaluate();  // writes to memory that only the end of a training uses
    const Index keeping = keeping_bytes(*model, data, writes_checkpoints(config, plan.epoch_ms));
    const Index seldom = model->seldom_floats * Index{sizeof(float)};
    const Index peak = std::max(peak_memory(), resident_memory() + std::max(keeping, seldom));
    plan.peak_mb = static_cast<double>(peak + kMoreCode) / 1e6;
    return plan;
  }
  const LargeEstimate estimate = estimate_large(data, split, config);
  plan.epoch_ms = estimate.epoch_ms;
  plan.peak_mb = static_cast<double>(estimate.peak + kMoreCode) / 1e6;
  if ((config.method->views() & kFeatureGraph) && config.graph.knn != FeatureGraph::kFile &&
      searches_approximately(data.features, config.graph)) {
    constexpr double kSecondsPerStep = 6e-6;  // one core, per node and halving of the nodes
    const double n = static_cast<double>(data.nodes);
    plan.prepare_s = kSecondsPerStep * n * std::log2(n) / threads();
  }
  return plan;
}

// Members are trained one after the other, under `fixed` also without each fold.
TrainingPlan plan_portfolio(const Dataset& data, const RunConfig& config, OperandCache& cache) {
  TrainingPlan plan{.data = data.name,
                    .method = config.run.method,
                    .precision = config.graph.precision,
                    .nodes = data.nodes,
                    .seeds = config.run.seeds,
                    .prepare_s = 0};
  double ms = 0;
  const int times = config.train.protocol == Protocol::kFixed ? 1 + kPortfolioFolds : 1;
  for (const MemberConfig& m : config.members) {
    const TrainingPlan part = plan_method(data, *m.config, cache);
    plan.whole = part.whole;
    plan.epochs += times * part.epochs;
    ms += times * part.epochs * part.epoch_ms;
    *plan.prepare_s += part.prepare_s.value_or(0);
    plan.peak_mb = std::max(plan.peak_mb, part.peak_mb);
    plan.members.push_back({m.name, part.epochs, part.epoch_ms, part.peak_mb});
  }
  plan.epoch_ms = ms / plan.epochs;
  return plan;
}

}  // namespace

TrainingPlan plan_training(PlanRequest request) {
  RunConfig config(request.settings, request.data.name);
  config.resolve(request.data);
  OperandCache cache(request.data);
  TrainingPlan plan = config.method ? plan_method(request.data, config, cache)
                                    : plan_portfolio(request.data, config, cache);
  plan.available_mb = static_cast<double>(available_memory() + resident_memory()) / 1e6;
  return plan;
}

Json to_json(const TrainingPlan& p) {
  Json j = {{"data", p.data},
            {"method", p.method},
            {"precision", name_of(p.precision)},
            {"nodes", p.nodes},
            {"measured", p.whole ? "whole" : "piece"},
            {"epochs", p.epochs},
            {"seeds", p.seeds}};
  if (p.prepare_s) j["prepare_s"] = *p.prepare_s;
  j["epoch_ms"] = p.epoch_ms;
  j["peak_mb"] = p.peak_mb;
  j["available_mb"] = p.available_mb;
  if (p.members.empty()) return j;
  j["members"] = Json::array();
  for (const MemberPlan& m : p.members)
    j["members"].push_back(
        {{"name", m.name}, {"epoch_ms", m.epoch_ms}, {"epochs", m.epochs}, {"peak_mb", m.peak_mb}});
  return j;
}

}  // namespace scrl
