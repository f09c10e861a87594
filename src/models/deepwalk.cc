#include "models/deepwalk.h"

#include <cmath>

#include "base/error.h"
#include "models/linear_probe.h"
#include "walks/initial.h"

namespace scrl {

void bind(OptionSet& set, DeepwalkOptions& o) {
  set.add("dim", o.dim, between(1, 65536), "width of the embedding");
  set.add("walks", o.walks, between(1, 100000), "walks from every node, per epoch");
  set.add("length", o.length, between(2, 100000), "nodes of a walk");
  set.add("window", o.window, between(1, 1000), "how far apart two nodes of a pair may be");
  set.add("negative", o.negative, between(0, 1000),
          "negatives per pair, besides the hierarchical softmax");
}

Deepwalk::Deepwalk(const Inputs& in, const DeepwalkOptions& o) {
  const Index n = in.X.A.rows;
  in_ = &constant_param("vectors", n, o.dim, 0.0f);
  in_->trained = false;
  embedding = tape.param(*in_);
  linear_probe(*this, in, embedding, Head::kOneVsRest);
  if (in.train.empty() || in.edges->nnz() == 0) return;
  initial_vectors(in_->value, in.seed);
  skipgram_ = std::make_unique<SkipGram>(*in.edges,
                                         SkipGramOptions{.walks = o.walks,
                                                         .length = o.length,
                                                         .window = o.window,
                                                         .dim = o.dim,
                                                         .passes = in.epochs,
                                                         .lr = in.lr,
                                                         .negative = o.negative},
                                         in.seed);
  out_ = &constant_param("contexts", skipgram_->output_rows(), o.dim, 0.0f);
  out_->trained = out_->predicts = false;
}

double Deepwalk::own_epoch(const Pass& pass) {
  if (!skipgram_) fail(ErrorKind::kData, "deepwalk: the graph has no edges to walk along");
  return skipgram_->pass(static_cast<int>(pass.epoch), in_->value, out_->value);
}

double Deepwalk::own_work() const {
  if (!skipgram_) return 0;
  // A pair climbs the tree.
  return static_cast<double>(skipgram_->tokens_per_pass()) *
         std::log2(2.0 + static_cast<double>(skipgram_->output_rows()));
}

}  // namespace scrl
