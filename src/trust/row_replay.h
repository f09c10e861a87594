// trust/row_replay.h: single rows of a recorded model after a few rows of its sparse operands have
// changed, without computing the others.
//
// The tape holds the values of all rows as they were. A row is computed anew, in double precision,
// only if a changed row reaches it; every other one is taken from the tape. The last propagation of
// a model is linear, so its row is one sparse row of weights, e_i^T sum_k gamma_k A^k, times the
// rows that go in: nothing is spread over the graph.
#pragma once
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "autograd/tape.h"
#include "base/types.h"

namespace scrl {

struct SparseRow {
  std::vector<NodeId> col;
  std::vector<double> val;
};
// By operand: the rows that are not what they were.
using ChangedRows = std::map<const SparseOperand*, std::map<Index, SparseRow>>;

class RowReplay {
 public:
  // REQUIRES: `output` was evaluated without dropout and outlives this, as do its operands.
  explicit RowReplay(Var output);

  // Whether every op on the way to the output has a rule here.
  bool supported() const { return supported_; }
  // Row i of the output with these changes. REQUIRES: supported().
  std::vector<double> row(Index i, const ChangedRows& changed);

 private:
  using Row = std::vector<double>;
  struct Weights {  // a sparse row
    std::vector<Index> at;
    std::vector<double> w;
  };
  struct Touched {  // rows of a node that may differ from the tape
    bool all = false;
    std::unordered_set<Index> rows;
    bool contains(Index i) const { return all || rows.contains(i); }
  };

  void find_touched();
  const Row& value(const Node* node, Index i);
  Row compute(const Node* node, Index i);
  Row product(const Node* node, Index i);
  Row weighted_sum(const Node* x, const Weights& weights);
  // The row of sum_k gamma_k A^k that a product applies; kept where A did not change.
  const Weights& product_weights(const Node* node, Index i);
  Weights propagate(const SparseOperand& A, const Weights& weights);  // w^T A
  void add(const Weights& weights, double factor);                    // to the scratch
  Weights take();                                                     // and clears the scratch

  const Node* output_;
  Plan plan_;
  bool supported_ = true;
  const ChangedRows* changed_ = nullptr;
  std::unordered_map<const Node*, Touched> touched_;
  std::unordered_map<const Node*, std::unordered_map<Index, Row>> rows_;
  std::map<std::pair<const Node*, Index>, Weights> unchanged_, present_;
  std::vector<double> sum_;  // scratch, by node
  std::vector<bool> seen_;
  std::vector<Index> order_;
};

}  // namespace scrl
