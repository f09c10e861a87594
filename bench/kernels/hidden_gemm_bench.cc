// The hidden layer of training and its product with the next weights. FLOP/s count the product as
// if the layer had no zeros, to be held against gemm_bench.cc.
#include "counters.h"
#include "inputs.h"
#include "kernels/layers.h"

namespace scrl::bench {
namespace {

struct Layer {
  Matrix x, bias, W, out;
  std::vector<std::uint64_t> bits;
  // Arguments: columns of the layer, columns of the product, whether x and out are in panels.
  explicit Layer(const benchmark::State& state) {
    const Layout layout = state.range(2) ? Layout::kPanels : Layout::kRows;
    x = random_matrix(kNodes, state.range(0), 1, layout);
    bias = random_matrix(1, state.range(0), 2);
    W = random_matrix(state.range(0), state.range(1), 3);
    out = Matrix(kNodes, state.range(1), layout);
    bits.resize(static_cast<std::size_t>(kNodes * kernels::hidden_words(x.cols())));
  }
  void forward() {
    const Rng rng(1, Purpose::kDropout);
    kernels::hidden_gemm(x, bias, 0.5f, &rng, W, bits.data(), out);
  }
  double flops() const { return 2.0 * static_cast<double>(x.rows() * W.rows() * W.cols()); }
};

void hidden_gemm(benchmark::State& state) {
  Layer layer(state);
  for (auto _ : state) layer.forward();
  count(state, "FLOP/s", layer.flops());
}

void hidden_gemm_backward(benchmark::State& state) {
  Layer layer(state);
  layer.forward();
  const Matrix dout = random_matrix(kNodes, layer.W.cols(), 4, layer.out.layout());
  Matrix dx = layer.x, dbias = layer.bias, dW = layer.W;
  for (auto _ : state) {
    kernels::hidden_gemm_backward(layer.x, layer.bias, layer.bits.data(), 2.0f, layer.W, dout,
                                  {dx, dbias, dW, false, false});
  }
  count(state, "FLOP/s", 2.0 * layer.flops());
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"h", "n2", "panels"})->Args({512, 128, 0})->Args({512, 128, 1})->Args({128, 18, 0});
}

BENCHMARK(hidden_gemm)->Apply(shapes)->Apply(in_milliseconds);
BENCHMARK(hidden_gemm_backward)->Apply(shapes)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
