#include "train/epoch.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernels/adam.h"
#include "kernels/reduce.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

[[noreturn]] void fail_diverged(int epoch, const char* what, const TrainOptions& o) {
  fail(ErrorKind::kDiverged, "epoch ", epoch, ": ", what, " is no longer a number; training ",
       "diverged. Lower lr (now ", o.lr, ") or scale the features (--set feature_norm=l1)");
}

// The learning rate of a step, counted from 1.
double rate_of(const TrainOptions& o, int step) {
  if (o.lr_decay == 0) return o.lr;
  const int losses = (step - 1) / o.lr_decay;
  return o.lr * std::max(0.0, 1 - 0.01 * losses);
}

Plan plan_of_evaluation(const Model& model) {
  std::vector<Var> outputs = {model.log_probs};
  outputs.insert(outputs.end(), model.view_scores.begin(), model.view_scores.end());
  return model.tape.plan(outputs);
}

}  // namespace

Epoch::Epoch(Model& model, const Dataset& data, const Split& split, const TrainOptions& options)
    : model_(model),
      data_(data),
      split_(split),
      options_(options),
      weight_decay_(options.weight_decay),
      train_plan_(model.loss.node() ? model.tape.plan({model.loss}) : Plan{}),
      eval_plan_(plan_of_evaluation(model)),
      predicted_(static_cast<std::size_t>(data.nodes)) {
  model.tape.defer_gradients(options.optimizer == "adam");
}

double Epoch::gradients(int epoch) {
  const Pass pass{.training = true,
                  .seed = static_cast<std::uint64_t>(options_.seed),
                  .epoch = static_cast<std::uint32_t>(epoch)};
  model_.begin_epoch(pass);
  if (const std::optional<double> own = model_.own_epoch(pass)) {
    if (!std::isfinite(*own)) fail_diverged(epoch, "the loss", options_);
    return *own;
  }
  model_.tape.forward(train_plan_, pass);
  const double loss = model_.loss.scalar();
  if (!std::isfinite(loss)) fail_diverged(epoch, "the loss", options_);
  model_.tape.backward(train_plan_, pass, model_.loss);
  return loss;
}

void Epoch::update(int epoch) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999;
  const int steps = epoch - model_.steps_begin_after;
  const double lr = rate_of(options_, steps);
  for (const auto& p : model_.params) {
    if (!p->trained || train_plan_.empty()) continue;
    if (options_.optimizer == "sgd") {
      if (p->decay && weight_decay_ > 0)
        kernels::scale(static_cast<float>(weight_decay_), p->value, p->grad, true);
      kernels::scale(static_cast<float>(-lr), p->grad, p->value, true);
      continue;
    }
    const kernels::AdamStep step{.lr = lr,
                                 .beta1 = kBeta1,
                                 .beta2 = kBeta2,
                                 .epsilon = 1e-8,
                                 .weight_decay = p->decay ? weight_decay_ : 0.0,
                                 .correction1 = 1 - std::pow(kBeta1, steps),
                                 .correction2 = 1 - std::pow(kBeta2, steps)};
    if (const PendingGradient& g = p->pending; g.A) {
      kernels::spmm_adam(*g.A, g.values, *g.X, step, p->value, p->m, p->v, g.gathers);
    } else {
      kernels::adam(step, p->grad, p->value, p->m, p->v);
    }
  }
  model_.tape.params_changed();
}

Cost Epoch::update_cost() const {
  constexpr double kFlops = 12, kBytes = 6 * sizeof(float);  // reads and writes w, m and v
  Cost sum;
  for (const auto& p : model_.params) {
    if (!p->trained || train_plan_.empty()) continue;
    const double size = static_cast<double>(p->value.size());
    sum += {.flops = kFlops * size, .streamed = kBytes * size};
    if (p->pending.A) {
      sum += p->pending.cost;
    } else {
      sum.streamed += size * sizeof(float);  // the gradient
    }
  }
  return sum;
}

double Epoch::penalty() const {
  double squares = 0;
  for (const auto& p : model_.params)
    if (p->trained && p->decay) squares += kernels::dot(p->value, p->value);
  return 0.5 * weight_decay_ * squares;
}

void Epoch::evaluate(EpochStats& now) {
  model_.tape.forward(eval_plan_, Pass{});
  const Matrix& logp = model_.log_probs.value();
  if (!kernels::all_finite(logp)) fail_diverged(now.epoch, "a prediction", options_);
  kernels::argmax_rows(logp, predicted_);
  const auto scores_of = [&](const std::vector<NodeId>& nodes) {
    return score(predicted_, data_.labels, nodes, data_.num_classes());
  };
  now.train_accuracy = scores_of(split_.train).accuracy;
  now.val = scores_of(split_.val);
  now.val_loss = mean_nll(logp, data_.labels, split_.val);
  now.test = scores_of(split_.test);
  if (options_.stop == "rising") now.penalty = penalty();
  if (model_.view_scores.size() == 2) {
    for (std::size_t v = 0; v < 2; ++v)
      kernels::argmax_rows(model_.view_scores[v].value(), nearest_[v]);
    now.agreement = percent_equal(nearest_[0], nearest_[1]);
  }
}

}  // namespace scrl
