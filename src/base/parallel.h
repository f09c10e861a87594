// base/parallel.h: the only part of the program that knows about threads.
//
// Work is cut into chunks whose boundaries depend on the problem alone, never on the number of
// threads; threads only decide who runs a chunk. A body that writes what belongs to its chunk, or
// stores one partial result per chunk to be combined in chunk order, therefore gives the same bits
// for any thread count.
#pragma once
#include "base/function_ref.h"
#include "base/types.h"

namespace scrl {

// Threads used from now on by calls that do not say otherwise; 0 means one per available core. Not
// to be called inside a body.
void set_threads(int count);
int threads();  // of the calling thread

// Threads used by calls of this thread while it lives; 0: as set_threads() says, or an outer scope.
class ThreadScope {
 public:
  explicit ThreadScope(int count);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

// Calls body(begin, end) for [0, grain), [grain, 2*grain), ... up to n, possibly at the same time.
// The first exception thrown by a body is rethrown here after all running chunks have ended.
// Nested calls run in the calling thread. Safe in a forked child, which gets threads of its own.
// REQUIRES: a body does not fork.
void parallel_for(Index n, Index grain, FunctionRef<void(Index, Index)> body);

// Number of chunks parallel_for(n, grain, ...) makes; chunk number = begin / grain.
constexpr Index chunk_count(Index n, Index grain) { return (n + grain - 1) / grain; }

}  // namespace scrl
