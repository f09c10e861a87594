// models/model.h: what every trained method is to the trainer.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "autograd/tape.h"
#include "base/options.h"

namespace scrl {

// Everything a model may look at. Test and validation labels are not among it.
struct Inputs {
  const SparseOperand& X;              // features (n,d)
  const SparseOperand* A_t = nullptr;  // normalised topology (n,n), if the method needs it
  const SparseOperand* A_f = nullptr;  // normalised feature graph (n,n), if the method needs it
  Index classes = 0;
  std::vector<NodeId> train;               // labelled nodes; empty: the model only predicts
  std::vector<std::int32_t> train_labels;  // their classes
  std::uint64_t seed = 0;
};

// A recorded computation: one loss to minimise, log-probabilities and an embedding for all nodes.
class Model {
 public:
  virtual ~Model() = default;
  // Before each training forward pass; for constraints such as unit-length prototypes.
  // REQUIRES: log_probs and embedding do not depend on the parameters it changes.
  virtual void begin_step() {}

  // Memory that training writes to: values, gradients and optimiser moments.
  Index training_bytes() const;

  Tape tape;
  std::vector<std::unique_ptr<Param>> params;
  Var loss;       // (1,1); absent when there are no training nodes
  Var log_probs;  // (n,classes)
  Var embedding;  // (n,h)

 protected:
  // Uniform in [-bound, bound], a function of the seed, the parameter's number and the element.
  Param& uniform_param(const std::string& name, Index rows, Index cols, double bound,
                       std::uint64_t seed, Layout layout = Layout::kRows);
};

// A way to make models: its options and its equations.
class Method {
 public:
  virtual ~Method() = default;
  virtual void bind(OptionSet& options) = 0;
  virtual std::unique_ptr<Model> build(const Inputs& in) const = 0;
  virtual bool needs_topology() const = 0;
  virtual bool needs_feature_graph() const = 0;
};

}  // namespace scrl
