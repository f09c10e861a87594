// autograd/tape.h: reverse-mode differentiation on a graph that is recorded once and replayed.
//
// A model writes its equations a single time with the ops of this folder; each op checks shapes,
// takes its buffers and appends a Node. Training then replays the nodes every epoch. This gives
//   - no allocation after recording: every buffer has its final size from the start;
//   - evaluation almost for free: a node that no dropout reaches has the same value in training and
//     evaluation, and is not computed again until a parameter changes (see Tape::forward).
//
// Gradients are added to, never assigned, except that the first contribution of a pass overwrites
// what the previous pass left (GradSink::add is false then), which saves clearing the buffers.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "autograd/cost.h"
#include "base/rng.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

// A gradient A X that the optimiser computes on the way (kernels::spmm_adam).
struct PendingGradient {
  const Csr* A = nullptr;  // null: the gradient is in Param::grad
  std::span<const float> values;
  const Matrix* X = nullptr;
  Precision gathers = Precision::kFloat32;
  Cost cost;
};

// A trained matrix with its gradient.
struct Param {
  Param(std::string name_, Index rows, Index cols, Layout layout = Layout::kRows)
      : name(std::move(name_)), value(rows, cols, layout), grad(rows, cols, layout) {}
  std::string name;
  Matrix value, grad;
  bool decay = true;     // whether weight decay applies
  bool trained = true;   // false: state that the optimiser leaves alone and files carry along
  bool predicts = true;  // false: only training needs it, a model file does not
  PendingGradient pending;
};

// What one replay is for.
struct Pass {
  bool training = false;  // dropout on
  std::uint64_t seed = 0;
  std::uint32_t epoch = 0;
  bool keep = false;  // ops keep what a tape that continues this one will ask for (Node::kept)
};

struct GradSink {
  Matrix& grad;
  bool add;  // false: the first contribution of this pass
};

struct SparseOperand;

// What an op does with a constant sparse matrix.
struct SparseUse {
  const SparseOperand* operand = nullptr;  // null: there is none
  int products = 1;                        // with it in the forward pass, and as many backward
  Index kept_bytes = 0;                    // that the op keeps for each stored entry
};

struct Node {
  const char* op = "";
  std::vector<Node*> inputs;
  Matrix own_value, own_grad;
  Param* param = nullptr;  // a leaf: value and gradient live in the parameter
  int uses = 0;            // nodes that have it as input
  bool needs_grad = false;
  bool random = false;  // a dropout is at or above this node
  std::function<void(const Pass&)> forward, backward;
  Cost forward_cost, backward_cost;
  Index work_floats = 0;  // that the op keeps for itself
  SparseUse sparse;
  // Of an op that multiplies by one graph several times: what it multiplied, from the second time
  // on, if the pass said so.
  std::shared_ptr<std::vector<Matrix>> kept;
  const Node* known = nullptr;  // Tape::continue_from
  double constant = 1;          // the factor of scale and log_softmax

  Matrix& value() { return param ? param->value : own_value; }
  const Matrix& value() const { return param ? param->value : own_value; }
  Matrix& grad() { return param ? param->grad : own_grad; }

  // Replay state.
  std::uint64_t version = 0;  // parameter version the value belongs to, 0: none
  Pass pass;                  // and, if random, the pass
  bool has_grad = false;
  bool outdated = false;  // scratch of param_changed()
};

enum class Direction { kForward, kBackward };
// Hears of every op that ran and how long it took.
using Observer = std::function<void(const Node&, Direction, double seconds)>;

// Every op there is. record() refuses other names, and the tests refuse a name without a case.
std::span<const char* const> op_names();

class Tape;

// A handle to a node; cheap to copy, valid as long as the tape.
class Var {
 public:
  Var() = default;
  Var(Tape* tape, Node* node) : tape_(tape), node_(node) {}
  Index rows() const { return node_->value().rows(); }
  Index cols() const { return node_->value().cols(); }
  const Matrix& value() const { return node_->value(); }
  // Rows of the same value for the nodes of the tape that this one continues; null: there is none.
  const Matrix* known() const { return node_->known ? &node_->known->value() : nullptr; }
  const Matrix& grad() const { return node_->grad(); }  // complete after backward
  bool needs_grad() const { return node_->needs_grad; }
  float scalar() const { return node_->value()(0, 0); }
  Tape& tape() const { return *tape_; }
  Node* node() const { return node_; }
  // Leaves the gradient A X to the optimiser; false: the tape wants it now.
  bool defer(const PendingGradient& gradient) const;
  // Where a backward adds its contribution.
  GradSink sink() const {
    const bool add = node_->has_grad;
    node_->has_grad = true;
    return {node_->grad(), add};
  }

 private:
  Tape* tape_ = nullptr;
  Node* node_ = nullptr;
};

// The nodes that some outputs depend on, in order.
using Plan = std::vector<Node*>;

class Tape {
 public:
  Tape() = default;
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Recording. `forward` fills the node's value; `backward` reads its gradient and adds to the
  // sinks of those inputs that need one. Ops call record(); models call param() and the ops.
  Var param(Param& p);
  Var constant(Matrix value);
  Var record(const char* op, const std::vector<Var>& inputs, Index rows, Index cols,
             std::function<void(const Pass&, Matrix& out)> forward,
             std::function<void(const Pass&, const Matrix& out, const Matrix& dout)> backward,
             bool random = false, Layout layout = Layout::kRows);
  // A number for each dropout of the model, so that no two share their random bits.
  std::uint32_t new_dropout_site() { return next_site_++; }

  Plan plan(const std::vector<Var>& outputs) const;

  // Replaying.
  void forward(const Plan& plan, const Pass& pass);
  // REQUIRES: forward(plan, pass) was the last replay, and loss is the 1x1 end of the plan.
  void backward(const Plan& plan, const Pass& pass, Var loss);
  void params_changed() { ++version_; }
  // This one alone: only what depends on it is computed again.
  void param_changed(const Param& p);
  // Makes this a tape of new nodes beside those of `known`: the same ops in the same order, with
  // the parameters of `known`. Ops that follow edges then reach from rows of this tape to rows of
  // that one (SparseOperand::known), which stay as they are. REQUIRES: `known` outlives this tape,
  // and forward() was run on it with Pass::keep.
  void continue_from(const Tape& known);

  // Lets backward() leave the gradients of large parameters to the optimiser.
  void defer_gradients(bool on) { deferring_ = on; }
  bool deferring() const { return deferring_; }
  void observe(Observer observer) { observer_ = std::move(observer); }

  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
  template <class Run>
  void timed(const Node& node, Direction direction, const Run& run);

  Observer observer_;
  bool deferring_ = false;
  std::uint64_t version_ = 1;
  std::uint32_t next_site_ = 0;
};

}  // namespace scrl
