// Attention on a large graph: 8 heads of 8, as in the first layer, and one head of 9 classes.
#include "counters.h"
#include "inputs.h"
#include "kernels/attention.h"

namespace scrl::bench {
namespace {

struct Problem {
  Csr A = random_csr(kNodes, kNodes, kEdges, 2), At = transpose(A);
  std::vector<Index> from = transpose_positions(A, At);
  Matrix s, t, g, out, ds, dt, dg;
  std::vector<float> weights, slopes;
  Problem(Index heads, Index f)
      : s(random_matrix(kNodes, heads, 3)),
        t(random_matrix(kNodes, heads, 4)),
        g(random_matrix(kNodes, heads * f, 5)),
        out(g),
        ds(s),
        dt(t),
        dg(g),
        weights(static_cast<std::size_t>(kernels::attention_floats(A, heads))),
        slopes(weights.size()) {}
};

void attention(benchmark::State& state) {
  Problem q(state.range(0), state.range(1));
  const Rng rng(1, Purpose::kDropout);
  for (auto _ : state) kernels::attention(q.A, q.s, q.t, q.g, 0.6f, &rng, q.weights, q.out);
  count(state, "entries/s", static_cast<double>(q.A.nnz()));
}

void attention_backward(benchmark::State& state) {
  Problem q(state.range(0), state.range(1));
  const Rng rng(1, Purpose::kDropout);
  kernels::attention(q.A, q.s, q.t, q.g, 0.6f, &rng, q.weights, q.out);
  for (auto _ : state) {
    kernels::attention_backward(q.A, q.At, q.from, q.s, q.t, q.g, 0.6f, q.weights, q.out, q.slopes,
                                {&q.ds, &q.dt, &q.dg, false, false, false});
  }
  count(state, "entries/s", static_cast<double>(q.A.nnz()));
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"heads", "f"})->Args({8, 8})->Args({1, 9})->Args({8, 3})->Apply(in_milliseconds);
}

BENCHMARK(attention)->Apply(shapes);
BENCHMARK(attention_backward)->Apply(shapes);

}  // namespace
}  // namespace scrl::bench
