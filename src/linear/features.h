// linear/features.h: the rows of an embedding as a logistic regression wants them. Internal to
// src/linear.
//
// In double, with the constant 1 of the bias as a last column, and turned: a penalty of |w|^2 does
// not see a rotation, so rows are written in an orthonormal basis of our choice, x = f B^T and
// w = v B. The basis spans the rows alone, so a problem has no more unknowns than rows; and
// its axes are close to the principal ones, so that diag(x^T x) says nearly all about x^T x and
// serves as a preconditioner.
#pragma once
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl::linear {

struct Features {
  Index rows = 0, dims = 0, columns = 0;  // columns: those of the embedding and one more
  std::vector<double> x;                  // rows x dims
  std::vector<double> squares;            // dims: sum_i x_ij^2
  std::vector<double> basis;              // dims x columns, orthonormal rows
};

// Of Z's rows `rows`. Throws kDiverged if one holds what is not a finite number.
Features make_features(const Matrix& Z, std::span<const NodeId> rows);

// Rows of `scale` times Z multiplied with each other: Z.rows() x Z.rows().
std::vector<double> gram(const Matrix& Z, double scale);

// Rows x (rows x dims) with x x^T = gram, for rows whose products with each other are all that is
// known; dims is at most the number of rows. The axes are near the principal ones for up to 512.
struct Coordinates {
  Index dims = 0;
  std::vector<double> x;
};
Coordinates coordinates(std::vector<double> gram, Index rows);

// Orthonormal rows that span those of a (count x length), in their order; a row that adds less than
// 1e-9 of its length is left out. Returns how many there are; they are the first of a.
Index orthonormalize(std::vector<double>& a, Index count, Index length);

}  // namespace scrl::linear
