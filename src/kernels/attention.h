// kernels/attention.h: attention over neighbours.
#pragma once
#include <span>

#include "base/rng.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

// With e_ij = leaky_relu(s_i + t_j, 0.2) over the entries of A (values ignored) and
// P_ij = exp(e_ij) / sum_j exp(e_ij), head by head:  out_i = sum_j drop(P)_ij g_j.
// s, t (n,heads); g, out (n, heads*f), head after head. A row without entries gives zeros.
// `weights` gets P, attention_slots(heads) >= heads floats per entry, the sign set where dropped.
// Entry e of head k is element e * attention_slots(heads) + k of the flat array of dropout.h.
Index attention_slots(Index heads);                 // the next power of two; above 16, times 16
Index attention_floats(const Csr& A, Index heads);  // size of weights and slopes
void attention(const Csr& A, const Matrix& s, const Matrix& t, const Matrix& g, float p,
               const Rng* rng, std::span<float> weights, Matrix& out);
struct AttentionGradients {  // null: not wanted; += instead of =
  Matrix *ds, *dt, *dg;
  bool add_ds, add_dt, add_dg;
};
// Its gradients; p is 0 if attention() had no rng. With q_ij = mask_ij (g_j . dout_i),
//   slope_ij = P_ij (q_ij - sum_k P_ik q_ik) (1 or 0.2),  ds_i = sum_j slope_ij,
//   dt_j = sum_i slope_ij,  dg_j = sum_i drop(P)_ij dout_i.
// from: position in A of every entry of At, transpose_positions(A, At).
void attention_backward(const Csr& A, const Csr& At, std::span<const Index> from, const Matrix& s,
                        const Matrix& t, const Matrix& g, float p, std::span<float> weights,
                        const Matrix& dout, std::span<float> slopes,
                        const AttentionGradients& gradients);

}  // namespace scrl::kernels
