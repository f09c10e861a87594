// Balanced assignment: elements of Q rescaled per second (n B per iteration).
#include "counters.h"
#include "inputs.h"
#include "kernels/sinkhorn.h"

namespace scrl::bench {
namespace {

void sinkhorn(benchmark::State& state) {
  const Matrix z = random_matrix(state.range(0), state.range(1), 1);
  Matrix Q(z.rows(), z.cols());
  constexpr int kIterations = 15;
  for (auto _ : state) kernels::sinkhorn(z, 0.3f, kIterations, {}, Q);
  count(state, "elements/s", static_cast<double>(z.rows() * z.cols()) * kIterations);
}

BENCHMARK(sinkhorn)
    ->ArgNames({"n", "B"})
    ->Args({kNodes, 18})
    ->Args({kNodes, 100})
    ->Args({1000000, 18})
    ->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
