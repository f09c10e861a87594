// bench/kernels/counters.h: what a benchmark tells besides its time.
#pragma once
#include <benchmark/benchmark.h>

#include "tensor/matrix.h"

namespace scrl::bench {

// `amount` of something per second; an iteration does all of it.
inline void count(benchmark::State& state, const char* unit, double amount) {
  state.counters[unit] = benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
}

// Bytes of a kernel that goes through `arrays` matrices of the size of x.
inline void count_bytes(benchmark::State& state, const Matrix& x, int arrays) {
  count(state, "B/s", 4.0 * static_cast<double>(x.size()) * arrays);
}

// The time that passes, for kernels that use several threads.
inline void in_milliseconds(benchmark::internal::Benchmark* b) {
  b->UseRealTime()->Unit(benchmark::kMillisecond);
}

}  // namespace scrl::bench
