// kernels/reference.h: the scalar twin of every kernel, written as its formula reads.
//
// One thread, no vectors, sums in double precision: slow, and what the tests hold the kernels to.
// Arguments and meaning are those of kernels.h. Shapes are not checked. Matrices may come in either
// layout, also where the kernel wants rows.
#pragma once
#include "kernels/adam.h"
#include "kernels/attention.h"
#include "kernels/attraction.h"
#include "kernels/block_dots.h"
#include "kernels/columns.h"
#include "kernels/fft.h"
#include "kernels/grouped_gemm.h"
#include "kernels/info_nce.h"
#include "kernels/layers.h"
#include "kernels/nonlinear.h"
#include "kernels/panel_product.h"
#include "kernels/products.h"
#include "kernels/reduce.h"
#include "kernels/rows.h"
#include "kernels/sinkhorn.h"
#include "kernels/skipgram.h"

namespace scrl::reference {

using kernels::AdamStep;
using kernels::BatchNormGradient;
using kernels::ColumnMap;
using kernels::HiddenGradients;
using kernels::Op;
using kernels::StepTargets;

Matrix in_bf16(const Matrix& X);  // each value the nearest of those with 8 bits of significand
void spmm(const Csr& A, const Matrix& X, Matrix& out, bool accumulate = false);
void spmm(const Csr& A, std::span<const float> values, const Matrix& X, Matrix& out,
          bool accumulate = false);
void gemm(Op ta, const Matrix& A, Op tb, const Matrix& B, Matrix& C, bool accumulate = false);

void bias_relu_dropout(const Matrix& x, const Matrix* bias, float p, const Rng* rng, Matrix& out);
void bias_relu_dropout_backward(const Matrix& out, const Matrix& dout, float scale, Matrix& dx,
                                bool accumulate = false);
void hidden_gemm(const Matrix& x, const Matrix& bias, float p, const Rng* rng, const Matrix& W,
                 std::uint64_t* bits, Matrix& out);
void hidden_gemm_backward(const Matrix& x, const Matrix& bias, const std::uint64_t* bits,
                          float factor, const Matrix& W, const Matrix& dout,
                          HiddenGradients gradients);
void dropout(const Matrix& x, float p, const Rng& rng, Matrix& out, bool accumulate = false);
void dropout(std::span<const float> x, float p, const Rng& rng, std::span<float> out);
void add_bias(const Matrix& x, const Matrix& bias, Matrix& out);
void relu(const Matrix& x, Matrix& out);
void relu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);

void log_softmax(const Matrix& x, float s, Matrix& out);
void log_softmax_backward(const Matrix& L, const Matrix& dL, float s, Matrix& dx,
                          bool accumulate = false);
void l2_normalize_rows(const Matrix& x, Matrix& out, std::vector<float>& norms);
void l2_normalize_rows_backward(const Matrix& out, const std::vector<float>& norms,
                                const Matrix& dout, Matrix& dx, bool accumulate = false);
void argmax_rows(const Matrix& x, std::vector<std::int32_t>& out);

void column_sums(const Matrix& x, Matrix& out, bool accumulate = false);
double dot(const Matrix& x, const Matrix& y);
bool all_finite(const Matrix& x);

void scale(float a, const Matrix& x, Matrix& y, bool accumulate = false);
void adam(const AdamStep& step, const Matrix& grad, Matrix& w, Matrix& m, Matrix& v);

// In scaling form (Cuturi, NIPS 2013): K = exp(z/eps), columns and rows of K rescaled in turn.
// Overflows where the kernel does not, z/eps beyond about 700.
void sinkhorn(const Matrix& z, float eps, int iterations, std::span<const NodeId> rows, Matrix& Q);

float skipgram_step(float* v, float* table, Index stride, const StepTargets& targets, float lr,
                    bool want_loss);
void skipgram_merge(float* base, std::span<const float* const> copies, float factor, Index stride);
// Written in reference_maps.cc.
void elu(const Matrix& x, Matrix& out);
void elu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void tanh(const Matrix& x, Matrix& out);
void tanh_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void sigmoid(const Matrix& x, Matrix& out);
void sigmoid_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void prelu(const Matrix& x, float slope, Matrix& out);
void prelu_backward(const Matrix& x, const Matrix& dout, float slope, Matrix& dx,
                    bool accumulate = false);
double prelu_slope_gradient(const Matrix& x, const Matrix& dout);
void softmax(const Matrix& x, Matrix& out);
void softmax_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void mix(const Matrix& weights, std::span<const Matrix* const> parts, Matrix& out);
void scale_rows(const Matrix& weights, Index c, const Matrix& x, Matrix& out,
                bool accumulate = false);
void row_dots(const Matrix& x, const Matrix& y, Matrix& out, Index c, bool accumulate = false);
void column_moments(const Matrix& x, const Matrix& y, std::span<double> sums,
                    std::span<double> dots);
void map_columns(const Matrix& x, const ColumnMap& map, Matrix& out, bool accumulate = false);
void repeat_row(const Matrix& row, Matrix& out, bool accumulate = false);
void batch_norm_backward(const Matrix& out, const Matrix& dout, const BatchNormGradient& at,
                         Matrix& dx, bool accumulate = false);
void gram(const Matrix& A, const Matrix& B, std::span<double> out);
// Scalar twins in reference_edges.cc.
void attention(const Csr& A, const Matrix& s, const Matrix& t, const Matrix& g, float p,
               const Rng* rng, std::span<float> weights, Matrix& out);
void attention_backward(const Csr& A, const Matrix& s, const Matrix& t, const Matrix& g, float p,
                        std::span<const float> weights, const Matrix& dout,
                        const kernels::AttentionGradients& gradients);
double info_nce(const Matrix& U, const Matrix& V, float tau, std::vector<double>& sums);
void info_nce_backward(const Matrix& U, const Matrix& V, float tau, std::span<const double> sums,
                       float dout, const kernels::InfoNceGradients& gradients);
void grouped_gemm(const kernels::RowGroups& groups, const Matrix& x, Op tw, const Matrix& W,
                  Matrix& out, bool accumulate = false);
void grouped_gemm_gradient(const kernels::RowGroups& groups, const Matrix& x, const Matrix& dout,
                           Matrix& dW, bool accumulate = false);

bool block_dots(std::span<const NodeId> columns, std::span<const float> values, const float* block,
                float scale, const float* threshold, float* dots);

void panel_product(const double* a, Index row_step, Index step, Index m, Index k, const double* b,
                   double* c, bool accumulate = false);

// Scalar twins in reference_map.cc.
void fft(Index size, float* re, float* im);
void attraction(const Csr& P, std::span<const float> x, std::span<const float> y,
                std::span<float> fx, std::span<float> fy);

}  // namespace scrl::reference
