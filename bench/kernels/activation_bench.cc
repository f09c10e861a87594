// Bias, ReLU and dropout in one pass, with x (and its gradient) in rows or in panels.
#include "counters.h"
#include "inputs.h"
#include "kernels/layers.h"

namespace scrl::bench {
namespace {

constexpr Layout kLayouts[] = {Layout::kRows, Layout::kPanels};

void bias_relu_dropout(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1, kLayouts[state.range(1)]);
  const Matrix bias = random_matrix(1, x.cols(), 2);
  Matrix out(x.rows(), x.cols());
  const Rng rng(1, Purpose::kDropout);
  for (auto _ : state) kernels::bias_relu_dropout(x, &bias, 0.5f, &rng, out);
  count_bytes(state, x, 2);
}

void bias_relu_dropout_backward(benchmark::State& state) {
  const Matrix out = random_matrix(kNodes, state.range(0), 1),
               dout = random_matrix(kNodes, out.cols(), 2);
  Matrix dx(out.rows(), out.cols(), kLayouts[state.range(1)]);
  for (auto _ : state) kernels::bias_relu_dropout_backward(out, dout, 2.0f, dx);
  count_bytes(state, out, 3);
}

void add_bias(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1), bias = random_matrix(1, x.cols(), 2);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::add_bias(x, bias, out);
  count_bytes(state, x, 2);
}

void widths_and_layouts(benchmark::internal::Benchmark* b) {
  b->ArgNames({"h", "panels"})->ArgsProduct({{128, 512}, {0, 1}});
}

BENCHMARK(bias_relu_dropout)->Apply(widths_and_layouts)->Apply(in_milliseconds);
BENCHMARK(bias_relu_dropout_backward)->Apply(widths_and_layouts)->Apply(in_milliseconds);
BENCHMARK(add_bias)->ArgName("h")->Arg(128)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
