// Shapes, plan and threads of the dense product; the arithmetic is in gemm_kernel.cc.
#include <algorithm>

#include "base/block_tree.h"
#include "kernels/entry.h"
#include "kernels/gemm_plan.h"
#include "kernels/products.h"

namespace scrl::kernels {
namespace {

constexpr Index kDepth = 384;         // longest block of k: a panel of B then fits the L1 cache
constexpr Index kTilePanels = 8;      // register blocks per tile, down
constexpr Index kPackedPanels = 40;   // the same if A is packed: long runs of its rows are read
constexpr Index kTileColumns = 512;   // columns per tile
constexpr Index kEnoughTiles = 32;    // below this, a long k is sliced
constexpr Index kBlocksPerSlice = 2;  // at least: a slice costs a copy of C

Index round_up(Index value, Index unit) { return (value + unit - 1) / unit * unit; }

GemmPlan make_plan(GemmBlock a, GemmBlock b, Index m, Index n, Index k) {
  GemmPlan p{};
  p.a = a.data, p.lda = a.ld, p.transpose_a = a.transposed;
  p.b = b.data, p.ldb = b.ld, p.transpose_b = b.transposed;
  p.m = m, p.n = n, p.k = k;
  const GemmRegisters registers = gemm_registers();
  p.mr = registers.mr, p.nr = registers.nr;
  p.k_blocks = chunk_count(k, kDepth);
  p.kc = round_up(chunk_count(k, p.k_blocks), 4);  // even blocks: none is left with a few columns
  p.k_blocks = chunk_count(k, p.kc);
  const Index panels = chunk_count(m, p.mr);
  p.row_tiles = chunk_count(panels, p.transpose_a ? kPackedPanels : kTilePanels);
  p.mc = chunk_count(panels, p.row_tiles) * p.mr;
  p.row_tiles = chunk_count(m, p.mc);
  p.nc = std::max(p.nr, kTileColumns / p.nr * p.nr);
  p.column_tiles = chunk_count(n, p.nc);
  const Index tiles = p.row_tiles * p.column_tiles;
  p.slices = tiles >= kEnoughTiles
                 ? 1
                 : chunk_count(p.k_blocks, std::max(kBlocksPerSlice,
                                                    chunk_count(p.k_blocks * tiles, kEnoughTiles)));
  return p;
}

}  // namespace

GemmPlan gemm_plan(Op ta, const Matrix& A, Op tb, const Matrix& B, Index m, Index n, Index k) {
  return make_plan({A.row(0), A.stride(), ta == Op::kT}, {B.row(0), B.stride(), tb == Op::kT}, m, n,
                   k);
}

namespace {

struct PackedB;
struct Slices;
struct Blocks;

}  // namespace

void gemm_run(GemmPlan& plan) {
  plan.packed_b = scratch<float, PackedB>(plan.k * plan.n_padded());
  const Index panels = plan.n_padded() / plan.nr;
  const Index panels_per_chunk = std::max<Index>(1, 64 * 1024 / (plan.kc * plan.nr));
  const Index chunks = chunk_count(panels, panels_per_chunk);
  parallel_for(plan.k_blocks * chunks, 1, [&](Index number, Index) {
    const Index first = number % chunks * panels_per_chunk;
    gemm_pack_b(plan, number / chunks, first, std::min(panels, first + panels_per_chunk));
  });
  parallel_for(plan.tiles(), 1, [&](Index tile, Index) { gemm_tile(plan, tile); });
}

namespace {

// C (m,n), rows plan.ldc floats apart, = or += the product.
void run_into(GemmPlan& plan, Cut cut, float* C, bool accumulate) {
  if (cut == Cut::kNever) plan.slices = 1;
  if (plan.slices == 1) {
    plan.out = C, plan.accumulate = accumulate;
    return gemm_run(plan);
  }
  plan.slice_stride = plan.m * plan.ldc;
  plan.out = scratch<float, Slices>(plan.slices * plan.slice_stride);
  plan.accumulate = false;
  gemm_run(plan);
  parallel_for(plan.m * plan.ldc, 16 * 1024,
               [&](Index begin, Index end) { gemm_add_slices(plan, C, accumulate, begin, end); });
}

// C = or += A^T B: a sum over rows of both, along the tree of their blocks.
void multiply_rows(const Matrix& A, const Matrix& B, Matrix& C, bool accumulate, Cut cut) {
  const Index rows = A.rows(), blocks = block_count(rows), block = block_rows();
  const Index room = TreeSum<float>::room(blocks, C.size());
  TreeSum<float> tree(scratch<float, Blocks>(room), C.size());
  for (Index b = 0; b < blocks; ++b) {
    const Index own = std::min(block, rows - b * block);
    GemmPlan plan = gemm_plan(Op::kT, A, Op::kN, B, C.rows(), C.cols(), own);
    plan.a = A.row(b * block), plan.b = B.row(b * block);
    plan.ldc = C.stride();
    run_into(plan, cut, tree.next(), false);
    tree.push_block(b);
  }
  const float* const sum = tree.total();
  float* const to = C.row(0);
  parallel_for(C.size(), 16 * 1024, [&](Index begin, Index end) {
    for (Index at = begin; at < end; ++at) to[at] = accumulate ? to[at] + sum[at] : sum[at];
  });
}

}  // namespace

void gemm(Op ta, const Matrix& A, Op tb, const Matrix& B, Matrix& C, bool accumulate, Cut cut) {
  const Index m = ta == Op::kN ? A.rows() : A.cols(), k = ta == Op::kN ? A.cols() : A.rows();
  const Index kb = tb == Op::kN ? B.rows() : B.cols(), n = tb == Op::kN ? B.cols() : B.rows();
  check(k == kb, "gemm: op(A) is ", m, "x", k, ", so op(B) must have ", k, " rows, got ", kb, "x",
        n);
  check(C.rows() == m && C.cols() == n, "gemm: op(A) is ", m, "x", k, " and op(B) is ", kb, "x", n,
        ", so C must be ", m, "x", n, ", got ", C.rows(), "x", C.cols());
  check(&C != &A && &C != &B, "gemm: C must be a matrix of its own");
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (!accumulate) C.fill(0.0f);
    return;
  }

  if (ta == Op::kT && tb == Op::kN && block_count(k) > 1)
    return multiply_rows(A, B, C, accumulate, cut);
  GemmPlan plan = gemm_plan(ta, A, tb, B, m, n, k);
  plan.ldc = C.stride();
  run_into(plan, cut, C.row(0), accumulate);
}

void gemm_block(GemmBlock a, GemmBlock b, Index m, Index n, Index k, float* c, Index ldc,
                bool accumulate) {
  GemmPlan plan = make_plan(a, b, m, n, k);
  plan.slices = 1;
  plan.packed_b = scratch<float, PackedB>(k * plan.n_padded());
  plan.out = c, plan.ldc = ldc, plan.accumulate = accumulate;
  const Index panels = plan.n_padded() / plan.nr;
  for (Index block = 0; block < plan.k_blocks; ++block) gemm_pack_b(plan, block, 0, panels);
  for (Index tile = 0; tile < plan.tiles(); ++tile) gemm_tile(plan, tile);
}

}  // namespace scrl::kernels
