// kernels/attention_rows.h: the work of attention.cc on a run of rows, compiled per instruction
// set.
//
// Inside, a row keeps its columns feature by feature, x[c * slots + k] for feature c of head k. A
// weight vector of an entry then fits any part of the row, and the dot products of all heads of an
// entry are one sum of vectors. slots is a power of two that vectors divide or are divided by, so
// that lane l of a run of entries always belongs to head l % slots.
// A thread owns rows of the result: weights and sums of a row never leave it. What runs along
// columns of A is gathered over the transpose.
#pragma once
#include "kernels/dropout.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

struct AttentionTask {
  const Csr* A;
  const Index* from = nullptr;  // entry of the weights for entry e; null: e itself
  const Matrix *s, *t;
  const float* x;  // gathered rows, feature by feature
  const float* u = nullptr;
  Index slots, length, heads, features;
  DropoutRate rate = {0, 1.0f};
  const Rng* rng = nullptr;
  float *weights, *slopes = nullptr;
  Matrix *ds = nullptr, *dt = nullptr, *out = nullptr;
  bool add_ds = false, add_dt = false, add_out = false;
};

// Weights and out of rows [begin, end).
void attention_rows(const AttentionTask& task, Index begin, Index end);
// Slopes of the entries of rows [begin, end), and ds.
void attention_slopes(const AttentionTask& task, Index begin, Index end);
// dt and dg of rows [begin, end) of the transpose; task.x holds dout, task.out is dg.
void attention_columns(const AttentionTask& task, Index begin, Index end);

}  // namespace scrl::kernels
