#include "trust/row_replay.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "autograd/ops.h"
#include "base/error.h"

namespace scrl {
namespace {

using Row = std::vector<double>;

bool is(const Node* node, std::string_view op) { return node->op == op; }

bool is_product(const Node* node) { return is(node, "spmm") || is(node, "dropout_spmm"); }
bool spreads_far(const Node* node) {
  return is(node, "spmm_powers") || is(node, "spmm_polynomial");
}

// Ops whose row i depends on row i of their first input, on row i of `rowwise` inputs, and on whole
// parameters.
bool is_rowwise(const Node* node) {
  for (const std::string_view op :
       {"relu", "relu_dropout", "bias_relu_dropout", "dropout", "add_bias", "scale", "sum",
        "matmul", "matmul_transposed", "hidden_matmul", "log_softmax", "l2_normalize_rows",
        "concat_columns"})
    if (is(node, op)) return true;
  return false;
}

// Inputs of a rowwise op that have a row per node; the others are weights and biases.
std::size_t row_inputs(const Node* node) {
  return is(node, "sum") || is(node, "concat_columns") ? node->inputs.size() : 1;
}

const Matrix& stored(const Node* node) {
  return node->param ? node->param->value : node->own_value;
}

Row stored_row(const Node* node, Index i) {
  const Matrix& m = stored(node);
  Row out(static_cast<std::size_t>(m.cols()));
  for (Index j = 0; j < m.cols(); ++j) out[static_cast<std::size_t>(j)] = m(i, j);
  return out;
}

void relu(Row& x) {
  for (double& v : x) v = std::max(v, 0.0);
}

void add_bias(Row& x, const Matrix& bias) {
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += bias(0, static_cast<Index>(j));
}

Row times(const Row& x, const Matrix& W) {
  Row out(static_cast<std::size_t>(W.cols()), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] == 0) continue;
    for (Index j = 0; j < W.cols(); ++j)
      out[static_cast<std::size_t>(j)] += x[k] * W(static_cast<Index>(k), j);
  }
  return out;
}

Row times_transposed(const Row& x, const Matrix& W) {
  Row out(static_cast<std::size_t>(W.rows()), 0.0);
  for (Index r = 0; r < W.rows(); ++r)
    for (std::size_t k = 0; k < x.size(); ++k)
      out[static_cast<std::size_t>(r)] += x[k] * W(r, static_cast<Index>(k));
  return out;
}

}  // namespace

RowReplay::RowReplay(Var output) : output_(output.node()), plan_(output.tape().plan({output})) {
  for (const Node* node : plan_) {
    if (node->inputs.empty()) continue;  // a parameter or a constant
    if (is_rowwise(node)) {
      for (std::size_t k = row_inputs(node); k < node->inputs.size(); ++k)
        supported_ = supported_ && node->inputs[k]->inputs.empty();
    } else {
      supported_ = supported_ && node->sparse.operand && (is_product(node) || spreads_far(node));
    }
  }
}

void RowReplay::find_touched() {
  touched_.clear();
  rows_.clear();
  present_.clear();
  for (const Node* node : plan_) {
    Touched& out = touched_[node];
    if (node->inputs.empty()) continue;
    if (is_rowwise(node)) {
      for (std::size_t k = 0; k < row_inputs(node); ++k) {
        const Touched& in = touched_[node->inputs[k]];
        out.all = out.all || in.all;
        out.rows.insert(in.rows.begin(), in.rows.end());
      }
      continue;
    }
    const Touched& in = touched_[node->inputs[0]];
    const auto own = changed_->find(node->sparse.operand);
    const bool operand_changed = own != changed_->end() && !own->second.empty();
    if (in.all || (spreads_far(node) && (operand_changed || !in.rows.empty()))) {
      out.all = true;
      continue;
    }
    if (operand_changed)
      for (const auto& [i, row] : own->second) out.rows.insert(i);
    for (const Index j : in.rows)
      for (const NodeId i : node->sparse.operand->At.row_cols(j)) out.rows.insert(i);
  }
}

std::vector<double> RowReplay::row(Index i, const ChangedRows& changed) {
  check(supported_, "row_replay: an op of this model has no rule");
  changed_ = &changed;
  find_touched();
  return value(output_, i);
}

const Row& RowReplay::value(const Node* node, Index i) {
  auto& known = rows_[node];
  if (const auto found = known.find(i); found != known.end()) return found->second;
  Row row = touched_.at(node).contains(i) ? compute(node, i) : stored_row(node, i);
  return rows_[node].emplace(i, std::move(row)).first->second;
}

Row RowReplay::weighted_sum(const Node* x, const Weights& weights) {
  Row out(static_cast<std::size_t>(stored(x).cols()), 0.0);
  const Touched& touched = touched_.at(x);
  const Matrix& before = stored(x);
  for (std::size_t k = 0; k < weights.at.size(); ++k) {
    const double w = weights.w[k];
    if (touched.contains(weights.at[k])) {
      const Row& row = value(x, weights.at[k]);
      for (std::size_t c = 0; c < out.size(); ++c) out[c] += w * row[c];
    } else {
      for (std::size_t c = 0; c < out.size(); ++c)
        out[c] += w * before(weights.at[k], static_cast<Index>(c));
    }
  }
  return out;
}

void RowReplay::add(const Weights& weights, double factor) {
  for (std::size_t k = 0; k < weights.at.size(); ++k) {
    const auto at = static_cast<std::size_t>(weights.at[k]);
    if (at >= seen_.size()) {
      seen_.resize(at + 1, false);
      sum_.resize(at + 1, 0.0);
    }
    if (!seen_[at]) {
      seen_[at] = true;
      order_.push_back(weights.at[k]);
    }
    sum_[at] += factor * weights.w[k];
  }
}

RowReplay::Weights RowReplay::take() {
  std::sort(order_.begin(), order_.end());
  Weights out{.at = order_};
  for (const Index i : order_) {
    out.w.push_back(sum_[static_cast<std::size_t>(i)]);
    sum_[static_cast<std::size_t>(i)] = 0;
    seen_[static_cast<std::size_t>(i)] = false;
  }
  order_.clear();
  return out;
}

RowReplay::Weights RowReplay::propagate(const SparseOperand& A, const Weights& weights) {
  const auto own = changed_->find(&A);
  Weights row;
  for (std::size_t k = 0; k < weights.at.size(); ++k) {
    const Index i = weights.at[k];
    row.at.clear();
    row.w.clear();
    if (own != changed_->end() && own->second.contains(i)) {
      const SparseRow& now = own->second.at(i);
      row.at.assign(now.col.begin(), now.col.end());
      row.w = now.val;
    } else {
      row.at.assign(A.A.row_cols(i).begin(), A.A.row_cols(i).end());
      row.w.assign(A.A.row_vals(i).begin(), A.A.row_vals(i).end());
    }
    add(row, weights.w[k]);
  }
  return take();
}

const RowReplay::Weights& RowReplay::product_weights(const Node* node, Index i) {
  const SparseOperand& A = *node->sparse.operand;
  const auto own = changed_->find(&A);
  auto& kept = own == changed_->end() || own->second.empty() ? unchanged_ : present_;
  if (const auto found = kept.find({node, i}); found != kept.end()) return found->second;
  const bool polynomial = is(node, "spmm_polynomial");
  const Matrix* gamma = polynomial ? &stored(node->inputs[1]) : nullptr;
  const int highest = polynomial                ? static_cast<int>(gamma->cols()) - 1
                      : is(node, "spmm_powers") ? node->sparse.products
                                                : 1;
  std::vector<Weights> powers = {{{i}, {1.0}}};
  for (int k = 1; k <= highest; ++k) powers.push_back(propagate(A, powers.back()));
  for (int k = 0; k <= highest; ++k) {
    const double w = polynomial ? (*gamma)(0, k) : k == 0 ? 0.0 : 1.0 / highest;
    if (w != 0) add(powers[static_cast<std::size_t>(k)], w);
  }
  return kept[{node, i}] = take();
}

Row RowReplay::product(const Node* node, Index i) {
  return weighted_sum(node->inputs[0], product_weights(node, i));
}

Row RowReplay::compute(const Node* node, Index i) {
  if (is_product(node) || spreads_far(node)) return product(node, i);
  Row x = value(node->inputs[0], i);
  const auto weights = [&](std::size_t k) -> const Matrix& { return stored(node->inputs[k]); };
  if (is(node, "relu") || is(node, "relu_dropout")) {
    relu(x);
  } else if (is(node, "bias_relu_dropout")) {
    add_bias(x, weights(1));
    relu(x);
  } else if (is(node, "add_bias")) {
    add_bias(x, weights(1));
  } else if (is(node, "scale")) {
    for (double& v : x) v *= node->constant;
  } else if (is(node, "sum")) {
    for (std::size_t k = 1; k < node->inputs.size(); ++k) {
      const Row& y = value(node->inputs[k], i);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += y[j];
    }
  } else if (is(node, "concat_columns")) {
    for (std::size_t k = 1; k < node->inputs.size(); ++k) {
      const Row& y = value(node->inputs[k], i);
      x.insert(x.end(), y.begin(), y.end());
    }
  } else if (is(node, "matmul")) {
    x = times(x, weights(1));
  } else if (is(node, "matmul_transposed")) {
    x = times_transposed(x, weights(1));
  } else if (is(node, "hidden_matmul")) {
    add_bias(x, weights(1));
    relu(x);
    x = times(x, weights(2));
  } else if (is(node, "log_softmax")) {
    double top = -INFINITY, total = 0;
    for (double& v : x) top = std::max(top, v *= node->constant);
    for (const double v : x) total += std::exp(v - top);
    for (double& v : x) v -= top + std::log(total);
  } else if (is(node, "l2_normalize_rows")) {
    double square = 0;
    for (const double v : x) square += v * v;
    for (double& v : x) v /= std::max(std::sqrt(square), 1e-12);
  } else {
    check(is(node, "dropout"), "row_replay: no rule for ", node->op);
  }
  return x;
}

}  // namespace scrl
