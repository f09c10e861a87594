// What ops multiply by (SparseOperand of autograd/ops.h), and the product with rows of new nodes.
#include "autograd/graph_steps.h"
#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/products.h"

namespace scrl {

const std::vector<Index>& SparseOperand::positions() const {
  if (made_positions.empty()) made_positions = transpose_positions(A, At);
  return made_positions;
}

const std::vector<Index>& SparseOperand::places() const {
  if (made_places.empty()) made_places = transpose_positions(At, A);
  return made_places;
}

// Values are read one after the other and written to as many places at a time as A has columns;
// reading them in the order of At would find each of them in another cache line.
void SparseOperand::transpose_values(std::span<const float> values, std::span<float> out) const {
  const std::vector<Index>& to = places();
  parallel_for(A.nnz(), 1 << 16, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) out[to[e]] = values[e];
  });
}

SparseOperand sparse_operand(Csr a, Precision gathers) {
  SparseOperand out;
  out.gathers = gathers;
  out.At = transpose(a);
  out.A = std::move(a);
  return out;
}

// out = or += A X, and for new nodes also the part of the nodes known before.
void multiply(const SparseOperand& S, const Matrix& X, const Matrix* known, Matrix& out, bool add) {
  const kernels::Cut cut = S.of_new_nodes ? kernels::Cut::kNever : kernels::Cut::kByShape;
  kernels::spmm(S.A, X, out, add, S.gathers, cut);
  if (S.known.nnz() == 0) return;
  check(known != nullptr,
        "spmm: the tape continues none, and the operand has edges to known nodes");
  kernels::spmm(S.known, *known, out, /*accumulate=*/true, S.gathers, cut);
}

}  // namespace scrl
