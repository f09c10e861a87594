#include "models/linear_probe.h"

#include "base/error.h"
#include "linear/cross_validate.h"
#include "linear/logistic.h"
#include "linear/softmax_adam.h"

namespace scrl {
namespace {

LinearClassifier fit(const Matrix& Z, const Inputs& in, Head head) {
  switch (head) {
    case Head::kSoftmax:
      return softmax_adam(Z, in.train, in.train_labels, in.classes, in.seed);
    case Head::kOneVsRest:
      return logistic_one_vs_rest(Z, in.train, in.train_labels, in.classes, 1.0);
    case Head::kCrossValidated:
      return logistic_cv(Z, in.train, in.train_labels, in.classes, in.seed);
  }
  fail(ErrorKind::kRun, "linear_probe: unknown head");
}

}  // namespace

void linear_probe(Model& model, const Inputs& in, Var Z, Head head) {
  const auto state = [&](const char* name, Index rows) -> Param& {
    model.params.push_back(std::make_unique<Param>(name, rows, in.classes));
    model.params.back()->trained = false;
    return *model.params.back();
  };
  Param& W = state("head_W", Z.cols());
  Param& b = state("head_b", 1);
  Var R = head == Head::kCrossValidated ? l2_normalize_rows(Z) : Z;
  model.log_probs = log_softmax(add_bias(matmul(R, model.tape.param(W)), model.tape.param(b)));
  // A copy of what it needs of `in`, which does not outlive the building of the model.
  model.fit_classifier = [&W, &b, R, head, in] {
    LinearClassifier fitted = fit(R.value(), in, head);
    W.value.assign_packed(fitted.W.packed());
    b.value.assign_packed(fitted.b.packed());
  };
}

}  // namespace scrl
