// points/pca.h: the plane in which rows differ most.
//
//   Y = (X - mean) V,  V (h,2): the two leading eigenvectors of the covariance of X
// found by subspace iteration on the h x h covariance in double precision. The sign of a column of V
// is that which makes its largest entry positive, so that equal rows always give equal maps.
#pragma once
#include "tensor/matrix.h"

namespace scrl {

// (n,2). Rows that do not differ in a direction get 0 there.
Matrix pca_plane(const Matrix& X);

}  // namespace scrl
