// Forces along the edges of a neighbour graph of 20,000 points.
#include "counters.h"
#include "inputs.h"
#include "kernels/attraction.h"

namespace scrl::bench {
namespace {

void attraction(benchmark::State& state) {
  const Index n = 20000;
  const Csr P = random_csr(n, n, n * state.range(0), 1);
  std::vector<float> x(static_cast<std::size_t>(n)), y(x.size()), fx(x.size()), fy(x.size());
  const Rng rng(2);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 100 * rng.uniform_at(2 * i), y[i] = 100 * rng.uniform_at(2 * i + 1);
  for (auto _ : state) kernels::attraction(P, x, y, fx, fy);
  count(state, "edges/s", static_cast<double>(P.nnz()));
}

BENCHMARK(attraction)->ArgName("edges per point")->Arg(30)->Arg(120)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
