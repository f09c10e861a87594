// Sums over a layer.
#include "counters.h"
#include "inputs.h"
#include "kernels/reduce.h"

namespace scrl::bench {
namespace {

void column_sums(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(1, x.cols());
  for (auto _ : state) kernels::column_sums(x, out);
  count_bytes(state, x, 1);
}

void dot(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  for (auto _ : state) benchmark::DoNotOptimize(kernels::dot(x, x));
  count_bytes(state, x, 1);
}

void all_finite(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  for (auto _ : state) benchmark::DoNotOptimize(kernels::all_finite(x));
  count_bytes(state, x, 1);
}

BENCHMARK(column_sums)->ArgName("h")->Arg(512)->Apply(in_milliseconds);
BENCHMARK(dot)->ArgName("h")->Arg(512)->Apply(in_milliseconds);
BENCHMARK(all_finite)->ArgName("h")->Arg(512)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
