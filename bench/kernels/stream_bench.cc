// Kernels that pass once over memory: bytes read and written per second.
#include <benchmark/benchmark.h>

#include "inputs.h"
#include "kernels/kernels.h"

namespace scrl::bench {
namespace {

void count_bytes(benchmark::State& state, const Matrix& x, int arrays) {
  const double bytes = 4.0 * static_cast<double>(x.size()) * arrays;
  state.counters["B/s"] = benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
}

void bias_relu_dropout(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1), bias = random_matrix(1, x.cols(), 2);
  Matrix out(x.rows(), x.cols());
  const Rng rng(1, Purpose::kDropout);
  for (auto _ : state) kernels::bias_relu_dropout(x, &bias, 0.5f, &rng, out);
  count_bytes(state, x, 2);
}

void bias_relu_dropout_backward(benchmark::State& state) {
  const Matrix out = random_matrix(kNodes, state.range(0), 1),
               dout = random_matrix(kNodes, out.cols(), 2);
  Matrix dx(out.rows(), out.cols());
  for (auto _ : state) kernels::bias_relu_dropout_backward(out, dout, 2.0f, dx);
  count_bytes(state, out, 3);
}

void dropout_values(benchmark::State& state) {
  const Matrix x = random_matrix(1, kNonZeros, 1);
  Matrix out(1, kNonZeros);
  const Rng rng(1, Purpose::kDropout);
  for (auto _ : state) kernels::dropout(x.row_span(0), 0.5f, rng, out.row_span(0));
  count_bytes(state, x, 2);
}

void adam(benchmark::State& state) {
  const Matrix grad = random_matrix(kAttributes, state.range(0), 1);
  Matrix w = grad, m(grad.rows(), grad.cols()), v = m;
  const kernels::AdamStep step = {1e-3, 0.9, 0.999, 1e-8, 5e-4, 0.1, 0.001};
  for (auto _ : state) kernels::adam(step, grad, w, m, v);
  count_bytes(state, grad, 7);
}

void log_softmax(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::log_softmax(x, 3.0f, out);
  count_bytes(state, x, 2);
}

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

BENCHMARK(bias_relu_dropout)->Arg(512)->Arg(128)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(bias_relu_dropout_backward)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(dropout_values)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(adam)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(log_softmax)->Arg(9)->Arg(18)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(column_sums)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(dot)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace scrl::bench
