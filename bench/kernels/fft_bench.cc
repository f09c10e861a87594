// Fourier transforms of kLane sequences at a time; flop counted as 5 n log2 n per sequence.
#include <cmath>

#include "counters.h"
#include "inputs.h"
#include "kernels/fft.h"

namespace scrl::bench {
namespace {

void fft(benchmark::State& state) {
  const Index size = state.range(0);
  const kernels::FftPlan plan = kernels::fft_plan(size);
  Matrix re = random_matrix(size, kLane, 1), im = random_matrix(size, kLane, 2);
  const Matrix first_re = re, first_im = im;
  for (auto _ : state) {
    std::copy_n(first_re.data(), re.size(), re.data());  // or the numbers grow out of range
    std::copy_n(first_im.data(), im.size(), im.data());
    kernels::fft(plan, re.data(), im.data());
  }
  const auto n = static_cast<double>(size);
  count(state, "flop/s", 5 * n * std::log2(n) * kLane);
}

BENCHMARK(fft)->ArgName("n")->Arg(192)->Arg(768)->Arg(1024)->Arg(1152)->Arg(2048);

}  // namespace
}  // namespace scrl::bench
