// One input against the inner nodes of a Huffman path (12) or a positive and five negatives (6).
#include "counters.h"
#include "inputs.h"
#include "kernels/kernels.h"

namespace scrl::bench {
namespace {

constexpr Index kSteps = 1000;

void skipgram_step(benchmark::State& state) {
  const Index count = state.range(0), dim = state.range(1), rows = 2000;
  Matrix in = random_matrix(100, dim, 1), table = random_matrix(rows, dim, 2);
  Rng rng(3);
  std::vector<std::uint32_t> targets;
  for (Index k = 0; k < kSteps * count; ++k) {
    targets.push_back(static_cast<std::uint32_t>(rng.below(2 * rows)));
  }
  for (auto _ : state) {
    for (Index step = 0; step < kSteps; ++step) {
      kernels::skipgram_step(in.row(step % 100), table.row(0), in.stride(),
                             {targets.data() + step * count, static_cast<std::size_t>(count)},
                             1e-6f, false);
    }
  }
  bench::count(state, "rows/s", static_cast<double>(kSteps * count));
  bench::count(state, "FLOP/s", 6.0 * static_cast<double>(kSteps * count * dim));
}

void skipgram_merge(benchmark::State& state) {
  Matrix base = random_matrix(kNodes, 128, 1);
  const Matrix copies = random_matrix(kNodes, 128, 2);
  for (auto _ : state) {
    for (Index i = 0; i + 8 <= kNodes; i += 8) {
      const float* rows[8];
      for (Index s = 0; s < 8; ++s) rows[s] = copies.row(i + s);
      kernels::skipgram_merge(base.row(i), rows, 0.125f, base.stride());
    }
  }
  count_bytes(state, copies, 1);
}

BENCHMARK(skipgram_step)->ArgNames({"k", "dim"})->Args({12, 128})->Args({6, 128})->Args({12, 64});
BENCHMARK(skipgram_merge)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
