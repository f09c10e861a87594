// kernels/gemm_plan.h: how a dense product is cut into pieces. Internal to the kernels.
//
// C = op(A) op(B).  op(A) (m,k), op(B) (k,n), C (m,n).
//
// k is cut into blocks of `kc`, summed in order into C. C is cut into tiles of `mc` x `nc`, each
// the work of one thread; within a tile a register block of `mr` x `nr` is kept over a block of k.
//
// op(B) is packed once for all threads, [block of k][panel of nr columns][kc][nr]. Of A, a tile
// packs its part of a transposed one and of a last panel with less than mr rows, [panel of mr
// rows][kc][mr]; other rows of A are read in place.
//
// A product with few tiles and a long k is cut along k into `slices`. Each has its own copy of C,
// and the copies are added in order.
//
// All sizes depend on the shape and the instruction set alone, hence the bits not on the threads.
#pragma once
#include "kernels/products.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

struct GemmPlan {
  const float *a, *b;
  Index lda, ldb;
  bool transpose_a, transpose_b;
  Index m, n, k;

  Index mr, nr, kc, mc, nc;
  Index k_blocks, slices, row_tiles, column_tiles;

  float* packed_b;  // k * n_padded()
  float* out;       // slice s is written at out + s * slice_stride
  Index ldc, slice_stride;
  bool accumulate;

  // Columns that are computed: whole panels that reach over the padding of C.
  Index n_padded() const {
    const Index unit = nr > kLane ? nr : kLane;
    return (n + unit - 1) / unit * unit;
  }
  Index tiles() const { return row_tiles * column_tiles * slices; }
};

struct GemmRegisters {
  Index mr, nr;
};

// The sizes, for a product of whole matrices; `out`, `ldc`, `slice_stride` and `accumulate` are
// left to the caller, who may also point it at a part and choose other slices.
GemmPlan gemm_plan(Op ta, const Matrix& A, Op tb, const Matrix& B, Index m, Index n, Index k);
// Packs op(B) and computes all tiles; adding the slices up is left to the caller.
void gemm_run(GemmPlan& plan);

// Bodies for the instruction set in use; see gemm_kernel.cc.
GemmRegisters gemm_registers();
void gemm_pack_b(const GemmPlan& plan, Index k_block, Index first_panel, Index last_panel);
void gemm_tile(const GemmPlan& plan, Index tile);
void gemm_add_slices(const GemmPlan& plan, float* C, bool accumulate, Index begin, Index end);

// ---- a whole product in the calling thread, for kernels that cut their work into blocks
// C (m,n) = or += op(A) op(B), inner size k. Rows begin ld floats apart on 64-byte boundaries, ld
// is a multiple of 16, and all ld floats of a row may be read; columns n to ldc - 1 of C are
// written as if they belonged to it, up to a multiple of 16.
struct GemmBlock {
  const float* data;
  Index ld;
  bool transposed;
};
void gemm_block(GemmBlock a, GemmBlock b, Index m, Index n, Index k, float* c, Index ldc,
                bool accumulate);

}  // namespace scrl::kernels
