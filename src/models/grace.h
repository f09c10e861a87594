// models/grace.h: GRACE, Zhu et al., 2020, as the authors' code has it.
//
// Two views of the graph are drawn anew in every epoch: view v loses each directed edge with
// probability drop_edge_v and each feature, for all nodes at once, with probability drop_feature_v.
//   Z_v = act(S_v act(S_v X_v W1 + b1) W2 + b2)       (n,2h) then (n,h)
//   U_v = unit rows of elu(Z_v W3 + b3) W4 + b4       (n,h)
//   L   = info_nce(U_1, U_2)                          autograd/ops.h, blockwise
// InfoNCE costs nodes^2. With `negatives` = m above 0, m nodes are sampled anew in every epoch, so
// that an epoch costs m^2 (the authors take all; 0).
// S_v = D^-1/2 (A_v+I) D^-1/2 with the degrees of the view. X_v W1 = X (W1 with dropped rows). No
// label is seen. Z of the whole graph is the embedding; its unit rows are classified by one-vs-rest
// logistic regression, C chosen by cross-validation on the training labels.
// Glorot encoder with zero biases, projection in U(+-1/sqrt(in)); act is relu or prelu (slope 0.25
// at first). The authors let rows of X sum to 1; by default they have length 1 here, as in gat.h.
#pragma once
#include "models/model.h"

namespace scrl {

enum class Activation { kRelu, kPrelu };
template <>
inline constexpr auto kNames<Activation> = std::array{"relu", "prelu"};

struct GraceOptions {
  int hidden2 = 128;
  Activation activation = Activation::kRelu;
  double drop_edge_1 = 0.2, drop_edge_2 = 0.4, drop_feature_1 = 0.3, drop_feature_2 = 0.4;
  double tau = 0.5;
  int negatives = 0;
};
void bind(OptionSet& set, GraceOptions& o);

class Grace : public Model {
 public:
  Grace(const Inputs& in, const GraceOptions& o);
};

}  // namespace scrl
