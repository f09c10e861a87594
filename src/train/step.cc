#include "train/step.h"

#include <cmath>

#include "train/optimizer.h"

namespace scrl {
namespace {

class TapeStep : public Step {
 public:
  TapeStep(Model& model, const TrainOptions& options, Moments& moments)
      : model_(model),
        optimizer_(model, options, moments),
        plan_(model.loss.node() ? model.tape.plan({model.loss}) : Plan{}) {
    model.tape.defer_gradients(options.optimizer == OptimizerKind::kAdam);
  }
  ~TapeStep() override { model_.tape.defer_gradients(false); }
  TapeStep(const TapeStep&) = delete;
  TapeStep& operator=(const TapeStep&) = delete;

  double gradients(const Pass& pass) override {
    model_.tape.forward(plan_, pass);
    const double loss = model_.loss.scalar();
    if (std::isfinite(loss)) model_.tape.backward(plan_, pass, model_.loss);
    return loss;
  }
  void update(int number) override { optimizer_.step(number); }
  Cost update_cost() const override { return optimizer_.cost(); }
  double penalty() const override { return optimizer_.penalty(); }

 private:
  Model& model_;
  Optimizer optimizer_;
  const Plan plan_;
};

class OwnStep : public Step {
 public:
  explicit OwnStep(OwnModel& model) : model_(model) {}
  double gradients(const Pass& pass) override { return model_.own_epoch(pass); }

 private:
  OwnModel& model_;
};

}  // namespace

std::unique_ptr<Step> step_of(Model& model, const TrainOptions& options, Moments& moments) {
  if (auto* own = dynamic_cast<OwnModel*>(&model)) return std::make_unique<OwnStep>(*own);
  return std::make_unique<TapeStep>(model, options, moments);
}

}  // namespace scrl
