// kernels/kernels.h: every numeric inner loop of the program.
//
// A kernel checks its shapes, then runs a body compiled for several instruction sets and chosen at
// run time (simd.h). kernels/reference.h holds the scalar twin of each; tests hold the two
// together. Results do not depend on the number of threads: outputs are partitioned, sums go chunk
// by chunk in a fixed order. `accumulate` means out += instead of out =. Padding columns stay zero.
// Matrices in panels are taken by spmm, by hidden_gemm (all but W), by bias_relu_dropout as x or
// dx, and by what goes element by element or treats columns alike.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

// ---- products -------------------------------------------------------------------------------
// out = A X.  A (n,m) sparse, X (m,h), out (n,h). kBf16: X is rounded to bf16, ties to even, and
// rows are gathered from half the memory; sums are float32 as ever.
void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate = false,
          Precision precision = Precision::kFloat32);
// The same with other values on A's pattern (dropout on stored non-zeros). values.size() == nnz.
void spmm(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
          bool accumulate = false, Precision precision = Precision::kFloat32);

// How a matrix of this shape is best kept when products gather its rows again and again.
Layout gather_layout(Index rows, Index cols);

enum class Op { kN, kT };  // as stored, or transposed
// C = op(A) op(B).
void gemm(Op ta, const Matrix& A, Op tb, const Matrix& B, Matrix& C, bool accumulate = false);
// out = A^T B row by row, summed in double precision over blocks of rows. A (n,a), B (n,b), out
// a*b.
void gram(const Matrix& A, const Matrix& B, std::span<double> out);

// ---- activations -----------------------------------------------------------------------------
// Dropout with rate p keeps element (i,j) iff bits(i,j) >= round(p * 2^16) and scales it by
// 1/(1-p); bits are 16-bit numbers drawn from rng as written in dropout.h. No rng: no dropout
// (evaluation).

// out = drop(relu(x + bias)).  x, out (n,h); bias (1,h) or null.
void bias_relu_dropout(const Matrix& x, const Matrix* bias, float p, const Rng* rng, Matrix& out);
// dx = dout * [out > 0] / (1-p): out is positive exactly where x + bias was and dropout kept it, so
// no mask is stored. scale = 1/(1-p) in training, 1 otherwise.
void bias_relu_dropout_backward(const Matrix& out, const Matrix& dout, float scale, Matrix& dx,
                                bool accumulate = false);
// out = drop(relu(x + bias)) W. The layer between is not written to memory; `bits`, if given, gets
// hidden_words(h) words per row that tell which of its elements are not zero.
Index hidden_words(Index columns);
void hidden_gemm(const Matrix& x, const Matrix& bias, float p, const Rng* rng, const Matrix& W,
                 std::uint64_t* bits, Matrix& out);
struct HiddenGradients {
  Matrix &dx, &dbias, &dW;
  bool add_dbias, add_dW;  // += instead of =
};
// Its gradients, from the bits it left and the gradient of out; factor = 1/(1-p) in training.
void hidden_gemm_backward(const Matrix& x, const Matrix& bias, std::uint64_t* bits, float factor,
                          const Matrix& W, const Matrix& dout, HiddenGradients gradients);
// out = drop(x); its own adjoint, so the backward calls it with the same rng.
void dropout(const Matrix& x, float p, const Rng& rng, Matrix& out, bool accumulate = false);
// The same on a flat array (values of a sparse matrix).
void dropout(std::span<const float> x, float p, const Rng& rng, std::span<float> out);
// out = x + bias for every row.
void add_bias(const Matrix& x, const Matrix& bias, Matrix& out);
void relu(const Matrix& x, Matrix& out);
void relu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);

// Curves, with their adjoints from the value (PReLU: from the argument).
void elu(const Matrix& x, Matrix& out);  // x, or exp(x) - 1 below 0
void elu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void tanh(const Matrix& x, Matrix& out);
void tanh_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void sigmoid(const Matrix& x, Matrix& out);
void sigmoid_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void prelu(const Matrix& x, float slope, Matrix& out);  // x, or slope x below 0
void prelu_backward(const Matrix& x, const Matrix& dout, float slope, Matrix& dx,
                    bool accumulate = false);
// sum of dout x where x < 0, in double precision
double prelu_slope_gradient(const Matrix& x, const Matrix& dout);

// ---- rows ------------------------------------------------------------------------------------
// out_ij = s x_ij - log sum_b exp(s x_ib)
void log_softmax(const Matrix& x, float s, Matrix& out);
// With log-probabilities L = log_softmax(s x): dx_ij = s (dL_ij - exp(L_ij) sum_b dL_ib)
void log_softmax_backward(const Matrix& L, const Matrix& dL, float s, Matrix& dx,
                          bool accumulate = false);
// out_ij = exp(x_ij) / sum_b exp(x_ib)
void softmax(const Matrix& x, Matrix& out);
// dx_ij = out_ij (dout_ij - sum_b out_ib dout_ib)
void softmax_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
// out_i = x_i / max(|x_i|, 1e-12); norms[i] = |x_i|
void l2_normalize_rows(const Matrix& x, Matrix& out, std::vector<float>& norms);
// dx_i = (dout_i - out_i (out_i . dout_i)) / max(norms[i], 1e-12)
void l2_normalize_rows_backward(const Matrix& out, const std::vector<float>& norms,
                                const Matrix& dout, Matrix& dx, bool accumulate = false);
// Class of the largest entry of each row, the smaller index on ties.
void argmax_rows(const Matrix& x, std::vector<std::int32_t>& out);

// out_i = sum_c weights_ic parts[c]_i.  weights (n,c); parts, out (n,h).
void mix(const Matrix& weights, std::span<const Matrix* const> parts, Matrix& out);
// out_i = weights_ic x_i
void scale_rows(const Matrix& weights, Index c, const Matrix& x, Matrix& out,
                bool accumulate = false);
// out_ic = x_i . y_i, other columns of out stay
void row_dots(const Matrix& x, const Matrix& y, Matrix& out, Index c, bool accumulate = false);

// ---- columns ---------------------------------------------------------------------------------
// sums_j = sum_i y_ij, dots_j = sum_i x_ij y_ij, in double precision.
void column_moments(const Matrix& x, const Matrix& y, std::span<double> sums,
                    std::span<double> dots);
struct ColumnMap {
  const Matrix *shift = nullptr, *scale = nullptr, *offset = nullptr;  // (1,h); null: 0, 1, 0
};
// out_ij = (x_ij - shift_j) scale_j + offset_j
void map_columns(const Matrix& x, const ColumnMap& map, Matrix& out, bool accumulate = false);
// out_ij = row_j
void repeat_row(const Matrix& row, Matrix& out, bool accumulate = false);
// Of out = (x - mean) scale + offset with scale = 1/sqrt(variance + epsilon): xhat = out - offset,
//   dx = scale (dout - mean_dout - xhat mean_product),
// mean_dout and mean_product the column means of dout and of dout xhat.
struct BatchNormGradient {
  const Matrix &offset, &scale, &mean_dout, &mean_product;  // (1,h)
};
void batch_norm_backward(const Matrix& out, const Matrix& dout, const BatchNormGradient& at,
                         Matrix& dx, bool accumulate = false);

// ---- reductions ------------------------------------------------------------------------------
// out (1,h) = sum over rows, chunk by chunk in double precision.
void column_sums(const Matrix& x, Matrix& out, bool accumulate = false);
// sum_ij x_ij y_ij in double precision.
double dot(const Matrix& x, const Matrix& y);
bool all_finite(const Matrix& x);

// ---- attention -------------------------------------------------------------------------------
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

// ---- contrast --------------------------------------------------------------------------------
// Of two views U, V (n,h) with rows of length 1 and S(a,b) = exp(a . b / tau):
//   1/2n sum_i [ln D(u_i) + ln D(v_i)] - 1/(n tau) sum_i u_i . v_i,
//   D(u_i) = sum_{j != i} S(u_i,u_j) + sum_j S(u_i,v_j), D(v_i) likewise.
// sums gets D, that of U before that of V. Memory besides it does not grow with n.
double contrast(const Matrix& U, const Matrix& V, float tau, std::vector<double>& sums);
struct ContrastGradients {  // null: not wanted; += instead of =
  Matrix *dU, *dV;
  bool add_dU, add_dV;
};
void contrast_backward(const Matrix& U, const Matrix& V, float tau, std::span<const double> sums,
                       float dout, const ContrastGradients& gradients);

// ---- a matrix per group of rows ----------------------------------------------------------------
// Rows in groups 0 to count() - 1; row i may be in none, which is written -1.
struct RowGroups {
  struct Chunk {
    Index group, begin, end;  // positions in rows
  };
  Index node_count = 0;
  std::vector<Index> first = {0};  // rows[first[g], first[g + 1]) is group g, ascending
  std::vector<NodeId> rows, outside;
  std::vector<Chunk> chunks;
  std::vector<Index> by_size;  // groups, the largest first
  Index count() const { return static_cast<Index>(first.size()) - 1; }
  std::span<const NodeId> members(Index g) const {
    return {rows.data() + first[g], static_cast<std::size_t>(first[g + 1] - first[g])};
  }
};
RowGroups row_groups(std::span<const std::int32_t> group_of_row, Index groups);
// out_i = x_i op(W_g), g the group of row i; zeros in none. W (count*h, m), matrix below matrix.
void grouped_gemm(const RowGroups& groups, const Matrix& x, Op tw, const Matrix& W, Matrix& out,
                  bool accumulate = false);
// dW_g = sum over the rows of g of x_i^T dout_i, in the order of their numbers.
void grouped_gemm_gradient(const RowGroups& groups, const Matrix& x, const Matrix& dout, Matrix& dW,
                           bool accumulate = false);

// ---- many dot products at once ---------------------------------------------------------------
inline constexpr Index kDotBlock = 64;
// Of one sparse row (columns, values) with kDotBlock dense rows that lie side by side,
// block[column * kDotBlock + r]: fills dots[r], and tells whether any dots[r] * scale exceeds
// threshold[r]. Multiply and add stay separate, so the sums are the same on every instruction set.
// REQUIRES: block, threshold and dots are 64-byte aligned.
bool block_dots(std::span<const NodeId> columns, std::span<const float> values, const float* block,
                float scale, const float* threshold, float* dots);

// ---- one vector against a few rows of a table -------------------------------------------------
// Which rows a step looks at. A row that several pairs look at is there once, with the number of
// pairs and of those among them that want it positive.
inline constexpr Index kMaxTargets = 256;
struct StepTargets {
  alignas(64) float positive[kMaxTargets] = {};
  alignas(64) float total[kMaxTargets] = {};
  std::uint32_t row[kMaxTargets] = {};
  std::uint32_t count = 0;
};
// A step of stochastic gradient descent for the vector v and the rows w_k of `table`, `stride`
// floats apart, on sum_k -positive_k log sigma(v . w_k) - (total_k - positive_k) log sigma(-v .
// w_k):
//   g_k = lr (positive_k - total_k sigma(v . w_k)), all before any change; then k by k
//   e += g_k w_k,  w_k += g_k v;  and last v += e
// Returns the loss before the step if `want_loss`, else 0. sigma is exact but for v . w_k taken as
// -80 or 80 beyond that. One thread: the caller decides who owns what.
// REQUIRES: v and table are 64-byte aligned, stride is a multiple of kLane, v is none of the rows.
float skipgram_step(float* v, float* table, Index stride, const StepTargets& targets, float lr,
                    bool want_loss);
// base += factor * sum_k (copies[k] - base), a row of `stride` floats; aligned as above.
void skipgram_merge(float* base, std::span<const float* const> copies, float factor, Index stride);

// ---- element by element ----------------------------------------------------------------------
// y = a x (accumulate: y += a x)
void scale(float a, const Matrix& x, Matrix& y, bool accumulate = false);

struct AdamStep {
  double lr, beta1, beta2, epsilon, weight_decay;  // double: 1 - 0.999f is off by 5e-5
  double correction1, correction2;                 // 1 - beta1^t, 1 - beta2^t
};
// Adam with coupled L2, as PyTorch:
//   g += wd*w;  m, v moments of g;  w -= lr * mhat / (sqrt(vhat) + epsilon)
void adam(const AdamStep& step, const Matrix& grad, Matrix& w, Matrix& m, Matrix& v);
// The same with grad = A X, which is used where it comes up and never stored.
void spmm_adam(const Csr& A, std::span<const float> values, const Matrix& X, const AdamStep& step,
               Matrix& w, Matrix& m, Matrix& v, Precision precision = Precision::kFloat32);
void check_step(const AdamStep& step);

// ---- double precision ------------------------------------------------------------------------
inline constexpr Index kDoublePanel = 16;
// C = A B (accumulate: C += A B) in double. A (m,k) has element (i,l) at a[i * row_step + l *
// step], so it may be transposed; B (k) and C (m) have rows of kDoublePanel numbers, one after
// another. Runs in the calling thread; each element of C is one sum in the order of l.
void panel_product(const double* a, Index row_step, Index step, Index m, Index k, const double* b,
                   double* c, bool accumulate = false);

// ---- Sinkhorn --------------------------------------------------------------------------------
// Balanced soft assignment of n rows to B columns, log domain (never overflows):
//   repeat: g_b = -ln B - LSE_i(z_ib/eps + f_i);  f_i = -ln n - LSE_b(z_ib/eps + g_b)
//   Q_ib = n exp(z_ib/eps + f_i + g_b), rows sum to 1
// `rows` restricts it to a subset (empty: all); other rows of Q become 0.
void sinkhorn(const Matrix& z, float eps, int iterations, std::span<const NodeId> rows, Matrix& Q);

// ---- maps of points in the plane -------------------------------------------------------------
// The discrete Fourier transform, out_k = sum_t in_t exp(-2 pi i k t / size), in place, of kLane
// sequences that lie side by side: number t of sequence s is at re[t * kLane + s]. The inverse,
// times size, is the same with re and im exchanged. Runs in the calling thread.
// REQUIRES: re and im are 64-byte aligned and hold size * kLane floats.
struct FftPlan {
  Index size = 0;
  std::vector<int> radix;      // of each step
  std::vector<float> factors;  // step by step, as fft.cc reads them
};
FftPlan fft_plan(Index size);    // size is a product of twos and threes
Index fft_size(Index at_least);  // the smallest such product
void fft(const FftPlan& plan, float* re, float* im);
// f_i = sum_j P_ij (y_i - y_j) / (1 + |y_i - y_j|^2) of points (x_i, y_i); P (n,n).
void attraction(const Csr& P, std::span<const float> x, std::span<const float> y,
                std::span<float> fx, std::span<float> fy);

}  // namespace scrl::kernels
