// base/memory.h: how much memory this process holds and the machine has, in bytes.
#pragma once
#include "base/types.h"

namespace scrl {

Index resident_memory();  // what this process holds now; 0: not known
Index peak_memory();      // the most this process has held so far (resident); 0: not known
// Makes peak_memory() count from now on; freed memory that the allocator keeps is given back first.
// False: this system cannot, and peak_memory() still tells of all that went before.
bool reset_peak_memory();
// What could be had without swapping, within the cgroup and ulimit -v; 0: not known.
Index available_memory();

}  // namespace scrl
