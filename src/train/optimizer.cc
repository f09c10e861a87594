#include "train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "kernels/adam.h"
#include "kernels/reduce.h"

namespace scrl {
namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

double learning_rate(const TrainOptions& o, int step) {
  if (o.lr_decay == 0) return o.lr;
  const int losses = (step - 1) / o.lr_decay;
  return o.lr * std::max(0.0, 1 - 0.01 * losses);
}

}  // namespace

Optimizer::Optimizer(Model& model, const TrainOptions& options, Moments& moments)
    : model_(model), options_(options), moments_(moments) {}

void Optimizer::step(int number) {
  const double lr = learning_rate(options_, number), decay = options_.weight_decay;
  if (options_.optimizer == OptimizerKind::kAdam && (moments_.empty() || number == 1))
    moments_ = zero_moments(model_);
  for (std::size_t i = 0; i < model_.params.size(); ++i) {
    Param& p = *model_.params[i];
    if (!p.trained) continue;
    if (options_.optimizer == OptimizerKind::kSgd) {
      if (p.decay && decay > 0) kernels::scale(static_cast<float>(decay), p.value, p.grad, true);
      kernels::scale(static_cast<float>(-lr), p.grad, p.value, true);
      continue;
    }
    const kernels::AdamStep step{.lr = lr,
                                 .beta1 = kBeta1,
                                 .beta2 = kBeta2,
                                 .epsilon = kEpsilon,
                                 .weight_decay = p.decay ? decay : 0.0,
                                 .correction1 = 1 - std::pow(kBeta1, number),
                                 .correction2 = 1 - std::pow(kBeta2, number)};
    Moment& at = moments_[i];
    if (const PendingGradient& g = p.pending; g.A) {
      kernels::spmm_adam(*g.A, g.values, *g.X, step, p.value, at.m, at.v, g.gathers);
    } else {
      kernels::adam(step, p.grad, p.value, at.m, at.v);
    }
  }
  model_.tape.params_changed();
}

Cost Optimizer::cost() const {
  constexpr double kFlops = 12, kBytes = 6 * sizeof(float);  // reads and writes w, m and v
  Cost sum;
  for (const auto& p : model_.params) {
    if (!p->trained) continue;
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

double Optimizer::penalty() const {
  double squares = 0;
  for (const auto& p : model_.params)
    if (p->trained && p->decay) squares += kernels::dot(p->value, p->value);
  return 0.5 * options_.weight_decay * squares;
}

}  // namespace scrl
