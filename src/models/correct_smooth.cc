#include "models/correct_smooth.h"

#include "base/error.h"
#include "graph/laplacian.h"
#include "models/gcn.h"
#include "models/logreg.h"
#include "models/mlp.h"

namespace scrl {
namespace {

std::unique_ptr<Model> base_model(BaseMethod base, const Inputs& in, const SgcOptions& o) {
  if (base == BaseMethod::kLogreg) return std::make_unique<Logreg>(in, LogregOptions{o.C});
  if (base == BaseMethod::kSgc) return std::make_unique<Sgc>(in, o);
  if (base == BaseMethod::kMlp) return std::make_unique<Mlp>(in, MlpOptions{});
  return std::make_unique<Gcn>(in, GcnOptions{});
}

}  // namespace

void CorrectSmooth::bind(OptionSet& set) {
  set.add(
      "base", base_,
      "method whose predictions are corrected; mlp and gcn need epochs, as in --set epochs=200");
  scrl::bind(set, regression_);
  set.add("correct_alpha", options_.correct_alpha, between(0, 1),
          "share that an error takes from its neighbours in each step");
  set.add("smooth_alpha", options_.smooth_alpha, between(0, 1),
          "share that a prediction takes from its neighbours in each step");
  set.add("correct_steps", options_.correct_steps, between(0, 100000),
          "diffusion steps that spread the errors; 0 leaves this part out");
  set.add("smooth_steps", options_.smooth_steps, between(0, 100000),
          "diffusion steps that smooth the predictions");
  set.add("autoscale", options_.autoscale, {},
          "scale the errors of each node to the mean size of those of training nodes");
}

std::unique_ptr<Model> CorrectSmooth::build(const Inputs& in) const {
  if ((base_ == BaseMethod::kMlp || base_ == BaseMethod::kGcn) && !in.train.empty() &&
      in.epochs == 1) {
    fail(ErrorKind::kUsage, "correct-smooth: ", name_of(base_),
         " learns nothing in one epoch; give more, as in --set epochs=200");
  }
  std::unique_ptr<Model> model = base_model(base_, in, regression_);
  model->params.push_back(std::make_unique<Param>("targets", in.edges->rows, 1));
  Param& targets = *model->params.back();
  targets.trained = false;
  targets.value.fill(-1.0f);
  for (std::size_t e = 0; e < in.train.size(); ++e)
    targets.value(in.train[e], 0) = static_cast<float>(in.train_labels[e]);
  model->log_probs =
      correct_and_smooth(std::make_shared<const Csr>(symmetric_normalized(*in.edges)),
                         model->log_probs, model->tape.param(targets), options_);
  return model;
}

}  // namespace scrl
