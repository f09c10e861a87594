#include "base/per_thread.h"

#include <pthread.h>

#include <new>

namespace scrl::detail {
namespace {

// What one thread owns, the newest first.
struct Owned {
  void* object;
  void (*destroy)(void*);
  Owned* next;
};

void destroy_all(void* newest) {
  for (auto* owned = static_cast<Owned*>(newest); owned;) {
    owned->destroy(owned->object);
    const auto* const done = owned;
    owned = owned->next;
    delete done;
  }
}

pthread_key_t make_key() {
  pthread_key_t key;
  if (pthread_key_create(&key, destroy_all) != 0) throw std::bad_alloc();
  return key;
}

}  // namespace

void keep_for_thread(void* object, void (*destroy)(void*)) {
  static const pthread_key_t key = make_key();
  auto owned = std::make_unique<Owned>(
      Owned{object, destroy, static_cast<Owned*>(pthread_getspecific(key))});
  if (pthread_setspecific(key, owned.get()) != 0) throw std::bad_alloc();
  owned.release();
}

}  // namespace scrl::detail
