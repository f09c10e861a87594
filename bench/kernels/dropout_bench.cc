// Dropout of a layer, and of the stored values of a sparse matrix.
#include "counters.h"
#include "inputs.h"
#include "kernels/layers.h"

namespace scrl::bench {
namespace {

void dropout_layer(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols());
  const Rng rng(1, Purpose::kDropout);
  for (auto _ : state) kernels::dropout(x, 0.5f, rng, out);
  count_bytes(state, x, 2);
}

void dropout_values(benchmark::State& state) {
  const Matrix x = random_matrix(1, kNonZeros, 1);
  Matrix out(1, kNonZeros);
  const Rng rng(1, Purpose::kDropout);
  for (auto _ : state) kernels::dropout(x.row_span(0), 0.5f, rng, out.row_span(0));
  count_bytes(state, x, 2);
}

BENCHMARK(dropout_layer)->ArgName("h")->Arg(128)->Apply(in_milliseconds);
BENCHMARK(dropout_values)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
