// points/pca.h: coordinates of rows along the directions in which they differ most.
//
// Directions V are found by subspace iteration: V <- orthonormal(Xc^T (Xc V)) with a few more
// columns than asked for, then turned by the eigenvectors of V^T Xc^T Xc V (Jacobi's method). Xc is
// X less the mean of its rows. The sign of a direction makes its largest entry positive, so the
// result is a function of X alone. Meant for pictures and first layouts: about three digits.
#pragma once
#include "base/types.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

// rows x count; columns beyond what X has are zero. The same bits for any number of threads.
Matrix principal_coordinates(const Matrix& X, Index count);
// Of sparse rows; the mean is never subtracted from stored values, so they stay sparse.
Matrix principal_coordinates(const Csr& X, Index count);

}  // namespace scrl
