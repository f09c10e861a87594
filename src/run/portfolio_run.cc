#include "run/portfolio_run.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "kernels/rows.h"
#include "linear/cross_validate.h"
#include "linear/stacking.h"
#include "run/method_run.h"
#include "run/model_file.h"

namespace scrl {
namespace {

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Rows `nodes` of a matrix, one after the other.
std::vector<float> packed_rows(const Matrix& m, const std::vector<NodeId>& nodes) {
  std::vector<float> out;
  for (const NodeId i : nodes) {
    const auto row = m.row_span(i);
    out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

std::vector<std::int32_t> labels_of(const Dataset& data, const std::vector<NodeId>& nodes) {
  std::vector<std::int32_t> out;
  for (const NodeId i : nodes) out.push_back(data.labels[i]);
  return out;
}

}  // namespace

bool collapsed(const Matrix& log_probs) {
  std::vector<std::int32_t> predicted;
  kernels::argmax_rows(log_probs, predicted);
  return !predicted.empty() && log_probs.cols() > 1 &&
         std::all_of(predicted.begin(), predicted.end(),
                     [&](std::int32_t c) { return c == predicted[0]; });
}

PortfolioRun::PortfolioRun(const Dataset& data, const RunConfig& config, OperandCache& operands,
                           const PortfolioEvents& events)
    : data_(data),
      config_(config),
      operands_(operands),
      events_(events),
      members_(config.members) {}

PortfolioRun::Scoring PortfolioRun::scoring(int seed, const Split& split) const {
  const Protocol protocol = config_.train.protocol;
  Scoring out;
  if (members_.size() == 1) return out;  // nothing to choose
  out.nodes = protocol == Protocol::kVal      ? split.val
              : protocol == Protocol::kOracle ? split.test
                                              : split.train;
  out.labels = labels_of(data_, out.nodes);
  out.fold.assign(out.nodes.size(), -1);
  if (protocol == Protocol::kFixed) {
    if (out.nodes.size() < kPortfolioFolds) return {};
    out.fold = stratified_folds(out.labels, data_.num_classes(), kPortfolioFolds,
                                static_cast<std::uint64_t>(seed));
  }
  return out;
}

std::vector<PortfolioTask> PortfolioRun::tasks(const Scoring& scoring) const {
  std::vector<PortfolioTask> out;
  for (std::size_t m = 0; m < members_.size(); ++m) out.push_back({m, -1});
  const int folds =
      scoring.fold.empty() ? 0 : 1 + *std::max_element(scoring.fold.begin(), scoring.fold.end());
  for (std::size_t m = 0; m < members_.size(); ++m)
    for (int f = 0; f < folds; ++f) out.push_back({m, f});
  return out;
}

bool PortfolioRun::out_of_time() const {
  const double limit = config_.portfolio.time_limit;
  return limit > 0 && now_seconds() - started_ > limit;
}

// The nodes whose predictions by this task choose weights.
std::vector<NodeId> PortfolioRun::held_out_nodes(const PortfolioTask& task,
                                                 const Scoring& scoring) {
  std::vector<NodeId> out;
  for (std::size_t i = 0; i < scoring.nodes.size(); ++i)
    if (scoring.fold[i] == task.fold) out.push_back(scoring.nodes[i]);
  return out;
}

// Returns false when it was interrupted, and saved so that it can go on. A member then counts with
// its best epoch so far, a fold not at all.
bool PortfolioRun::train(const PortfolioTask& task, int seed, const Split& split,
                         const Scoring& scoring,
                         const std::function<std::optional<TrainState>(Model&)>& restore) {
  const double begin = now_seconds();
  const MemberConfig& member = members_[task.member];
  Split own = split;
  if (task.fold >= 0) {
    own.train.clear();
    own.val.clear();
    for (std::size_t i = 0; i < scoring.nodes.size(); ++i)
      if (scoring.fold[i] != task.fold) own.train.push_back(scoring.nodes[i]);
  }
  MethodEvents events;
  events.epoch = [&](const EpochStats& e, Model&) {
    if (events_.epoch) events_.epoch(member.name, task.fold, e, member.config->train.epochs);
  };
  bool stopped = false;
  events.save = [&](const TrainState& state, const Model& model, bool) {
    if (events_.save) events_.save(done_, &state, &model);
  };
  events.should_stop = [&] {
    stopped = events_.should_stop && events_.should_stop();
    return stopped || out_of_time();
  };
  const auto operands = operands_.get(member.config->graph, member.config->method->views());
  const MethodRun run = train_method(data_, *member.config, *operands, own, seed, events, restore);
  if (stopped && task.fold >= 0) return false;
  const TrainState& state = run.state;
  const Model* const model = run.model.get();

  FinishedTask out{.task = task,
                   .held_out = packed_rows(model->log_probs.value(), held_out_nodes(task, scoring)),
                   .val = state.best().val,
                   .test = state.best().test,
                   .oracle = oracle_epoch(state).test,
                   .epochs = state.epochs_done,
                   .best_epoch = state.best_epoch,
                   .seconds = now_seconds() - begin,
                   .collapsed = collapsed(model->log_probs.value())};
  if (task.fold < 0)
    for (const auto& p : model->params)
      if (p->predicts) out.params.push_back({p->name, p->value.packed()});
  done_.push_back(std::move(out));
  return !stopped;
}

// Of the members that are finished; 0 for the others. Even where no label can tell.
std::vector<double> PortfolioRun::weights(const Scoring& scoring, bool by_class) const {
  std::vector<bool> usable(members_.size());
  for (const FinishedTask& t : done_)
    if (t.task.fold < 0) usable[t.task.member] = !t.collapsed;
  if (std::none_of(usable.begin(), usable.end(), [](bool u) { return u; }))
    for (const FinishedTask& t : done_) usable[t.task.member] = true;

  const Index M = data_.num_classes(), R = static_cast<Index>(scoring.nodes.size());
  std::vector<std::size_t> index;
  std::vector<Matrix> opinions;
  bool complete = R > 0;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (!usable[m]) continue;
    Matrix opinion(R, M);
    Index known = 0;
    for (const FinishedTask& t : done_) {
      if (t.task.member != m || t.held_out.empty()) continue;
      const float* from = t.held_out.data();
      for (Index i = 0; i < R; ++i) {
        if (scoring.fold[static_cast<std::size_t>(i)] != t.task.fold) continue;
        std::copy_n(from, M, opinion.row(i));
        from += M;
        ++known;
      }
    }
    complete = complete && known == R;
    index.push_back(m);
    opinions.push_back(std::move(opinion));
  }
  std::vector<double> chosen(index.size(), 1 / static_cast<double>(index.size()));
  if (complete) {
    StackingOptions options;
    if (by_class) {
      std::vector<double> counts(static_cast<std::size_t>(M), 0.0);
      for (const std::int32_t y : scoring.labels) ++counts[static_cast<std::size_t>(y)];
      for (const double n : counts)
        options.class_weights.push_back(
            n == 0 ? 0 : static_cast<double>(R) / (static_cast<double>(M) * n));
    }
    std::vector<const Matrix*> members;
    for (const Matrix& o : opinions) members.push_back(&o);
    std::vector<NodeId> rows(static_cast<std::size_t>(R));
    for (Index i = 0; i < R; ++i) rows[static_cast<std::size_t>(i)] = static_cast<NodeId>(i);
    const std::vector<double> even = chosen;
    chosen = stack_weights(members, rows, scoring.labels, options);
    if (std::all_of(chosen.begin(), chosen.end(), [](double w) { return w == 0; })) chosen = even;
  }
  std::vector<double> out(members_.size(), 0.0);
  for (std::size_t i = 0; i < index.size(); ++i) out[index[i]] = chosen[i];
  return out;
}

std::unique_ptr<Ensemble> PortfolioRun::ensemble(const std::vector<double>& weights) {
  std::vector<EnsembleMember> parts;
  for (const FinishedTask& t : done_) {
    const double weight = weights[t.task.member];
    if (t.task.fold >= 0 || weight == 0) continue;
    const MemberConfig& member = members_[t.task.member];
    const auto operands = operands_.get(member.config->graph, member.config->method->views());
    auto model = untrained_model(*operands, *member.config, data_.num_classes());
    for (const auto& p : model->params)
      for (const NamedArray& a : t.params)
        if (a.name == p->name) {
          if (std::ssize(a.values) != p->value.rows() * p->value.cols())
            fail(ErrorKind::kModelFile, "cannot resume: parameter ", a.name, " of member ",
                 member.name, " has another size in the checkpoint; --force starts anew");
          p->value.assign_packed(a.values);
        }
    EnsembleMember part = {.name = member.name, .weight = weight};
    for (const Setting& s : member.config->values()) part.settings.emplace_back(s.key, s.value);
    part.operands = operands;
    part.model = std::move(model);
    parts.push_back(std::move(part));
  }
  auto out = std::make_unique<Ensemble>(std::move(parts));
  out->evaluate();
  return out;
}

PortfolioResult PortfolioRun::run(int seed, const Split& split, std::vector<FinishedTask> done,
                                  const std::function<std::optional<TrainState>(Model&)>& restore) {
  started_ = now_seconds();
  done_ = std::move(done);
  const Scoring nodes = scoring(seed, split);
  const std::vector<PortfolioTask> all = tasks(nodes);
  for (std::size_t i = 0; i < done_.size(); ++i)
    if (i >= all.size() || !(done_[i].task == all[i]) ||
        static_cast<Index>(done_[i].held_out.size()) !=
            static_cast<Index>(held_out_nodes(all[i], nodes).size()) * data_.num_classes())
      fail(ErrorKind::kModelFile, "cannot resume: the tasks of the checkpoint are not those of ",
           "this training; --force starts anew");
  PortfolioResult result{.stopped_because = "all members"};
  bool resuming = true;
  while (done_.size() < all.size()) {
    if (!done_.empty() && out_of_time()) {
      result.stopped_because = "time limit";
      break;
    }
    if (!train(all[done_.size()], seed, split, nodes, resuming ? restore : nullptr)) {
      result.interrupted = true;
      result.stopped_because = "signal";
      break;
    }
    resuming = false;
    if (events_.save) events_.save(done_, nullptr, nullptr);
  }
  const bool by_class = config_.train.metric == Metric::kMacroF1;
  std::vector<double> chosen = weights(nodes, by_class);
  result.model = ensemble(chosen);
  if (!by_class && collapsed(result.model->log_probs.value())) {
    const std::vector<double> other = weights(nodes, true);
    if (auto model = ensemble(other); !collapsed(model->log_probs.value())) {
      chosen = other;
      result.model = std::move(model);
      if (events_.note)
        events_.note(
            "accuracy alone would predict one class for every node; classes count alike "
            "in the choice of weights instead, as with --metric macro-f1");
    }
  }
  for (const FinishedTask& t : done_) {
    if (t.task.fold >= 0) continue;
    result.members.push_back({members_[t.task.member].name, chosen[t.task.member], t.val, t.test,
                              t.epochs, t.best_epoch, t.seconds});
    if (t.oracle.accuracy > result.oracle.accuracy) result.oracle = t.oracle;
  }
  return result;
}

}  // namespace scrl
