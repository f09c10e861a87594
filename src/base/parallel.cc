#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"

namespace scrl {
namespace {

// One parallel_for call. Workers take chunk numbers from `next` until none is left.
struct Job {
  const FunctionRef<void(Index, Index)>* body;
  Index n, grain, chunks;
  std::atomic<int> helpers;  // workers that may still join
  std::atomic<Index> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;  // written once, by whoever flips `failed`

  void work() {
    for (Index chunk; (chunk = next.fetch_add(1, std::memory_order_relaxed)) < chunks;) {
      if (failed.load(std::memory_order_relaxed)) return;
      const Index begin = chunk * grain;
      try {
        (*body)(begin, std::min(n, begin + grain));
      } catch (...) {
        if (!failed.exchange(true)) error = std::current_exception();
      }
    }
  }
};

thread_local bool inside_body = false;
thread_local int own_count = 0;  // of the innermost ThreadScope; 0: none

class Pool {
 public:
  explicit Pool(int workers) : asked_(workers) {
    // The system may allow fewer threads than asked for; results do not depend on their number.
    try {
      for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
    }
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      ++generation_;
    }
    wake_.notify_all();
    for (auto& t : threads_) t.join();
  }
  int workers() const { return static_cast<int>(threads_.size()); }
  int asked() const { return asked_; }

  void run(Job& job) {
    {
      std::lock_guard lock(mutex_);
      job_ = &job;
      busy_ = workers();
      ++generation_;
      generation_hint_.store(generation_, std::memory_order_release);
    }
    wake_.notify_all();
    job.work();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
    job_ = nullptr;
  }

 private:
  void serve() {
    inside_body = true;
    std::uint64_t seen = 0;
    for (;;) {
      // Kernels follow each other within microseconds: look a while before going to sleep.
      for (int spin = 0; spin < 2000; ++spin) {
        if (generation_hint_.load(std::memory_order_acquire) != seen) break;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
      }
      Job* job;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return generation_ != seen; });
        seen = generation_;
        if (stopping_) return;
        job = job_;
      }
      if (job->helpers.fetch_sub(1, std::memory_order_relaxed) > 0) job->work();
      std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  const int asked_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::uint64_t generation_ = 0;
  std::atomic<std::uint64_t> generation_hint_{0};
  int busy_ = 0;
  bool stopping_ = false;
  Job* job_ = nullptr;
  std::vector<std::thread> threads_;
};

std::atomic<int> requested{0};  // 0: one per core
// Made on first use, so that a program that only links us has no threads, and made larger when a
// call asks for more.
Pool* pool = nullptr;
std::mutex pool_in_use;  // one parallel_for of the process at a time has the pool

// A forked child inherits the memory of the pool but none of its threads. Forget the pool (its
// mutexes may be held by threads that no longer exist) and let the next call make a new one.
void forget_pool_in_child() {
  pool = nullptr;
  inside_body = false;
  new (&pool_in_use) std::mutex;
}

// Asked once: every parallel_for wants to know.
int count_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

int cores() {
  static const int count = count_cores();
  return count;
}

}  // namespace

namespace {

void check_count(int count) {
  check(count >= 0 && count <= 1024, "threads: expected 0 (one per core) to 1024, got ", count);
}

}  // namespace

void set_threads(int count) {
  check_count(count);
  std::lock_guard lock(pool_in_use);
  if (count == requested) return;
  requested = count;
  delete pool;
  pool = nullptr;
}

ThreadScope::ThreadScope(int count) : before_(own_count) {
  check_count(count);
  if (count > 0) own_count = count;
}
ThreadScope::~ThreadScope() { own_count = before_; }

int threads() {
  if (own_count > 0) return own_count;
  const int count = requested.load(std::memory_order_relaxed);
  return count > 0 ? count : cores();
}

void parallel_for(Index n, Index grain, FunctionRef<void(Index, Index)> body) {
  if (n <= 0) return;
  check(grain > 0, "parallel_for: grain must be above 0, got ", grain);
  const int helpers = threads() - 1;
  Job job{
      .body = &body, .n = n, .grain = grain, .chunks = chunk_count(n, grain), .helpers = helpers};
  // A second user thread that arrives while the pool is busy does its own work.
  std::unique_lock lock(pool_in_use, std::defer_lock);
  if (inside_body || job.chunks == 1 || helpers == 0 || !lock.try_lock()) {
    const bool outer = std::exchange(inside_body, true);
    job.work();
    inside_body = outer;
  } else {
    static const int registered = pthread_atfork(nullptr, nullptr, forget_pool_in_child);
    check(registered == 0, "pthread_atfork failed");
    if (!pool || pool->asked() < helpers) {
      delete pool;
      pool = nullptr;
      pool = new Pool(helpers);
    }
    inside_body = true;
    pool->run(job);
    inside_body = false;
  }
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace scrl
