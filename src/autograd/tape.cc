#include "autograd/tape.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "base/error.h"

namespace scrl {
namespace {

constexpr const char* kOpNames[] = {
    "spmm",
    "spmm_powers",
    "spmm_polynomial",
    "dropout_spmm",
    "matmul",
    "matmul_transposed",
    "bias_relu_dropout",
    "relu",
    "relu_dropout",
    "hidden_matmul",
    "dropout",
    "add_bias",
    "log_softmax",
    "scale",
    "gather_rows",
    "sum",
    "l2_normalize_rows",
    "concat_columns",
    "ramp",
    "nll",
    "soft_nll",
    "sinkhorn",
    "sharpen",
    "unit_dropout_spmm",
    "grouped_matmul",
    "head_dots",
    "attention",
    "edge_drop_spmm",
    "elu",
    "prelu",
    "tanh",
    "sigmoid",
    "columns",
    "softmax",
    "center_columns",
    "column_means",
    "batch_norm",
    "mix",
    "mix_segments",
    "shuffle_rows",
    "drop_rows",
    "sample_rows",
    "masked_nll",
    "bce_with_logits",
    "sum_squares",
    "sum_column_norms",
    "hsic",
    "gram_distance",
    "info_nce",
    "correct_and_smooth",
};

// What holds for any op that goes through its operands once; products say more (ops_product.cc).
void set_streaming_cost(Node& node) {
  node.forward_cost = {.streamed = bytes(node.value())};
  node.backward_cost = {.streamed = bytes(node.value())};
  for (Node* input : node.inputs) {
    node.forward_cost.streamed += bytes(input->value());
    if (input->needs_grad) node.backward_cost.streamed += bytes(input->value());
  }
}

}  // namespace

std::span<const char* const> op_names() { return kOpNames; }

bool Var::defer(const PendingGradient& gradient) const {
  constexpr Index kLarge = 1 << 20;  // floats; a small gradient stays in the caches anyway
  Param* const p = node_->param;
  if (!p || !tape_->deferring() || node_->uses != 1 || p->value.size() < kLarge) return false;
  p->pending = gradient;
  return true;
}

Var Tape::constant(Matrix value) {
  auto node = std::make_unique<Node>();
  node->op = "constant";
  node->own_value = std::move(value);
  nodes_.push_back(std::move(node));
  return {this, nodes_.back().get()};
}

Var Tape::param(Param& p) {
  for (const auto& node : nodes_)
    if (node->param == &p) return {this, node.get()};
  auto node = std::make_unique<Node>();
  node->op = "param";
  node->param = &p;
  node->needs_grad = p.trained;
  nodes_.push_back(std::move(node));
  return {this, nodes_.back().get()};
}

Var Tape::record(const char* op, const std::vector<Var>& inputs, Index rows, Index cols,
                 std::function<void(const Pass&, Matrix&)> forward,
                 std::function<void(const Pass&, const Matrix&, const Matrix&)> backward,
                 bool random, Layout layout) {
  check(std::any_of(std::begin(kOpNames), std::end(kOpNames),
                    [&](const char* name) { return std::string_view(name) == op; }),
        "record: op '", op, "' is not in the list of ops");
  auto owned = std::make_unique<Node>();
  Node* node = owned.get();
  node->op = op;
  node->random = random;
  for (const Var& input : inputs) {
    node->inputs.push_back(input.node());
    ++input.node()->uses;
    node->needs_grad |= input.needs_grad();
    node->random |= input.node()->random;
  }
  node->needs_grad &= backward != nullptr;
  node->own_value = Matrix(rows, cols, layout);
  node->forward = [node, f = std::move(forward)](const Pass& pass) { f(pass, node->own_value); };
  if (node->needs_grad) {
    node->own_grad = Matrix(rows, cols, layout);
    node->backward = [node, b = std::move(backward)](const Pass& pass) {
      b(pass, node->own_value, node->own_grad);
    };
  }
  set_streaming_cost(*node);
  nodes_.push_back(std::move(owned));
  return {this, node};
}

Plan Tape::plan(const std::vector<Var>& outputs) const {
  std::vector<Node*> stack;
  stack.reserve(outputs.size());
  for (const Var& v : outputs) stack.push_back(v.node());
  std::vector<const Node*> needed;
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    if (std::find(needed.begin(), needed.end(), node) != needed.end()) continue;
    needed.push_back(node);
    stack.insert(stack.end(), node->inputs.begin(), node->inputs.end());
  }
  Plan plan;
  for (const auto& node : nodes_)
    if (std::find(needed.begin(), needed.end(), node.get()) != needed.end())
      plan.push_back(node.get());
  return plan;
}

template <class Run>
void Tape::timed(const Node& node, Direction direction, const Run& run) {
  if (!observer_) return run();
  const auto start = std::chrono::steady_clock::now();
  run();
  observer_(node, direction,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void Tape::forward(const Plan& plan, const Pass& pass) {
  for (Node* node : plan) {
    if (!node->forward) continue;
    const bool same_pass =
        !node->random ||
        (node->pass.training == pass.training &&
         (!pass.training || (node->pass.epoch == pass.epoch && node->pass.seed == pass.seed)));
    if (node->version == version_ && same_pass) continue;
    timed(*node, Direction::kForward, [&] { node->forward(pass); });
    node->version = version_;
    node->pass = pass;
  }
}

void Tape::continue_from(const Tape& known) {
  check(nodes_.size() == known.nodes_.size(), "continue_from: a tape of ", nodes_.size(),
        " nodes cannot continue one of ", known.nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = *nodes_[i];
    const Node& before = *known.nodes_[i];
    check(std::string_view(node.op) == before.op && node.value().cols() == before.value().cols(),
          "continue_from: node ", i, " is ", node.op, ", that of the other tape ", before.op);
    node.known = &before;
    if (node.param) node.param = before.param;
  }
}

void Tape::param_changed(const Param& p) {
  for (const auto& node : nodes_) {  // inputs come before what they enter
    node->outdated = node->param == &p;
    for (const Node* input : node->inputs) node->outdated |= input->outdated;
    if (node->outdated) node->version = 0;
  }
}

void Tape::backward(const Plan& plan, const Pass& pass, Var loss) {
  check(loss.rows() == 1 && loss.cols() == 1, "backward: the loss must be 1x1, got ", loss.rows(),
        "x", loss.cols());
  check(loss.needs_grad(), "backward: the loss depends on no parameter");
  for (Node* node : plan) {
    node->has_grad = false;
    if (node->param) node->param->pending = {};
  }
  loss.sink().grad(0, 0) = 1.0f;
  for (auto it = plan.rbegin(); it != plan.rend(); ++it) {
    Node* node = *it;
    if (!node->has_grad || !node->backward) continue;
    timed(*node, Direction::kBackward, [&] { node->backward(pass); });
  }
  // A parameter that nothing reached this time must not keep an old gradient.
  for (Node* node : plan)
    if (node->param && !node->has_grad && !node->param->pending.A) node->param->grad.fill(0.0f);
}

}  // namespace scrl
