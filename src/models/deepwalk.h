// models/deepwalk.h: DeepWalk, Perozzi, Al-Rfou and Skiena, KDD 2014; walks/deepwalk.h has the
// equations.
//
// An epoch is a pass: `walks` walks from every node. The embedding is one vector per node, learned
// from the graph alone and classified by one-vs-rest logistic regression with C = 1. A node without
// neighbours keeps its random vector. Defaults: those of OpenNE, which the comparisons of AM-GCN
// ran, with hierarchical softmax alone.
#pragma once
#include <memory>

#include "models/model.h"
#include "walks/deepwalk.h"

namespace scrl {

struct DeepwalkOptions {
  int dim = 128, walks = 10, length = 80, window = 10, negative = 0;
};
void bind(OptionSet& set, DeepwalkOptions& o);

class Deepwalk : public OwnModel {
 public:
  Deepwalk(const Inputs& in, const DeepwalkOptions& o);
  double own_epoch(const Pass& pass) override;
  double own_work() const override;

 private:
  std::unique_ptr<SkipGram> skipgram_;
  Param *in_ = nullptr, *out_ = nullptr;
};

}  // namespace scrl
