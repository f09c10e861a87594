// kernels/products.h: sparse and dense products.
#pragma once
#include <span>

#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

// How long sums may be cut. By the shapes of a whole product, as suits it. Never: the bits of a row
// of the result follow from its own operands alone, whatever other rows there are. In blocks: a sum
// over the rows of X goes along the tree of base/block_tree.h.
enum class Cut { kByShape, kNever, kBlocks };

// out = A X.  A (n,m) sparse, X (m,h), out (n,h). kBf16: X is rounded to bf16, ties to even, and
// rows are gathered from half the memory; sums are float32 as ever.
void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate = false,
          Precision precision = Precision::kFloat32, Cut cut = Cut::kByShape);
// The same with other values on A's pattern (dropout on stored non-zeros). values.size() == nnz.
void spmm(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
          bool accumulate = false, Precision precision = Precision::kFloat32,
          Cut cut = Cut::kByShape);

// How a matrix of this shape is best kept when products gather its rows again and again.
Layout gather_layout(Index rows, Index cols);

enum class Op { kN, kT };  // as stored, or transposed
// C = op(A) op(B). A^T B is a sum over the rows of both: block by block (base/block_tree.h).
void gemm(Op ta, const Matrix& A, Op tb, const Matrix& B, Matrix& C, bool accumulate = false,
          Cut cut = Cut::kByShape);
// out = A^T B row by row, summed in double precision, along the tree of blocks. A (n,a), B (n,b),
// out a*b.
void gram(const Matrix& A, const Matrix& B, std::span<double> out);

}  // namespace scrl::kernels
