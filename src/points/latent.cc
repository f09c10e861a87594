#include "points/latent.h"

#include "kernels/kernels.h"
#include "points/pca.h"

namespace scrl {

Csr latent_rows(const Csr& X, Index directions) {
  constexpr int kRounds = 8;  // neighbours do not ask for the last digits of a direction
  const Csr U = unit_rows(X), Ut = transpose(U);
  LinearMap map{.rows = U.rows, .cols = U.cols};
  map.onto = [&](const Matrix& V, Matrix& Y) { kernels::spmm(U, V, Y); };
  map.back = [&](const Matrix& Y, Matrix& V) { kernels::spmm(Ut, Y, V); };
  const Matrix Y = principal_coordinates(map, directions, kRounds);
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
