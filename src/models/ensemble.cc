#include "models/ensemble.h"

#include <algorithm>

#include "base/error.h"
#include "linear/stacking.h"

namespace scrl {

Ensemble::Ensemble(std::vector<EnsembleMember> members) : members_(std::move(members)) {
  check(!members_.empty(), "ensemble: there are no members");
  const auto first = std::max_element(members_.begin(), members_.end(),
                                      [](auto& a, auto& b) { return a.weight < b.weight; });
  const Matrix& shape = first->model->log_probs.value();
  pool_ = log_probs = tape.constant(Matrix(shape.rows(), shape.cols()));
  embedding = first->model->embedding;
  view_scores = first->model->view_scores;
  for (const EnsembleMember& m : members_)
    for (auto& p : m.model->params) {
      p->name = m.name + "." + p->name;
      params.push_back(std::move(p));
    }
  for (const EnsembleMember& m : members_) m.model->params.clear();
}

void Ensemble::evaluate() {
  std::vector<const Matrix*> opinions;
  std::vector<double> weights;
  for (const EnsembleMember& m : members_) {
    m.model->tape.params_changed();
    m.model->evaluate();
    opinions.push_back(&m.model->log_probs.value());
    weights.push_back(m.weight);
  }
  pool_log_probs(opinions, weights, pool_.node()->own_value);
  if (temperature == 1) return;
  tape.params_changed();
  tape.forward(tape.plan({log_probs}), Pass{});
}

}  // namespace scrl
