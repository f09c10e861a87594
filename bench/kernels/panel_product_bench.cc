// The products of a logistic regression on a thousand rows: features times a panel of directions,
// and back.
#include "counters.h"
#include "inputs.h"
#include "kernels/panel_product.h"

namespace scrl::bench {
namespace {

void panel_product(benchmark::State& state) {
  constexpr Index rows = 1140, columns = 257, n = kernels::kDoublePanel;
  const std::vector<double> features(rows * columns, 0.5);
  std::vector<double> directions(columns * n, 0.25), margins(rows * n);
  for (auto _ : state) {
    kernels::panel_product(features.data(), columns, 1, rows, columns, directions.data(),
                           margins.data());
    kernels::panel_product(features.data(), 1, columns, columns, rows, margins.data(),
                           directions.data());
    std::fill(directions.begin(), directions.end(), 0.25);  // or they overflow
  }
  count(state, "FLOP/s", 4.0 * rows * columns * n);
}

BENCHMARK(panel_product)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
