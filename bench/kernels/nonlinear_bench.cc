// Curves over a hidden layer, and their adjoints.
#include "counters.h"
#include "inputs.h"
#include "kernels/nonlinear.h"

namespace scrl::bench {
namespace {

using Curve = void (*)(const Matrix&, Matrix&);
using CurveBackward = void (*)(const Matrix&, const Matrix&, Matrix&, bool);

void curve(benchmark::State& state, Curve kernel) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernel(x, out);
  count_bytes(state, x, 2);
}

void curve_backward(benchmark::State& state, CurveBackward kernel) {
  const Matrix out = random_matrix(kNodes, state.range(0), 1);
  Matrix dx(out.rows(), out.cols());
  for (auto _ : state) kernel(out, out, dx, false);
  count_bytes(state, out, 3);
}

void prelu(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::prelu(x, 0.25f, out);
  count_bytes(state, x, 2);
}

void prelu_backward(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix dx(x.rows(), x.cols());
  for (auto _ : state) {
    kernels::prelu_backward(x, x, 0.25f, dx);
    benchmark::DoNotOptimize(kernels::prelu_slope_gradient(x, x));
  }
  count_bytes(state, x, 5);
}

void widths(benchmark::internal::Benchmark* b) {
  b->ArgName("h")->Arg(16)->Arg(512)->Apply(in_milliseconds);
}

BENCHMARK_CAPTURE(curve, elu, kernels::elu)->Apply(widths);
BENCHMARK_CAPTURE(curve, tanh, kernels::tanh)->Apply(widths);
BENCHMARK_CAPTURE(curve, sigmoid, kernels::sigmoid)->Apply(widths);
BENCHMARK_CAPTURE(curve_backward, elu, kernels::elu_backward)->Apply(widths);
BENCHMARK_CAPTURE(curve_backward, tanh, kernels::tanh_backward)->Apply(widths);
BENCHMARK_CAPTURE(curve_backward, sigmoid, kernels::sigmoid_backward)->Apply(widths);
BENCHMARK(prelu)->Apply(widths);
BENCHMARK(prelu_backward)->Apply(widths);

}  // namespace
}  // namespace scrl::bench
