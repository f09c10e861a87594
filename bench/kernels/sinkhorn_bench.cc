// Balanced assignment: exponentials per second (n B per iteration, and one pass more).
#include <benchmark/benchmark.h>

#include "inputs.h"
#include "kernels/kernels.h"

namespace scrl::bench {
namespace {

void sinkhorn(benchmark::State& state) {
  const Matrix z = random_matrix(state.range(0), state.range(1), 1);
  Matrix Q(z.rows(), z.cols());
  constexpr int kIterations = 15;
  for (auto _ : state) kernels::sinkhorn(z, 0.3f, kIterations, {}, Q);
  const double elements = static_cast<double>(z.rows() * z.cols());
  state.counters["exp/s"] = benchmark::Counter(elements * (kIterations + 1),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(sinkhorn)
    ->Args({kNodes, 18})
    ->Args({kNodes, 100})
    ->Args({1000000, 18})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace scrl::bench
