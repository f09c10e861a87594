// models/ensemble.h: several trained models that answer as one.
//
//   log p = log softmax( sum_m w_m log p_m )        w: linear/stacking.h
// The embedding is that of the member with the largest weight. Parameters belong to the ensemble
// and carry the name of their member: "scrl.W1_t".
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/model.h"

namespace scrl {

struct EnsembleMember {
  std::string name;
  double weight = 0;
  std::vector<std::pair<std::string, std::string>> settings;  // that make it, for files
  std::shared_ptr<const void> operands;  // what the model multiplies by, kept alive
  std::unique_ptr<Model> model;
};

class Ensemble : public Model {
 public:
  // REQUIRES: at least one member with a weight above 0.
  explicit Ensemble(std::vector<EnsembleMember> members);
  void evaluate() override;
  const std::vector<EnsembleMember>& members() const { return members_; }

 private:
  std::vector<EnsembleMember> members_;
  Var pool_;  // what log_probs is before calibration
};

}  // namespace scrl
