// plan/machine_ceilings.h: what this machine can do at best, measured now, with the threads in use.
//
// The yardstick of `scrl bench`: an op cannot take less time than its arithmetic at the peak rate,
// its operands at the speed of memory, or its gathered rows at the speed of the second-level cache.
#pragma once
#include "base/types.h"

namespace scrl {

struct MachineCeilings {
  double flops = 0;         // per second: independent multiply-adds in registers
  double memory_bytes = 0;  // per second: y += a x over `footprint` bytes, read + written
  double gather_bytes =
      0;  // per second: panel rows in random order out of half an L2 cache per thread
};

// Takes about a third of a second. `footprint`: bytes that the work to be judged goes through.
MachineCeilings measure_ceilings(Index footprint);

}  // namespace scrl
