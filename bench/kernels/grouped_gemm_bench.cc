// A matrix per degree: 500 groups, half of the rows in a few of them, many with one row.
#include <cmath>

#include "counters.h"
#include "inputs.h"
#include "kernels/grouped_gemm.h"
#include "kernels/products.h"

namespace scrl::bench {
namespace {

constexpr Index kGroups = 500, kHidden = 64;

kernels::RowGroups groups() {
  Rng rng(1);
  std::vector<std::int32_t> of(static_cast<std::size_t>(kNodes));
  for (std::int32_t& g : of)
    g = static_cast<std::int32_t>(std::pow(rng.uniform(), 4.0) * static_cast<double>(kGroups));
  return kernels::row_groups(of, kGroups);
}

void count_flops(benchmark::State& state) {
  count(state, "FLOP/s", 2.0 * static_cast<double>(kNodes * kHidden * state.range(0)));
}

void grouped_gemm(benchmark::State& state) {
  const kernels::RowGroups g = groups();
  const Matrix x = random_matrix(kNodes, kHidden, 2);
  const Matrix W = random_matrix(kGroups * kHidden, state.range(0), 3);
  Matrix out(kNodes, state.range(0));
  for (auto _ : state) kernels::grouped_gemm(g, x, kernels::Op::kN, W, out);
  count_flops(state);
}

void grouped_gemm_gradient(benchmark::State& state) {
  const kernels::RowGroups g = groups();
  const Matrix x = random_matrix(kNodes, kHidden, 2);
  const Matrix dout = random_matrix(kNodes, state.range(0), 3);
  Matrix dW(kGroups * kHidden, state.range(0));
  for (auto _ : state) kernels::grouped_gemm_gradient(g, x, dout, dW);
  count_flops(state);
}

BENCHMARK(grouped_gemm)->ArgName("m")->Arg(64)->Arg(9)->Apply(in_milliseconds);
BENCHMARK(grouped_gemm_gradient)->ArgName("m")->Arg(64)->Arg(9)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
