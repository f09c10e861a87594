// All rows of the features against one block of dense rows, as the search for neighbours does.
#include "counters.h"
#include "inputs.h"
#include "kernels/block_dots.h"

namespace scrl::bench {
namespace {

void block_dots(benchmark::State& state) {
  const Csr X = random_csr(kNodes, kAttributes, kNonZeros, 1);
  const Matrix block = random_matrix(kAttributes, kernels::kDotBlock, 2);
  Matrix limits(1, kernels::kDotBlock), dots(1, kernels::kDotBlock);
  limits.fill(1e9f);
  for (auto _ : state) {
    for (Index i = 0; i < X.rows; ++i) {
      benchmark::DoNotOptimize(kernels::block_dots(X.row_cols(i), X.row_vals(i), block.data(), 1.0f,
                                                   limits.data(), dots.data()));
    }
  }
  count(state, "FLOP/s", 2.0 * static_cast<double>(X.nnz() * kernels::kDotBlock));
}

BENCHMARK(block_dots)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
