#include "train/epoch.h"

#include <cmath>

#include "base/error.h"
#include "kernels/reduce.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

[[noreturn]] void fail_diverged(int epoch, const char* what, const TrainOptions& o) {
  fail(ErrorKind::kDiverged, "epoch ", epoch, ": ", what, " is no longer a number; training ",
       "diverged. Lower lr (now ", o.lr, ") or scale the features (--set feature_norm=l1)");
}

Plan plan_of_evaluation(const Model& model) {
  std::vector<Var> outputs = {model.log_probs};
  outputs.insert(outputs.end(), model.view_scores.begin(), model.view_scores.end());
  return model.tape.plan(outputs);
}

}  // namespace

Epoch::Epoch(Model& model, const Dataset& data, const Split& split, const TrainOptions& options,
             Moments& moments)
    : model_(model),
      data_(data),
      split_(split),
      options_(options),
      step_(step_of(model, options, moments)),
      eval_plan_(plan_of_evaluation(model)),
      predicted_(static_cast<std::size_t>(data.nodes)) {}

double Epoch::gradients(int epoch) {
  const Pass pass{.training = true,
                  .seed = static_cast<std::uint64_t>(options_.seed),
                  .epoch = static_cast<std::uint32_t>(epoch)};
  model_.begin_epoch(pass);
  const double loss = step_->gradients(pass);
  if (!std::isfinite(loss)) fail_diverged(epoch, "the loss", options_);
  return loss;
}

void Epoch::update(int epoch) { step_->update(epoch - model_.steps_begin_after); }

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
  if (options_.stop == Stop::kRising) now.penalty = step_->penalty();
  if (model_.view_scores.size() == 2) {
    for (std::size_t v = 0; v < 2; ++v)
      kernels::argmax_rows(model_.view_scores[v].value(), nearest_[v]);
    now.agreement = percent_equal(nearest_[0], nearest_[1]);
  }
}

}  // namespace scrl
