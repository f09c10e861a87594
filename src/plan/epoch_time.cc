#include "plan/epoch_time.h"

#include "base/stopwatch.h"
#include "eval/metrics.h"

namespace scrl {

EpochTime measure_epochs(Epoch& epoch, const Model& model, int epochs,
                         const std::function<void()>& begin) {
  constexpr int kMeasured = 5;
  constexpr double kEnoughMs = 3000;
  const int warm_up = own_work(model) > 0 ? 0 : 2;
  EpochTime out;
  std::vector<double> gradients, update, evaluate;
  const Stopwatch all;
  const auto enough = [&](int next) {
    return next > epochs || out.measured == kMeasured || all.ms() >= kEnoughMs;
  };
  for (int e = 1; out.measured == 0 || !enough(e); ++e) {
    if (e == warm_up + 1 && begin) begin();
    out.last = epoch_number(e, epochs);
    EpochStats now{.epoch = out.last};
    const Stopwatch watch;
    epoch.gradients(out.last);
    const double after_gradients = watch.ms();
    epoch.update(out.last);
    const double after_update = watch.ms();
    if (!model.fit_classifier) epoch.evaluate(now);
    const double end = watch.ms();
    if (e <= warm_up) continue;
    ++out.measured;
    gradients.push_back(after_gradients);
    update.push_back(after_update - after_gradients);
    evaluate.push_back(end - after_update);
  }
  out.gradients_ms = median(gradients);
  out.update_ms = median(update);
  out.evaluate_ms = median(evaluate);
  return out;
}

}  // namespace scrl
