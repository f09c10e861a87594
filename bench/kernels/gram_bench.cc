// A^T B over many rows in double precision, beside the same product in float.
#include "counters.h"
#include "inputs.h"
#include "kernels/products.h"

namespace scrl::bench {
namespace {

double flops(const Matrix& x) {
  return 2.0 * static_cast<double>(x.rows()) * static_cast<double>(x.cols() * x.cols());
}

void gram(benchmark::State& state) {
  const Matrix x = random_matrix(state.range(0), state.range(1), 1);
  std::vector<double> out(static_cast<std::size_t>(x.cols() * x.cols()));
  for (auto _ : state) kernels::gram(x, x, out);
  count(state, "flop/s", flops(x));
}

void gram_in_float(benchmark::State& state) {
  const Matrix x = random_matrix(state.range(0), state.range(1), 1);
  Matrix out(x.cols(), x.cols());
  for (auto _ : state) kernels::gemm(kernels::Op::kT, x, kernels::Op::kN, x, out);
  count(state, "flop/s", flops(x));
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"n", "h"})->ArgsProduct({{3000, 20000}, {128, 256}})->Apply(in_milliseconds);
}

BENCHMARK(gram)->Apply(shapes);
BENCHMARK(gram_in_float)->Apply(shapes);

}  // namespace
}  // namespace scrl::bench
