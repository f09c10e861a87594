#include "models/sgc.h"

#include "linear/hop_regression.h"

namespace scrl {

void bind(OptionSet& set, SgcOptions& o) {
  set.add("hops", o.hops, between(0, kMostHops),
          "powers of the adjacency whose features are used; auto: from 0 to 3, by cross-validation "
          "on the training labels");
  set.add("C", o.C, above(0),
          "inverse strength of the L2 penalty; auto: from 0.1 to 10000, by cross-validation on the "
          "training labels");
}

Sgc::Sgc(const Inputs& in, const SgcOptions& o) : in_(in), options_(o) {
  const auto state = [&](const std::string& name, Index rows) {
    Param& p = constant_param(name, rows, in.classes, 0.0f);
    p.trained = false;
    return &p;
  };
  const int last = o.hops.value_or(kMostHops);
  for (int k = 0; k <= last; ++k) W_.push_back(state(cat("W", k), in.X.A.cols));
  b_ = state("b", 1);
  Var Y = spmm(in.X, tape.param(*W_.back()));
  for (int k = last - 1; k >= 0; --k) Y = spmm(in.X, tape.param(*W_[k])) + spmm(*in.A_t, Y);
  embedding = add_bias(Y, tape.param(*b_));
  classify(in, embedding);
  if (!loss.node()) return;
  loss_plan_ = tape.plan({loss});
  embedding.node()->work_floats += fit_hops_floats(
      in.X.A.rows, in.X.A.cols, static_cast<Index>(in.train.size()), in.classes, last);
}

void Sgc::fit() {
  const linear::HopGraph graph{.X = &in_.X.A,
                               .Xt = &in_.X.At,
                               .A = in_.A_t ? &in_.A_t->A : nullptr,
                               .At = in_.A_t ? &in_.A_t->At : nullptr,
                               .gathers = in_.X.gathers};
  const HopClassifier head = fit_hops(graph, in_.train, in_.train_labels, in_.classes,
                                      options_.hops, options_.C, in_.seed);
  for (std::size_t k = 0; k < W_.size(); ++k) {
    if (k < head.W.size()) {
      W_[k]->value.assign_packed(head.W[k].packed());
    } else {
      W_[k]->value.fill(0.0f);
    }
  }
  b_->value.assign_packed(head.b.packed());
  tape.params_changed();
}

double Sgc::own_epoch(const Pass& pass) {
  tape.forward(loss_plan_, pass);
  const double before = loss.scalar();
  if (pass.epoch == 1) fit();
  return before;
}

// Products with the features, for each labelled node.
double Sgc::own_work() const {
  return static_cast<double>(in_.train.size()) * static_cast<double>(in_.X.A.nnz() + in_.X.A.rows);
}

}  // namespace scrl
