// y = a x, and y += a x.
#include "counters.h"
#include "inputs.h"
#include "kernels/reduce.h"

namespace scrl::bench {
namespace {

void scale(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  const bool accumulate = state.range(1) != 0;
  Matrix y(x.rows(), x.cols());
  for (auto _ : state) kernels::scale(0.5f, x, y, accumulate);
  count_bytes(state, x, accumulate ? 3 : 2);
}

BENCHMARK(scale)
    ->ArgNames({"h", "accumulate"})
    ->Args({512, 0})
    ->Args({512, 1})
    ->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
