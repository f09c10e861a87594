#include "models/label_propagation.h"

#include <cmath>

#include "base/error.h"
#include "graph/laplacian.h"

namespace scrl {

void bind(OptionSet& set, LabelPropagationOptions& o) {
  set.add("alpha", o.alpha, between(0, 1),
          "share that a node takes from its neighbours in each iteration");
  set.add("iterations", o.iterations, between(1, 100000), "diffusion steps");
}

LabelPropagation::LabelPropagation(const Inputs& in, const LabelPropagationOptions& o)
    : options_(o),
      train_(in.train),
      train_labels_(in.train_labels),
      S_(symmetric_normalized(*in.edges)) {
  log_shares_ = &constant_param("log_shares", in.edges->rows, in.classes,
                                static_cast<float>(-std::log(static_cast<double>(in.classes))));
  log_shares_->trained = false;
  log_probs = embedding = tape.param(*log_shares_);
}

double LabelPropagation::loss_of_labels() const {
  double sum = 0;
  for (std::size_t e = 0; e < train_.size(); ++e)
    sum -= log_shares_->value(train_[e], train_labels_[e]);
  return sum / static_cast<double>(train_.size());
}

double LabelPropagation::own_epoch(const Pass& pass) {
  const double before = loss_of_labels();
  if (pass.epoch != 1) return before;
  bool joined = false;
  for (const float weight : S_.val) joined |= weight != 0;
  if (!joined) {
    fail(ErrorKind::kData,
         "label-propagation: the graph has no edges to spread labels along: none "
         "of the ",
         S_.rows, " nodes has an edge to another one; methods without features need a topology");
  }
  Matrix F(S_.rows, log_shares_->value.cols());
  for (std::size_t e = 0; e < train_.size(); ++e) F(train_[e], train_labels_[e]) = 1.0f;
  Propagator(S_, F.cols())
      .run({.alpha = static_cast<float>(options_.alpha), .steps = options_.iterations}, F);
  log_shares(F, log_shares_->value);
  tape.params_changed();
  return before;
}

double LabelPropagation::own_work() const {
  return options_.iterations * static_cast<double>((S_.nnz() + S_.rows) * log_probs.cols());
}

}  // namespace scrl
