// autograd/ops.h: the differentiable operations.
//
// Each op names itself for errors, profiles and the coverage test, checks shapes when recorded, and
// states its backward next to its forward in ops_*.cc. n rows (nodes), h and B columns.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "autograd/tape.h"
#include "tensor/csr.h"

namespace scrl {

// A constant sparse matrix ready for products in both directions.
// REQUIRES where it is used: it outlives the tape.
struct SparseOperand {
  Csr A, At;
  Precision gathers = Precision::kFloat32;  // how products read the other operand (kernels::spmm)
  // Position in A of every entry of At, so that other values follow: made when an op first asks,
  // for all that will. REQUIRES: ops on one operand are recorded by one thread.
  const std::vector<Index>& positions() const;
  // The other way round: position in At of every entry of A; and other values of A, as At has them.
  const std::vector<Index>& places() const;
  void transpose_values(std::span<const float> values, std::span<float> out) const;
  // Rows of new nodes (Tape::continue_from): products give bits that depend on the row alone, and
  // `known` has the entries of these rows whose columns are nodes that were there before.
  bool of_new_nodes = false;
  Csr known = {};
  std::vector<double> degree = {};  // of norm sym: the row sums that it was normalised by
  mutable std::vector<Index> made_positions = {}, made_places = {};
};
SparseOperand sparse_operand(Csr a, Precision gathers = Precision::kFloat32);

// ---- products (ops_product.cc)
// `layout`: kPanels for a result that another sparse product gathers (kernels::gather_layout).
Var spmm(const SparseOperand& A, Var X, Layout layout = Layout::kRows);  // A X
// (A + A^2 + ... + A^powers) X / powers. A square.
Var spmm_powers(const SparseOperand& A, Var X, int powers);
// sum_k gamma_k A^k X, k = 0..K, gamma (1,K+1). A square. ops_polynomial.cc
Var spmm_polynomial(const SparseOperand& A, Var X, Var gamma);
Var dropout_spmm(const SparseOperand& A, Var X, float p,
                 Layout layout = Layout::kRows);  // drop(A) X, on stored non-zeros
Var matmul(Var A, Var B);                         // A B
Var matmul_transposed(Var A, Var B);              // A B^T
// The same with the rows of drop(A) scaled to length 1, in training and evaluation (MixHop).
Var unit_dropout_spmm(const SparseOperand& A, Var X, float p);
// drop(relu(x + b)) W, b (1,h): a hidden layer that stays in the caches
Var hidden_matmul(Var x, Var bias, float p, Var W, Layout layout = Layout::kRows);
// Row i of x times the matrix of its group: x (n,h), W (groups*h, m) one below the other; a row of
// group -1 gives zeros (DEMO-Net, one group per degree).
Var grouped_matmul(Var x, Var W, std::vector<std::int32_t> group_of_row);
// out_ik = sum_f g_i,(k,f) a_kf: g (n, heads*f), a (heads, f), out (n, heads) (GAT).
Var head_dots(Var g, Var a);
// Graph attention: with e_ij = leaky_relu(s_i + t_j, 0.2) over the pattern of A and
// P = softmax over j, out_i = sum_j drop(P)_ij g_j, head by head. s, t (n,heads), g (n,heads*f).
Var attention(const SparseOperand& A, Var s, Var t, Var g, float p);

// A graph whose directed edges are dropped anew in every training pass: sym-normalised with loops
// added after the dropping, D^-1/2 (kept + I) D^-1/2 with D the row sums. All products with one
// view in one pass see the same edges (GRACE). In evaluation nothing is dropped.
class EdgeDropView;
std::shared_ptr<EdgeDropView> edge_drop_view(Tape& tape, const Csr& A, float p,
                                             Precision gathers = Precision::kFloat32);
// Rows of new nodes in such a graph, normalised already; nothing is dropped.
std::shared_ptr<EdgeDropView> edge_drop_view(SparseOperand rows);
Var spmm(const std::shared_ptr<EdgeDropView>& view, Var X);  // recorded as "edge_drop_spmm"

// ---- activations (ops_activation.cc)
Var bias_relu_dropout(Var x, Var bias, float p);  // drop(relu(x + b)), b (1,h)
Var relu_dropout(Var x, float p);                 // drop(relu(x))
Var dropout(Var x, float p);
Var relu(Var x);
Var add_bias(Var x, Var bias);  // x + b, b (1,h)
// ops_nonlinear.cc:
Var elu(Var x);               // x, or exp(x) - 1 below 0
Var prelu(Var x, Var slope);  // x, or slope x below 0; slope (1,1)
Var tanh(Var x);
Var sigmoid(Var x);

// ---- rows (ops_rows.cc)
Var log_softmax(Var x, float s = 1.0f);  // log softmax of s x, row by row
Var l2_normalize_rows(Var x);
Var gather_rows(Var x, const std::vector<NodeId>& rows);  // x[rows]
Var concat_columns(std::vector<Var> parts);               // [x | y | ...]
// ops_columns.cc:
Var columns(Var x, Index from, Index count);  // x[:, from : from+count]
Var center_columns(Var x);                    // x - column means
Var column_means(Var x);                      // (1,h)
// (x - mean) / sqrt(variance + epsilon) + offset, column by column over all rows, in training and
// in evaluation; offset (1,h)
Var batch_norm(Var x, Var offset, float epsilon);
// ops_mix.cc:
Var softmax(Var x);                            // row by row
Var mix(Var weights, std::vector<Var> parts);  // out_i = sum_c weights_ic parts[c]_i
// x (n, c*m) in c segments: sum_s softmax(q)_s x_s; q (1,c)
Var mix_segments(Var x, Var q);
// ops_random_rows.cc:
Var shuffle_rows(Var x);        // another permutation every epoch; as it is in evaluation
Var drop_rows(Var x, float p);  // whole rows become 0 in training, nothing is scaled
// `count` rows, others every epoch, the same ones of each part; the first ones in evaluation.
std::vector<Var> sample_rows(std::vector<Var> parts, Index count);

// ---- losses (ops_loss.cc)
// -sum_i w_i logp[i, labels[i]] / sum_i w_i, w_i the weight of the label; none: all weigh 1.
Var nll(Var logp, const std::vector<std::int32_t>& labels, std::vector<float> class_weights = {});
// -mean over `rows` (empty: all) of Q_i . logp_i; no gradient to Q.
Var soft_nll(Var Q, Var logp, const std::vector<NodeId>& rows = {});
// -mean of logp[i, y_i] over rows with y_i >= 0, y the numbers in targets (n,1), which may change
// between epochs.
Var masked_nll(Var logp, Var targets);
// Mean of the binary cross-entropy of sigmoid(x) with one target for all elements.
Var bce_with_logits(Var x, float target);
// ops_penalty.cc:
Var sum_squares(Var x);       // sum_ij x_ij^2
Var sum_column_norms(Var x);  // sum_j |x_:j|
// ops_dependence.cc:
// tr(R P P^T R Q Q^T), R = I - 11^T/n, as |P^T (Q - mean)|^2: independence of two embeddings.
Var hsic(Var P, Var Q);
// mean over n x n of (U U^T - V V^T)^2, by products of width h and without cancellation.
Var gram_distance(Var U, Var V);
// Contrast of two views whose rows have length 1, s(a,b) = exp(a.b / tau):
//   1/2n sum_i [ l(u_i) + l(v_i) ],
//   l(u_i) = -u_i.v_i / tau + log(sum_{j != i} s(u_i,u_j) + sum_j s(u_i,v_j)), l(v_i) likewise;
// block by block, so memory stays linear in n.
Var info_nce(Var U, Var V, float tau);
// Balanced soft assignment of rows to columns (kernels.h), a target: no gradient flows through it.
Var sinkhorn(Var z, float epsilon, int iterations, const std::vector<NodeId>& rows = {});
// Rows of [mean of the parts]^(1/temperature), scaled to sum 1; parts are probabilities. A target:
// no gradient flows through it. ops_sharpen.cc
Var sharpen(std::vector<Var> parts, float temperature);

// ---- arithmetic (ops_loss.cc)
Var operator*(float a, Var x);
Var ramped(float a, int epochs, Var x);  // a x, growing linearly to it over the first epochs
Var operator+(Var x, Var y);

}  // namespace scrl
