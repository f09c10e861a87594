#include "neighbors/lsa.h"

#include "kernels/products.h"
#include "neighbors/pca.h"

namespace scrl {

Csr lsa_rows(const Csr& X, Index rank) {
  constexpr int kRounds = 8;  // neighbours do not ask for the last digits of a direction
  const Csr U = unit_rows(X), Ut = transpose(U);
  LinearOperator map{.rows = U.rows, .cols = U.cols};
  map.matvec = [&](const Matrix& V, Matrix& Y) { kernels::spmm(U, V, Y); };
  map.rmatvec = [&](const Matrix& Y, Matrix& V) { kernels::spmm(Ut, Y, V); };
  const Matrix Y = pca_scores(map, rank, kRounds);
  Csr out{.rows = Y.rows(), .cols = Y.cols()};
  out.row_ptr = {0};
  for (Index i = 0; i < Y.rows(); ++i) {
    for (Index c = 0; c < Y.cols(); ++c) {
      if (Y(i, c) == 0) continue;
      out.col.push_back(static_cast<NodeId>(c));
      out.val.push_back(Y(i, c));
    }
    out.row_ptr.push_back(static_cast<Index>(out.col.size()));
  }
  return out;
}

}  // namespace scrl
