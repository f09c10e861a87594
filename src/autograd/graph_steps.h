// autograd/graph_steps.h: products with a graph that may have rows of new nodes.
#pragma once
#include <memory>
#include <vector>

#include "autograd/ops.h"

namespace scrl {

// out = or += A X, and of new nodes also what comes from `known`, the rows of the nodes known
// before. Null where there are none.
void multiply(const SparseOperand& S, const Matrix& X, const Matrix* known, Matrix& out, bool add);

// The forward products of an op that multiplies by one graph several times.
class GraphSteps {
 public:
  GraphSteps(const SparseOperand& S, Var X) : S_(S), X_(X) {}
  void belong_to(Node& node) {
    node_ = &node;
    node.kept = kept_;
  }

  // Product number k from 0 on, always in this order; x is the input of the op for k = 0.
  void multiply(const Pass& pass, int k, const Matrix& x, Matrix& out, bool add) {
    const std::size_t at = static_cast<std::size_t>(k) - 1;
    if (pass.keep && k > 0) {
      kept_->resize(std::max(kept_->size(), at + 1));
      (*kept_)[at] = x;
    }
    const Matrix* known = X_.known();
    if (known && k > 0) known = &node_->known->kept->at(at);
    scrl::multiply(S_, x, known, out, add);
  }

 private:
  const SparseOperand& S_;
  Var X_;
  Node* node_ = nullptr;
  std::shared_ptr<std::vector<Matrix>> kept_ = std::make_shared<std::vector<Matrix>>();
};

}  // namespace scrl
