// graph/laplacian.h: the operator whose Chebyshev polynomials filter a signal on a graph.
#pragma once
#include "tensor/csr.h"

namespace scrl {

// D^-1/2 A D^-1/2, self-loops of A left out (they stay as zeros), D = row sums of A. A node without
// neighbours gets a row of zeros. REQUIRES: A is square and symmetric.
Csr symmetric_normalized(const Csr& A);

// I - D^-1/2 A D^-1/2, self-loops of A left out, D = row sums of A. A node without neighbours gets
// the unit row. REQUIRES: A is square and symmetric.
Csr laplacian(const Csr& A);

// Largest eigenvalue of a symmetric matrix whose eigenvalues are not negative, by power iteration
// until it changes by less than 1e-9 of itself, 2000 steps at most; 0 for a matrix of zeros.
double largest_eigenvalue(const Csr& L);

// (2 / lambda_max) L - I with L = laplacian(A): its eigenvalues lie in [-1, 1].
Csr scaled_laplacian(const Csr& A, double* largest = nullptr);

}  // namespace scrl
