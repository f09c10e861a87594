// models/correct_smooth.h: Correct & Smooth, Huang et al., ICLR 2021, after any base that predicts.
//
//   P = softmax of the base;  E_i = y_i - P_i for training nodes, 0 for others
//   correct   E <- clamp(alpha_1 S E + (1 - alpha_1) E_0, -1, 1)      50 times
//             P_i <- P_i + s_i E_i,  s_i = mean |E_0|_1 of training nodes / |E_i|_1 (autoscale);
//             1 where that is above 1000
//   smooth    P_i <- y_i for training nodes, then
//             P <- clamp(alpha_2 S P + (1 - alpha_2) P_0, 0, 1)       50 times
//   S = D^-1/2 A D^-1/2, self-loops left out
// Probabilities are the rows of P over their sums, mixed with 1e-3 of the same for all classes.
// Only training labels enter, never those of validation nodes. alpha_1 = alpha_2 = 0.8 on every
// graph; the paper searches for them on validation nodes. The base is trained as by itself, with
// the defaults of its own options: logreg and sgc in one epoch, mlp and gcn by descent. Scores of
// an epoch are those after smoothing, the loss is that of the base, and so is the embedding. Knows
// the nodes it was trained on and no others.
#pragma once
#include <memory>
#include <string>

#include "autograd/propagate.h"
#include "models/model.h"
#include "models/sgc.h"

namespace scrl {

enum class BaseMethod { kLogreg, kSgc, kMlp, kGcn };
template <>
inline constexpr auto kNames<BaseMethod> = std::array{"logreg", "sgc", "mlp", "gcn"};

class CorrectSmooth : public Method {
 public:
  void bind(OptionSet& set) override;
  std::unique_ptr<Model> build(const Inputs& in) const override;
  unsigned views() const override { return kTopology | kEdges; }

 private:
  BaseMethod base_ = BaseMethod::kLogreg;
  SgcOptions regression_;  // of logreg and sgc
  CorrectSmoothOptions options_;
};

}  // namespace scrl
