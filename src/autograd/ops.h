// autograd/ops.h: the differentiable operations.
//
// Each op names itself for errors, profiles and the coverage test, checks shapes when recorded, and
// states its backward next to its forward in ops_*.cc. n rows (nodes), h and B columns.
#pragma once
#include <span>
#include <vector>

#include "autograd/tape.h"
#include "tensor/csr.h"

namespace scrl {

// A constant sparse matrix ready for products in both directions.
// REQUIRES where it is used: it outlives the tape.
struct SparseOperand {
  Csr A, At;
};
SparseOperand sparse_operand(Csr a);

// ---- products (ops_product.cc)
// `layout`: kPanels for a result that another sparse product gathers (kernels::gather_layout).
Var spmm(const SparseOperand& A, Var X, Layout layout = Layout::kRows);  // A X
Var dropout_spmm(const SparseOperand& A, Var X, float p,
                 Layout layout = Layout::kRows);  // drop(A) X, on stored non-zeros
Var matmul(Var A, Var B);                         // A B
Var matmul_transposed(Var A, Var B);              // A B^T
// drop(relu(x + b)) W, b (1,h): a hidden layer that stays in the caches
Var hidden_matmul(Var x, Var bias, float p, Var W, Layout layout = Layout::kRows);

// ---- activations (ops_activation.cc)
Var bias_relu_dropout(Var x, Var bias, float p);  // drop(relu(x + b)), b (1,h)
Var relu_dropout(Var x, float p);                 // drop(relu(x))
Var dropout(Var x, float p);
Var relu(Var x);
Var add_bias(Var x, Var bias);  // x + b, b (1,h)

// ---- rows (ops_rows.cc)
Var log_softmax(Var x, float s = 1.0f);  // log softmax of s x, row by row
Var l2_normalize_rows(Var x);
Var gather_rows(Var x, std::vector<NodeId> rows);  // x[rows]
Var concat_columns(Var x, Var y);                  // [x | y]

// ---- losses (ops_loss.cc)
Var nll(Var logp, std::vector<std::int32_t> labels);  // -mean_i logp[i, labels[i]]
// -mean over `rows` (empty: all) of Q_i . logp_i; no gradient to Q.
Var soft_nll(Var Q, Var logp, std::vector<NodeId> rows = {});
// Balanced soft assignment of rows to columns (kernels.h), a target: no gradient flows through it.
Var sinkhorn(Var z, float epsilon, int iterations, std::vector<NodeId> rows = {});

// ---- arithmetic (ops_loss.cc)
Var operator*(float a, Var x);
Var ramped(float a, int epochs, Var x);  // a x, growing linearly to it over the first epochs
Var operator+(Var x, Var y);

}  // namespace scrl
