#include "plan/bench.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "kernels/simd.h"
#include "plan/epoch_time.h"
#include "train/epoch.h"
#include "train/prepare.h"
#include "train/split.h"

namespace scrl {
namespace {

constexpr int kWarmUp = 3, kWarmUpOwn = 1;

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

Spread spread(const std::vector<double>& ms) {
  return {.median = quantile(ms, 0.5),
          .p25 = quantile(ms, 0.25),
          .p75 = quantile(ms, 0.75),
          .min = quantile(ms, 0)};
}

Json to_json(const Spread& s) {
  return {{"median", s.median}, {"p25", s.p25}, {"p75", s.p75}, {"min", s.min}};
}

Spread spread_from_json(const JsonFields& j) {
  return {.median = j.number("median", 0),
          .p25 = j.number("p25", 0),
          .p75 = j.number("p75", 0),
          .min = j.number("min", 0)};
}

MachineCeilings better(const MachineCeilings& a, const MachineCeilings& b) {
  return {.flops = std::max(a.flops, b.flops),
          .memory_bytes = std::max(a.memory_bytes, b.memory_bytes),
          .gather_bytes = std::max(a.gather_bytes, b.gather_bytes)};
}

// Stored entries of the graphs.
Index edges(const Operands& operands) {
  Index sum = operands.edges ? operands.edges->nnz() : 0;
  for (const auto* A : {operands.A_t.get(), operands.A_f.get()}) sum += A ? A->A.nnz() : 0;
  return sum;
}

// The roofline: whichever resource an op needs longest, it needs at least that long.
double bound_ms(const Cost& c, const MachineCeilings& p) {
  return 1e3 *
         std::max({c.flops / p.flops, c.streamed / p.memory_bytes, c.gathered / p.gather_bytes});
}

// The op with the shapes of its first operand and of its result.
std::string op_label(const Node& node) {
  const auto shape = [](const Node& n) {
    const Matrix& m = n.param ? n.param->value : n.own_value;
    return cat(m.rows(), "x", m.cols());
  };
  const std::string from = node.inputs.empty() ? "" : cat(" ", shape(*node.inputs[0]), " to");
  return cat(node.op, from, " ", shape(node));
}

// What all ops of one label did in each measured epoch.
struct OpTotal {
  std::vector<double> ms;
  std::vector<Cost> costs;  // of each call
  double bound(const MachineCeilings& ceilings) const {
    double sum = 0;
    for (const Cost& c : costs) sum += bound_ms(c, ceilings);
    return sum;
  }
};

class OpTable {
 public:
  explicit OpTable(int epochs) : epochs_(epochs) {}
  void add(const std::string& op, int epoch, const Cost& cost, double ms) {
    OpTotal& t = totals_[op];
    t.ms.resize(static_cast<std::size_t>(epochs_));
    t.ms[static_cast<std::size_t>(epoch)] += ms;
    t.costs.push_back(cost);
  }
  double bound_per_epoch(const MachineCeilings& ceilings) const {
    double sum = 0;
    for (const auto& [op, t] : totals_) sum += t.bound(ceilings);
    return sum / epochs_;
  }
  std::vector<OpTime> per_epoch(const MachineCeilings& ceilings) const {
    std::vector<OpTime> rows;
    for (const auto& [op, t] : totals_) {
      const double ms = quantile(t.ms, 0.5), rate = 1e-6 / (ms * epochs_);
      Cost cost;
      for (const Cost& c : t.costs) cost += c;
      rows.push_back({.op = op,
                      .calls = static_cast<double>(t.costs.size()) / epochs_,
                      .ms = ms,
                      .bound_ms = t.bound(ceilings) / epochs_,
                      .gflops = cost.flops * rate,
                      .stream_gb_s = cost.streamed * rate,
                      .gather_gb_s = cost.gathered * rate});
    }
    std::ranges::sort(rows, std::greater<>{}, &OpTime::ms);
    return rows;
  }

 private:
  int epochs_;
  std::map<std::string, OpTotal> totals_;
};

}  // namespace

Json to_json(const EpochTimes& t) {
  return {{"epoch_ms", to_json(t.epoch_ms)}, {"step_ms", to_json(t.step_ms)}};
}

EpochTimes epoch_times_from_json(const JsonFields& j) {
  return {.epoch_ms = spread_from_json(j.object("epoch_ms")),
          .step_ms = spread_from_json(j.object("step_ms"))};
}

Json to_json(const BenchResult& r) {
  Json ops = Json::array();
  for (const OpTime& t : r.ops)
    ops.push_back({{"op", t.op},
                   {"calls", t.calls},
                   {"ms", t.ms},
                   {"bound_ms", t.bound_ms},
                   {"gflops", t.gflops},
                   {"stream_gb_s", t.stream_gb_s},
                   {"gather_gb_s", t.gather_gb_s}});
  return {{"data", r.data},
          {"method", r.method},
          {"profile", name_of(r.profile)},
          {"precision", name_of(r.precision)},
          {"nodes", r.nodes},
          {"edges", r.edges},
          {"threads", r.threads},
          {"simd", r.simd},
          {"epochs", r.epochs},
          {"load_ms", r.load_ms},
          {"prepare_ms", r.prepare_ms},
          {"epoch_ms", to_json(r.times.epoch_ms)},
          {"step_ms", to_json(r.times.step_ms)},
          {"bound_ms", r.bound_ms ? Json(*r.bound_ms) : Json()},
          {"bound_ratio", r.bound_ms.value_or(0) > 0 ? Json(r.bound_ratio()) : Json()},
          {"ops", ops},
          {"machine_ceilings",
           {{"gflops", r.ceilings.flops * 1e-9},
            {"memory_gb_s", r.ceilings.memory_bytes * 1e-9},
            {"gather_gb_s", r.ceilings.gather_bytes * 1e-9}}},
          {"buffers_mb", r.buffers_mb},
          {"peak_mb", r.peak_mb}};
}

BenchResult run_bench(const BenchRequest& request) {
  const Dataset& data = request.data;
  RunConfig config(request.settings, data.name);
  if (!config.method)
    fail(ErrorKind::kUsage, "bench times the epochs of one method and auto trains several; name ",
         "one with --method");
  const Split split = choose_split(data, config.split, config.train.protocol == Protocol::kVal,
                                   static_cast<std::uint64_t>(config.train.seed));
  config.resolve(data);
  const Stopwatch preparing;
  const Operands operands = prepare(data, config.graph, config.method->views());
  const double prepare_ms = preparing.ms();
  const std::unique_ptr<Model> model =
      config.method->build(model_inputs(operands, data, split, config.train));
  Moments moments;
  Epoch epoch(*model, data, split, config.train, moments);

  int measuring = -1;  // number of the measured epoch
  const MachineCeilings before = measure_ceilings(model->training_bytes());
  OpTable ops(request.epochs);
  const auto observe = [&](const Node& node, Direction d, double seconds) {
    const bool forward = d == Direction::kForward;
    const Param* const p = node.inputs.empty() ? nullptr : node.inputs[0]->param;
    if (!forward && p && p->pending.A) return;  // left to the update, and counted there
    ops.add(op_label(node) + (forward ? "" : ", backward"), measuring,
            forward ? node.forward_cost : node.backward_cost, 1e3 * seconds);
  };
  std::vector<double> step_ms, epoch_ms;
  const bool own = !model->loss.node();  // descends by itself: there are no ops to tell apart
  const int warm_up = own ? kWarmUpOwn : kWarmUp;
  for (int e = 1; e <= warm_up + request.epochs; ++e) {
    measuring = e - warm_up - 1;
    if (measuring == 0) model->tape.observe(observe);
    const int number = epoch_number(e, config.train.epochs);
    EpochStats now{.epoch = number};
    const Stopwatch watch;
    epoch.gradients(number);
    const Cost update_cost = epoch.update_cost();
    const double before_update = watch.ms();
    epoch.update(number);
    const double step = watch.ms();
    if (!model->fit_classifier) epoch.evaluate(now);
    if (measuring < 0) continue;
    if (own) {
      ops.add(cat("the pass of ", config.run.method, ", which is not made of ops"), measuring, {},
              before_update);
    } else {
      ops.add(config.train.optimizer == OptimizerKind::kAdam ? "adam, with the gradients left to it"
                                                             : name_of(config.train.optimizer),
              measuring, update_cost, step - before_update);
    }
    step_ms.push_back(step);
    epoch_ms.push_back(watch.ms());
  }
  const Index peak = peak_memory();  // before the machine is measured again, beside the model
  // Whoever shares the machine slows a measurement down, never speeds it up: the better one counts.
  const MachineCeilings ceilings = better(before, measure_ceilings(model->training_bytes()));
  BenchResult out{.data = data.name,
                  .method = config.run.method,
                  .profile = config.run.profile,
                  .precision = config.graph.precision,
                  .nodes = data.nodes,
                  .edges = edges(operands),
                  .threads = threads(),
                  .epochs = request.epochs,
                  .simd = kernels::simd_level(),
                  .prepare_ms = prepare_ms,
                  .times = {.epoch_ms = spread(epoch_ms), .step_ms = spread(step_ms)},
                  .ops = ops.per_epoch(ceilings),
                  .ceilings = ceilings,
                  .buffers_mb = static_cast<double>(model->training_bytes()) / 1e6,
                  .peak_mb = static_cast<double>(peak) / 1e6};
  if (!own) out.bound_ms = ops.bound_per_epoch(ceilings);
  return out;
}

}  // namespace scrl
