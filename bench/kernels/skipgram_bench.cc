// One input against the rows of a few Huffman paths (40), of one (12), or a positive and five
// negatives (6).
#include "counters.h"
#include "inputs.h"
#include "kernels/skipgram.h"

namespace scrl::bench {
namespace {

constexpr Index kSteps = 200;

void skipgram_step(benchmark::State& state) {
  const Index count = state.range(0), dim = state.range(1), rows = 2000;
  Matrix in = random_matrix(100, dim, 1), table = random_matrix(rows, dim, 2);
  Rng rng(3);
  std::vector<kernels::StepTargets> targets(kSteps);
  for (kernels::StepTargets& step : targets) {
    for (; step.count < count; ++step.count) {
      step.row[step.count] = static_cast<std::uint32_t>(rng.below(rows));
      step.positive[step.count] = static_cast<float>(rng.below(2));
      step.total[step.count] = 1.0f;
    }
  }
  for (auto _ : state) {
    for (Index k = 0; k < kSteps; ++k) {
      kernels::skipgram_step(in.row(k % 100), table.row(0), in.stride(), targets[k], 1e-6f, false);
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

BENCHMARK(skipgram_step)
    ->ArgNames({"k", "dim"})
    ->Args({40, 128})
    ->Args({12, 128})
    ->Args({6, 128})
    ->Args({12, 64});
BENCHMARK(skipgram_merge)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
