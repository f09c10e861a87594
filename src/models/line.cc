#include "models/line.h"

#include "base/error.h"
#include "models/linear_probe.h"
#include "walks/initial.h"

namespace scrl {

void bind(OptionSet& set, LineModelOptions& o) {
  set.add("dim", o.dim, between(1, 65536), "width of each of the two halves of the embedding");
  set.add("negative", o.negative, between(1, 1000), "noise nodes per sampled edge");
  set.add("samples", o.samples, between(0, 1e13),
          "edges drawn for each half in all epochs; 0: ten million, but 400 to 5000 per edge");
}

LineModel::LineModel(const Inputs& in, const LineModelOptions& o) {
  const Index n = in.X.A.rows;
  const auto table = [&](const char* name) {
    Param& p = constant_param(name, n, o.dim, 0.0f);
    p.trained = false;
    return &p;
  };
  in1_ = table("vectors1"), in2_ = table("vectors2");
  embedding =
      concat_columns({l2_normalize_rows(tape.param(*in1_)), l2_normalize_rows(tape.param(*in2_))});
  linear_probe(*this, in, embedding, Head::kOneVsRest);
  if (in.train.empty() || in.edges->nnz() == 0) return;
  initial_vectors(in1_->value, in.seed, 1);
  initial_vectors(in2_->value, in.seed, 2);
  LineOptions options{.dim = o.dim,
                      .negative = o.negative,
                      .passes = in.epochs,
                      .samples = static_cast<Index>(o.samples),
                      .lr = in.lr};
  options.order = 1;
  first_ = std::make_unique<Line>(*in.edges, options, in.seed);
  options.order = 2;
  second_ = std::make_unique<Line>(*in.edges, options, in.seed);
  out2_ = table("contexts2");
  out2_->predicts = false;
}

double LineModel::own_epoch(const Pass& pass) {
  if (!first_) fail(ErrorKind::kData, "line: the graph has no edges to draw");
  const int epoch = static_cast<int>(pass.epoch);
  return first_->pass(epoch, in1_->value, none_) + second_->pass(epoch, in2_->value, out2_->value);
}

double LineModel::own_work() const {
  return first_ ? static_cast<double>(first_->samples_per_pass() + second_->samples_per_pass()) : 0;
}

}  // namespace scrl
