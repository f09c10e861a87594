// Three embeddings mixed row by row, and the adjoints.
#include "counters.h"
#include "inputs.h"
#include "kernels/rows.h"

namespace scrl::bench {
namespace {

void mix(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1), y = x, z = x;
  const Matrix weights = random_matrix(kNodes, 3, 2);
  const Matrix* const parts[] = {&x, &y, &z};
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::mix(weights, parts, out);
  count_bytes(state, x, 4);
}

void scale_rows(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1), weights = random_matrix(kNodes, 3, 2);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::scale_rows(weights, 1, x, out);
  count_bytes(state, x, 2);
}

void row_dots(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1), y = x;
  Matrix out(x.rows(), 3);
  for (auto _ : state) kernels::row_dots(x, y, out, 1);
  count_bytes(state, x, 2);
}

BENCHMARK(mix)->ArgName("h")->Arg(128)->Apply(in_milliseconds);
BENCHMARK(scale_rows)->ArgName("h")->Arg(128)->Apply(in_milliseconds);
BENCHMARK(row_dots)->ArgName("h")->Arg(128)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
