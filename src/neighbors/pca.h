// neighbors/pca.h: coordinates of rows along the directions in which they differ most.
//
// Directions V are found by subspace iteration: V <- orthonormal(Xc^T (Xc V)) with a few more
// columns than asked for, then turned by the eigenvectors of V^T Xc^T Xc V (Jacobi's method). Xc is
// X less the mean of its rows, and is never formed: a product loses its mean instead. The sign of a
// direction makes its largest entry positive, so the result is a function of X alone. Meant for
// pictures and first layouts: about three digits.
#pragma once
#include <functional>

#include "base/types.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

// Xc of which products alone are known; memory for the results is there already.
struct LinearOperator {
  Index rows = 0, cols = 0;
  std::function<void(const Matrix& V, Matrix& Y)> matvec;  // Y = Xc V
  std::function<void(const Matrix& Y, Matrix& V)>
      rmatvec;  // V = Xc^T Y, or X^T Y, which is the same
};
// Takes from every column its mean: X V becomes Xc V.
void centre_columns(Matrix& Y);

// rows x count; columns beyond what X has are zero, scores beyond the range of float are its
// largest number. X may hold any finite numbers. The same bits for any number of threads. Of a
// projection that is not centred they are X V, V the leading right singular vectors; fewer rounds
// leave directions of nearly equal length mixed, which distances along all of them hardly notice.
Matrix pca_scores(const Matrix& X, Index count);
Matrix pca_scores(const Csr& X, Index count);
// `directions`, if given, gets V, a column for each that X has.
Matrix pca_scores(const LinearOperator& X, Index count, int rounds = 60,
                  Matrix* directions = nullptr);

}  // namespace scrl
