// Sparse products of training: graph times hidden layer, features times weights, and its transpose;
// X and out in rows or in panels, X gathered in float32 or in bf16.
#include "counters.h"
#include "inputs.h"
#include "kernels/products.h"

namespace scrl::bench {
namespace {

void run(benchmark::State& state, const Csr& A) {
  const Index h = state.range(0);
  const Layout layout = state.range(1) ? Layout::kPanels : Layout::kRows;
  const Precision precision = state.range(2) ? Precision::kBf16 : Precision::kFloat32;
  const Matrix X = random_matrix(A.cols, h, 1, layout);
  Matrix out(A.rows, h, layout);
  for (auto _ : state) kernels::spmm(A, X, out, false, precision);
  const double products = static_cast<double>(A.nnz()) * static_cast<double>(h);
  count(state, "FLOP/s", 2.0 * products);
  count(state, "gathered_B/s", (state.range(2) ? 2.0 : 4.0) * products);
}

void spmm_graph(benchmark::State& state) { run(state, random_csr(kNodes, kNodes, kEdges, 2)); }
void spmm_features(benchmark::State& state) {
  run(state, random_csr(kNodes, kAttributes, kNonZeros, 3));
}
void spmm_features_transposed(benchmark::State& state) {
  run(state, transpose(random_csr(kNodes, kAttributes, kNonZeros, 3)));
}

void wide(benchmark::internal::Benchmark* b) {
  b->ArgNames({"h", "panels", "bf16"})
      ->Args({512, 0, 0})
      ->Args({512, 1, 0})
      ->Args({512, 1, 1})
      ->Apply(in_milliseconds);
}

BENCHMARK(spmm_graph)
    ->Args({16, 0, 0})
    ->Args({128, 0, 0})
    ->Args({128, 1, 0})
    ->Args({128, 1, 1})
    ->Apply(wide);
BENCHMARK(spmm_features)->Apply(wide);
BENCHMARK(spmm_features_transposed)->Apply(wide);

}  // namespace
}  // namespace scrl::bench
