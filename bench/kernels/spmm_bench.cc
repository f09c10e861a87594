// Sparse products of training: graph times hidden layer, features times weights, and its transpose.
#include <benchmark/benchmark.h>

#include "inputs.h"
#include "kernels/kernels.h"

namespace scrl::bench {
namespace {

void run(benchmark::State& state, const Csr& A) {
  const Index h = state.range(0);
  const Matrix X = random_matrix(A.cols, h, 1);
  Matrix out(A.rows, h);
  for (auto _ : state) kernels::spmm(A, X, out);
  const double products = static_cast<double>(A.nnz()) * static_cast<double>(h);
  constexpr auto kRate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["FLOP/s"] = benchmark::Counter(2.0 * products, kRate);
  state.counters["gathered_B/s"] = benchmark::Counter(4.0 * products, kRate);
}

void spmm_graph(benchmark::State& state) { run(state, random_csr(kNodes, kNodes, kEdges, 2)); }
void spmm_features(benchmark::State& state) {
  run(state, random_csr(kNodes, kAttributes, kNonZeros, 3));
}
void spmm_features_transposed(benchmark::State& state) {
  run(state, transpose(random_csr(kNodes, kAttributes, kNonZeros, 3)));
}
BENCHMARK(spmm_graph)->Arg(16)->Arg(128)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(spmm_features)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(spmm_features_transposed)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace scrl::bench
