// models/line.h: LINE, Tang et al., WWW 2015; walks/line.h has the equations.
//
// First- and second-order vectors are learned each by itself, scaled to length 1 and put side by
// side, as the authors' training script does; the embedding is classified by one-vs-rest logistic
// regression with C = 1. An epoch draws samples / epochs edges for each of the two. Learned from
// the graph alone; a node without neighbours keeps its random vectors. The rate of 0.025 and five
// noise nodes are the defaults of the authors' program, the number of samples is ours.
#pragma once
#include <memory>

#include "models/model.h"
#include "walks/line.h"

namespace scrl {

struct LineModelOptions {
  int dim = 128, negative = 5;
  double samples = 0;
};
void bind(OptionSet& set, LineModelOptions& o);

class LineModel : public OwnModel {
 public:
  LineModel(const Inputs& in, const LineModelOptions& o);
  double own_epoch(const Pass& pass) override;
  double own_work() const override;

 private:
  std::unique_ptr<Line> first_, second_;
  Param *in1_ = nullptr, *in2_ = nullptr, *out2_ = nullptr;
  Matrix none_;  // order 1 has no contexts
};

}  // namespace scrl
