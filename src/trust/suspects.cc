#include "trust/suspects.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/rng.h"
#include "kernels/rows.h"
#include "run/calibration.h"
#include "run/out_of_fold.h"
#include "train/prepare.h"

namespace scrl {
namespace {

constexpr std::uint32_t kFlips = 7;  // stream after those of train/split.cc and trust/conformal.cc
constexpr float kSharpness = 1 / 0.3f;  // of the cosines of scrl, as in training

// log p of a view with the temperature that suits the labels; rows of other nodes are not used.
Matrix calibrated_view(const Matrix& cosines, std::span<const NodeId> nodes,
                       std::span<const std::int32_t> labels) {
  Matrix raw(cosines.rows(), cosines.cols()), out(cosines.rows(), cosines.cols());
  kernels::log_softmax(cosines, kSharpness, raw);
  const double T = learned_temperature(raw, nodes, labels);
  kernels::log_softmax(raw, static_cast<float>(1 / T), out);
  return out;
}

}  // namespace

std::vector<Setting> suspects_settings(std::vector<Setting> settings) {
  for (const Setting& s : settings)
    if (s.key == "method" || s.key == "protocol")
      fail(ErrorKind::kUsage, s.key, ": suspects trains scrl under protocol fixed; leave it out");
  settings.insert(settings.begin(), {"method", "scrl", "suspects"});
  settings.push_back({"protocol", "fixed", "suspects"});
  return settings;
}

std::vector<Suspect> rank_suspects(const SuspectRequest& o) {
  std::vector<std::int32_t> labels;
  for (const NodeId i : o.nodes) labels.push_back(o.data.labels[i]);
  if (o.nodes.size() < 2 || std::set(labels.begin(), labels.end()).size() < 2)
    fail(ErrorKind::kUsage, o.data.source,
         ": suspects needs labelled nodes of two classes or more, ", "there are ", o.nodes.size(),
         " labelled nodes of ", std::set(labels.begin(), labels.end()).size());
  RunConfig config(suspects_settings(o.settings), o.data.name);
  config.resolve(o.data);
  const Operands operands = prepare(o.data, config.graph, config.method->views());
  const int folds = std::min(o.folds, static_cast<int>(o.nodes.size()));
  const Index M = o.data.num_classes();
  Matrix cosines[2] = {Matrix(o.data.nodes, M), Matrix(o.data.nodes, M)};
  int done = 0;
  if (o.progress) o.progress(done, folds);
  const bool complete = train_out_of_fold(
      {.data = o.data,
       .config = config,
       .operands = operands,
       .nodes = o.nodes,
       .folds = folds,
       .seed = config.train.seed},
      o.should_stop, [&](const Model& model, const std::vector<NodeId>& held_out) {
        for (int v = 0; v < 2; ++v)
          for (const NodeId i : held_out)
            std::copy_n(model.view_scores[static_cast<std::size_t>(v)].value().row(i), M,
                        cosines[v].row(i));
        if (o.progress) o.progress(++done, folds);
      });
  if (!complete) return {};

  const Matrix t = calibrated_view(cosines[0], o.nodes, labels);
  const Matrix f = calibrated_view(cosines[1], o.nodes, labels);
  std::vector<Suspect> out;
  for (std::size_t k = 0; k < o.nodes.size(); ++k) {
    const NodeId i = o.nodes[k];
    const std::int32_t y = labels[k];
    Suspect s{.node = i,
              .label = y,
              .p_topology = std::exp(static_cast<double>(t(i, y))),
              .p_features = std::exp(static_cast<double>(f(i, y)))};
    std::int32_t best[2] = {0, 0};
    for (std::int32_t c = 1; c < M; ++c) {
      if (t(i, c) > t(i, best[0])) best[0] = c;
      if (f(i, c) > f(i, best[1])) best[1] = c;
      if (t(i, c) + f(i, c) > t(i, s.suggested) + f(i, s.suggested)) s.suggested = c;
    }
    s.both = best[0] != y && best[1] != y;
    s.score =
        static_cast<double>(t(i, best[0]) - t(i, y)) + static_cast<double>(f(i, best[1]) - f(i, y));
    out.push_back(s);
  }
  std::stable_sort(out.begin(), out.end(), [](const Suspect& a, const Suspect& b) {
    return a.both != b.both ? a.both : a.score > b.score;
  });
  return out;
}

std::vector<NodeId> flip_labels(std::vector<std::int32_t>& labels, std::span<const NodeId> nodes,
                                Index classes, double share, std::uint64_t seed) {
  check(classes >= 2, "flip_labels: ", classes, " classes");
  std::vector<NodeId> order(nodes.begin(), nodes.end());
  Rng rng(seed, Purpose::kSplit, kFlips);
  rng.shuffle(std::span<NodeId>(order));
  const auto wanted = std::llround(share * static_cast<double>(order.size()));
  order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(1LL, wanted))));
  for (const NodeId i : order) {
    const auto step = 1 + rng.below(static_cast<std::uint64_t>(classes - 1));
    labels[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(
        (static_cast<std::uint64_t>(labels[static_cast<std::size_t>(i)]) + step) %
        static_cast<std::uint64_t>(classes));
  }
  return order;
}

}  // namespace scrl
