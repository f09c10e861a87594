// models/m3s.h: M3S, Sun, Lin and Zhu, AAAI 2020: multi-stage self-supervised training. The authors
// published no code; where the paper is silent this follows Li, Han and Wu, AAAI 2018, on which it
// builds.
//
// A GCN of `layers` layers (models/gcn_tf.h with more of them, weight decay on all, and rows of X
// of length 1, see gat.h),
//   H_1 = drop(relu(A drop(X) W_1)), ..., Y = log softmax(A H W_L)
//   L   = NLL(Y, labelled nodes and those labelled on the way)
// is trained from scratch stages + 1 times. Between two trainings:
//   1. k-means cuts the embeddings (unit rows of the last hidden layer) into `clusters`, each of
//      which gets the class whose labelled nodes have the nearest mean;
//   2. of each class c the t_c most probable unlabelled nodes are taken; those whose cluster has
//      the same class are labelled c for good.
// t_c = 3 (n / degree^layers) (labelled of c / labelled) / stages, at least 1, degree the mean one.
// Only the last training is scored. The paper takes more layers the fewer labels there are: 4, 3, 3
// and 2 for 3, 6, 12 and 18 labels per class of Citeseer.
#pragma once
#include "models/model.h"

namespace scrl {

struct M3sOptions {
  int hidden1 = 16, layers = 2, stages = 5, clusters = 200;
  double dropout = 0.5;
};
void bind(OptionSet& set, M3sOptions& o);

class M3s : public Model {
 public:
  M3s(const Inputs& in, const M3sOptions& o);
  void begin_epoch(const Pass& pass) override;

 private:
  std::vector<Index> quota(const Inputs& in) const;
  void label_more(std::uint64_t seed, int stage);
  void start_anew(std::uint64_t seed, int stage);

  M3sOptions o_;
  Index classes_;
  std::vector<NodeId> train_;
  std::vector<std::int32_t> train_labels_;
  std::vector<Index> quota_;
  int stage_epochs_ = 1;
  Var unit_embedding_;
  Param* targets_ = nullptr;  // (n,1) class of each node in the loss, -1: none
};

}  // namespace scrl
