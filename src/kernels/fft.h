// kernels/fft.h: the discrete Fourier transform.
#pragma once
#include <vector>

#include "base/types.h"

namespace scrl::kernels {

// The discrete Fourier transform, out_k = sum_t in_t exp(-2 pi i k t / size), in place, of kLane
// sequences that lie side by side: number t of sequence s is at re[t * kLane + s]. The inverse,
// times size, is the same with re and im exchanged. Runs in the calling thread.
// REQUIRES: re and im are 64-byte aligned and hold size * kLane floats.
struct FftPlan {
  Index size = 0;
  std::vector<int> radix;      // of each step
  std::vector<float> factors;  // step by step, as fft.cc reads them
};
FftPlan fft_plan(Index size);    // size is a product of twos and threes
Index fft_size(Index at_least);  // the smallest such product
void fft(const FftPlan& plan, float* re, float* im);

}  // namespace scrl::kernels
