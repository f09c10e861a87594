// The contrast of two views: small, and a large graph with wide embeddings.
#include "counters.h"
#include "inputs.h"
#include "kernels/info_nce.h"
#include "kernels/rows.h"

namespace scrl::bench {
namespace {

struct Views {
  Matrix U, V, dU, dV;
  std::vector<double> sums;
  Views(Index n, Index h) : U(n, h), V(n, h), dU(n, h), dV(n, h) {
    std::vector<float> norms;
    kernels::l2_normalize_rows(random_matrix(n, h, 1), U, norms);
    kernels::l2_normalize_rows(random_matrix(n, h, 2), V, norms);
    kernels::info_nce(U, V, 0.5f, sums);
  }
  // Of the products; exponentials come on top.
  double flops() const {
    const double rows = 2.0 * static_cast<double>(U.rows());
    return rows * rows * static_cast<double>(U.cols());
  }
};

void info_nce(benchmark::State& state) {
  Views q(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(kernels::info_nce(q.U, q.V, 0.5f, q.sums));
  count(state, "FLOP/s", q.flops());
}

void info_nce_backward(benchmark::State& state) {
  Views q(state.range(0), state.range(1));
  for (auto _ : state)
    kernels::info_nce_backward(q.U, q.V, 0.5f, q.sums, 1.0f, {&q.dU, &q.dV, false, false});
  count(state, "FLOP/s", 3.0 * q.flops());
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"n", "h"})->Args({2708, 128})->Args({kNodes, 256})->Apply(in_milliseconds);
}

BENCHMARK(contrast)->Apply(shapes);
BENCHMARK(info_nce_backward)->Apply(shapes);

}  // namespace
}  // namespace scrl::bench
