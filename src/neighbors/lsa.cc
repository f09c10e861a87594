#include "neighbors/lsa.h"

#include "kernels/products.h"
#include "neighbors/pca.h"

namespace scrl {
namespace {

// Without its zeros.
Csr sparse(const Matrix& Y) {
  Csr out{.rows = Y.rows(), .cols = Y.cols()};
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

}  // namespace

Csr lsa_rows(const Csr& X, Index rank, Matrix* directions) {
  constexpr int kRounds = 8;  // neighbours do not ask for the last digits of a direction
  const Csr U = unit_rows(X), Ut = transpose(U);
  LinearOperator map{.rows = U.rows, .cols = U.cols};
  map.matvec = [&](const Matrix& V, Matrix& Y) { kernels::spmm(U, V, Y); };
  map.rmatvec = [&](const Matrix& Y, Matrix& V) { kernels::spmm(Ut, Y, V); };
  return sparse(pca_scores(map, rank, kRounds, directions));
}

Csr lsa_project(const Csr& X, const Matrix& directions, Index rank) {
  const Csr U = unit_rows(X);
  Matrix Y(X.rows, directions.cols());
  kernels::spmm(U, directions, Y, false, Precision::kFloat32, kernels::Cut::kNever);
  Csr out = sparse(Y);
  out.cols = rank;
  return out;
}

}  // namespace scrl
