#include "train/state.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace scrl {
namespace {

constexpr std::size_t kStatFields = 13;

std::vector<double> pack(const std::vector<EpochStats>& history) {
  std::vector<double> out;
  for (const EpochStats& e : history)
    out.insert(out.end(),
               {static_cast<double>(e.epoch), e.loss, e.train_accuracy, e.val_loss, e.val.accuracy,
                e.val.macro_f1, e.test.accuracy, e.test.macro_f1, e.train_ms, e.eval_ms, e.penalty,
                static_cast<double>(e.scored), e.agreement});
  return out;
}

std::vector<EpochStats> unpack(std::span<const double> f, const ContainerReader& in) {
  if (f.size() % kStatFields != 0)
    fail(ErrorKind::kModelFile, in.name(), ": section history has a wrong length");
  std::vector<EpochStats> out;
  for (; !f.empty(); f = f.subspan(kStatFields)) {
    const auto percent = [&](std::size_t field) { return f[field] >= 0 && f[field] <= 100; };
    const bool sound = f[0] == static_cast<double>(out.size() + 1) &&
                       std::all_of(f.begin(), f.begin() + kStatFields,
                                   [](double v) { return std::isfinite(v); }) &&
                       percent(2) && percent(4) && percent(5) && percent(6) && percent(7) &&
                       f[8] >= 0 && f[9] >= 0;
    if (!sound)
      fail(ErrorKind::kModelFile, in.name(), ": section history: epoch ", out.size() + 1,
           " has values that no epoch can have");
    out.push_back({static_cast<int>(f[0]),
                   f[1],
                   f[2],
                   f[3],
                   {f[4], f[5]},
                   {f[6], f[7]},
                   f[8],
                   f[9],
                   f[10],
                   f[11] != 0,
                   f[12]});
  }
  return out;
}

void read_matrix(const ContainerReader& in, const std::string& section, Matrix& into) {
  const auto values = in.array<float>(section);
  if (static_cast<Index>(values.size()) != into.rows() * into.cols())
    fail(ErrorKind::kModelFile, in.name(), ": section ", section, " holds ", values.size(),
         " values, the model needs ", into.rows(), "x", into.cols(),
         "; it was written for other data or options");
  const auto bad = std::ranges::find_if(values, [](float v) { return !std::isfinite(v); });
  if (bad != values.end())
    fail(ErrorKind::kModelFile, in.name(), ": section ", section, ": value ", bad - values.begin(),
         ": expected a finite number, found ", *bad);
  into.assign_packed(values);
}

// None where the optimiser keeps none, or has not made a step.
Moments moments_from(const ContainerReader& in, const Model& model) {
  const auto first = std::ranges::find_if(model.params, [](const auto& p) { return p->trained; });
  if (first == model.params.end() || !in.has("adam_m/" + (*first)->name)) return {};
  Moments out = zero_moments(model);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Param& p = *model.params[i];
    if (!p.trained) continue;
    read_matrix(in, "adam_m/" + p.name, out[i].m);
    read_matrix(in, "adam_v/" + p.name, out[i].v);
  }
  return out;
}

}  // namespace

Moments zero_moments(const Model& model) {
  Moments out(model.params.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Matrix& w = model.params[i]->value;
    if (model.params[i]->trained)
      out[i] = {Matrix(w.rows(), w.cols(), w.layout()), Matrix(w.rows(), w.cols(), w.layout())};
  }
  return out;
}

const EpochStats& oracle_epoch(const TrainState& state) {
  check(!state.history.empty(), "oracle_epoch: no epoch was trained");
  const auto worth = [](const EpochStats& e) { return e.scored ? e.test.accuracy : -1.0; };
  return *std::max_element(
      state.history.begin(), state.history.end(),
      [&](const EpochStats& a, const EpochStats& b) { return worth(a) < worth(b); });
}

void save_params(const Model& model, ContainerWriter& out) {
  for (const auto& p : model.params)
    if (p->predicts) out.add_array("param/" + p->name, p->value.packed());
}

void load_params(const ContainerReader& in, Model& model) {
  for (const auto& p : model.params)
    if (p->predicts) read_matrix(in, "param/" + p->name, p->value);
  model.tape.params_changed();
}

void save_state(const TrainState& state, const Model& model, ContainerWriter& out) {
  save_params(model, out);
  for (std::size_t i = 0; i < model.params.size(); ++i) {
    const Param& p = *model.params[i];
    if (!p.predicts) out.add_array("param/" + p.name, p.value.packed());
    if (p.trained && !state.moments.empty()) {
      out.add_array("adam_m/" + p.name, state.moments[i].m.packed());
      out.add_array("adam_v/" + p.name, state.moments[i].v.packed());
    }
    if (state.best_epoch > 0) out.add_array("best/" + p.name, state.best_params[i]);
  }
  out.add_array("history", pack(state.history));
  out.add_array("epochs", std::vector<std::int32_t>{state.epochs_done, state.best_epoch});
}

TrainState load_state(const ContainerReader& in, Model& model) {
  TrainState state;
  const auto epochs = in.array<std::int32_t>("epochs");
  state.history = unpack(in.array<double>("history"), in);
  if (epochs.size() != 2 || epochs[0] < 0 || epochs[1] < 0 || epochs[1] > epochs[0] ||
      (epochs[1] == 0) != (epochs[0] == 0) ||  // once one is done, one counts
      state.history.size() != static_cast<std::size_t>(epochs[0]))
    fail(ErrorKind::kModelFile, in.name(), ": the epoch counts contradict each other");
  state.epochs_done = epochs[0];
  state.best_epoch = epochs[1];
  load_params(in, model);
  state.moments = moments_from(in, model);
  for (const auto& p : model.params) {
    if (!p->predicts) read_matrix(in, "param/" + p->name, p->value);
    if (state.best_epoch > 0) {
      Matrix best(p->value.rows(), p->value.cols());
      read_matrix(in, "best/" + p->name, best);
      state.best_params.push_back(best.packed());
    }
  }
  return state;
}

}  // namespace scrl
