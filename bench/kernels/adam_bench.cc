// One step of Adam on the weights of the first layer: four arrays read, three written.
#include "counters.h"
#include "inputs.h"
#include "kernels/adam.h"

namespace scrl::bench {
namespace {

void adam(benchmark::State& state) {
  const Matrix grad = random_matrix(kAttributes, state.range(0), 1);
  Matrix w = grad, m(grad.rows(), grad.cols()), v = m;
  const kernels::AdamStep step = {1e-3, 0.9, 0.999, 1e-8, 5e-4, 0.1, 0.001};
  for (auto _ : state) kernels::adam(step, grad, w, m, v);
  count_bytes(state, grad, 7);
}

BENCHMARK(adam)->ArgName("h")->Arg(512)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
