#include "trust/query_replay.h"

#include <algorithm>

#include "base/error.h"
#include "base/rng.h"
#include "draw/chart.h"
#include "eval/metrics.h"
#include "kernels/rows.h"
#include "run/method_run.h"
#include "train/prepare.h"
#include "train/split.h"
#include "trust/node_space.h"
#include "trust/query.h"

namespace scrl {
namespace {

constexpr std::uint32_t kRandomChoice = 8;  // stream after those of other draws of nodes

std::vector<Setting> under_fixed(std::vector<Setting> settings) {
  settings.insert(settings.begin(), {"method", "scrl", "query"});
  settings.push_back({"protocol", "fixed", "query"});
  return settings;
}

class Replayer {
 public:
  explicit Replayer(const ReplayRequest& o) : o_(o), config_(under_fixed(o.settings), o.data.name) {
    if (!config_.method)
      fail(ErrorKind::kUsage, "--oracle-labels trains one method; auto is several, name one with ",
           "--method");
    config_.resolve(o.data);
    SplitOptions split = config_.split;
    split.labels = std::max(1, split.labels);
    test_ = choose_split(o.data, split, false, static_cast<std::uint64_t>(config_.train.seed)).test;
    candidate_.assign(static_cast<std::size_t>(o.data.nodes), false);
    for (Index i = 0; i < o.data.nodes; ++i)
      candidate_[static_cast<std::size_t>(i)] = o.data.labels[i] != kUnlabelled;
    for (const NodeId i : test_) candidate_[static_cast<std::size_t>(i)] = false;
    const Index left = std::count(candidate_.begin(), candidate_.end(), true);
    if (left < o.per_batch * o.batches)
      fail(ErrorKind::kUsage, o.data.source, ": ", o.batches, " batches of ", o.per_batch,
           " need as many labelled nodes outside the test nodes, and there are ", left);
    operands_ = prepare(o.data, config_.graph, config_.method->views());
  }

  // Accuracy after every batch; empty: stopped.
  std::vector<double> by_query() {
    const Matrix space = node_space(o_.data, static_cast<std::uint64_t>(config_.train.seed));
    std::vector<float> weights(static_cast<std::size_t>(o_.data.nodes), 1.0f);
    return curve(
        config_.train.seed, "query", [&](const std::vector<NodeId>& labelled, const Model* model) {
          if (model) weights = doubt_weights(model->log_probs.value());
          std::vector<bool> open = candidate_;
          for (const NodeId i : labelled) open[static_cast<std::size_t>(i)] = false;
          std::vector<NodeId> out;
          for (const Queried& q : query_nodes(space, open, labelled, weights, o_.per_batch,
                                              static_cast<std::uint64_t>(config_.train.seed)))
            out.push_back(q.node);
          return out;
        });
  }

  std::vector<double> by_chance(int draw) {
    std::vector<NodeId> order;
    for (Index i = 0; i < o_.data.nodes; ++i)
      if (candidate_[static_cast<std::size_t>(i)]) order.push_back(static_cast<NodeId>(i));
    Rng(static_cast<std::uint64_t>(config_.train.seed + draw), Purpose::kSplit, kRandomChoice)
        .shuffle(std::span<NodeId>(order));
    return curve(config_.train.seed + draw, cat("random choice ", draw + 1),
                 [&](const std::vector<NodeId>& labelled, const Model*) {
                   const auto from = order.begin() + static_cast<std::ptrdiff_t>(labelled.size());
                   return std::vector<NodeId>(from,
                                              from + static_cast<std::ptrdiff_t>(o_.per_batch));
                 });
  }

  const RunConfig& config() const { return config_; }
  Index test_nodes() const { return static_cast<Index>(test_.size()); }

 private:
  template <class Choose>
  std::vector<double> curve(int seed, const std::string& name, const Choose& choose) {
    std::vector<double> out;
    std::vector<NodeId> labelled;
    MethodRun run;
    for (int batch = 0; batch < o_.batches; ++batch) {
      const std::vector<NodeId> more = choose(labelled, run.model.get());
      labelled.insert(labelled.end(), more.begin(), more.end());
      bool stopped = false;
      MethodEvents events;
      events.should_stop = [&] { return stopped = o_.should_stop && o_.should_stop(); };
      run = train_method(o_.data, config_, operands_, {.train = labelled, .test = test_}, seed,
                         events);
      if (stopped) return {};
      std::vector<std::int32_t> predicted;
      kernels::argmax_rows(run.model->log_probs.value(), predicted);
      out.push_back(score(predicted, o_.data.labels, test_, o_.data.num_classes()).accuracy);
      if (o_.note) o_.note(cat(name, ": ", labelled.size(), " labels, accuracy ", out.back()));
    }
    return out;
  }

  const ReplayRequest& o_;
  RunConfig config_;
  Operands operands_;
  std::vector<NodeId> test_;
  std::vector<bool> candidate_;
};

template <class Value>
double area(const std::vector<ReplayPoint>& points, const Value& value) {
  if (points.size() == 1) return value(points[0]);
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    sum += (value(points[i]) + value(points[i - 1])) / 2 *
           static_cast<double>(points[i].labels - points[i - 1].labels);
  return points.empty() ? 0
                        : sum / static_cast<double>(points.back().labels - points.front().labels);
}

}  // namespace

double Replay::query_area() const {
  return area(points, [](const ReplayPoint& p) { return p.query; });
}
double Replay::random_area() const {
  return area(points, [](const ReplayPoint& p) { return p.random; });
}

Replay replay_query(const ReplayRequest& o) {
  Replayer replayer(o);
  Replay out{.dataset = o.data.name,
             .method = replayer.config().run.method,
             .test_nodes = replayer.test_nodes(),
             .draws = o.draws};
  const std::vector<double> query = replayer.by_query();
  std::vector<std::vector<double>> random;
  for (int d = 0; d < o.draws && !query.empty(); ++d) {
    random.push_back(replayer.by_chance(d));
    if (random.back().empty()) return out;
  }
  for (std::size_t b = 0; b < query.size(); ++b) {
    std::vector<double> draws;
    for (const auto& r : random) draws.push_back(r[b]);
    const MeanStd m = mean_std(draws);
    out.points.push_back({static_cast<Index>(b + 1) * o.per_batch, query[b], m.mean, m.std});
  }
  return out;
}

Json to_json(const Replay& r) {
  Json j = {
      {"dataset", r.dataset},           {"method", r.method},      {"protocol", "fixed"},
      {"test_nodes", r.test_nodes},     {"random_draws", r.draws}, {"query_area", r.query_area()},
      {"random_area", r.random_area()}, {"points", Json::array()}};
  for (const ReplayPoint& p : r.points)
    j["points"].push_back({{"labels", p.labels},
                           {"query", p.query},
                           {"random", p.random},
                           {"random_std", p.random_std}});
  return j;
}

std::string replay_svg(const Replay& r) {
  LinePanel panel{.x_label = "labels", .y_label = "accuracy, percent"};
  panel.lines.resize(2);
  double low = 100, high = 0;
  std::vector<double> xs;
  for (const ReplayPoint& p : r.points) {
    const double x = static_cast<double>(p.labels);
    xs.push_back(x);
    panel.lines[0].push_back({.x = x, .y = p.query});
    panel.lines[1].push_back(
        {.x = x, .y = p.random, .low = p.random - p.random_std, .high = p.random + p.random_std});
    low = std::min({low, p.query, p.random - p.random_std});
    high = std::max({high, p.query, p.random + p.random_std});
  }
  panel.x = linear_axis(0, xs.empty() ? 1 : xs.back());
  panel.y = linear_axis(low, high);
  return draw({.name = "query",
               .title = cat(r.dataset, ", ", r.method, ": labels that were asked for"),
               .panels = {{.title = "", .content = std::move(panel)}},
               .series = {"scrl query", cat("random choice, mean of ", r.draws)}});
}

}  // namespace scrl
