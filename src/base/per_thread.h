// base/per_thread.h: objects that each thread has one of.
//
// A thread_local object with a destructor would be registered with the C library, which ends the
// process when that takes memory and there is none. Here std::bad_alloc is thrown.
#pragma once
#include <memory>

namespace scrl {

namespace detail {
// Takes `object` for this thread: `destroy` is called when the thread ends. Throws std::bad_alloc,
// and then has not taken it.
void keep_for_thread(void* object, void (*destroy)(void*));
}  // namespace detail

// The T of this thread, made on first use. That of the main thread lives as long as the process.
template <class T>
T& per_thread() {
  thread_local T* mine = nullptr;
  if (!mine) {
    auto made = std::make_unique<T>();
    detail::keep_for_thread(made.get(), [](void* object) { delete static_cast<T*>(object); });
    mine = made.release();
  }
  return *mine;
}

}  // namespace scrl
