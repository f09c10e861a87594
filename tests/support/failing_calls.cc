// support/failing_calls.cc: linked into the program, makes one of its calls of the system fail.
//
//   SCRL_FAIL=write:7:ENOSPC    the 7th write fails with ENOSPC; write:7+:EIO, all from the 7th on
//   SCRL_FAIL=short:3           the 3rd write takes half of its bytes
//   SCRL_FAIL_COUNT=FILE        how many calls of each kind there were, one "kind count" per line
//
// Kinds: alloc (malloc and its relatives; under a sanitizer operator new, and no thread), map
// (mmap), write, short, fsync, close, rename, unlink, mkdir, openr, openw (for reading, for
// writing), read, thread. Failing calls of write, fsync and close are those of files, not of the
// terminal.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <new>

// Sanitizers need malloc and pthread_create for themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCRL_FAILS_NEW 1
#elif defined(__has_feature)
#define SCRL_FAILS_NEW __has_feature(address_sanitizer)
#else
#define SCRL_FAILS_NEW 0
#endif

namespace {

enum Kind {
  kAlloc,
  kMap,
  kWrite,
  kShort,
  kFsync,
  kClose,
  kRename,
  kUnlink,
  kMkdir,
  kOpenr,
  kOpenw,
  kRead,
  kThread,
  kKinds
};
constexpr const char* kNames[kKinds] = {"alloc", "map",    "write",  "short", "fsync",
                                        "close", "rename", "unlink", "mkdir", "openr",
                                        "openw", "read",   "thread"};
struct Errno {
  const char* name;
  int value;
};
constexpr Errno kErrnos[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT},
                             {"EINTR", EINTR},   {"EMFILE", EMFILE}, {"EACCES", EACCES},
                             {"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM}, {"EROFS", EROFS}};

std::atomic<long> counts[kKinds];
int chosen = -1, error = EIO;
long which = 0;
bool from_then_on = false, counting = false;

// Runs before the other initializers of the program, and allocates nothing.
__attribute__((constructor(101))) void read_wish() {
  counting = true;  // what the loader did before is not ours
  const char* wish = getenv("SCRL_FAIL");
  if (wish == nullptr) return;
  const char* number = strchr(wish, ':');
  if (number == nullptr) return;
  for (int k = 0; k < kKinds; ++k)
    if (strncmp(wish, kNames[k], static_cast<size_t>(number - wish)) == 0 &&
        strlen(kNames[k]) == static_cast<size_t>(number - wish))
      chosen = k;
  char* end;
  which = strtol(number + 1, &end, 10);
  from_then_on = *end == '+';
  const char* name = strchr(end, ':');
  for (const Errno& e : kErrnos)
    if (name != nullptr && strcmp(name + 1, e.name) == 0) error = e.value;
}

__attribute__((destructor)) void write_counts() {
  const char* path = getenv("SCRL_FAIL_COUNT");
  if (path == nullptr) return;
  chosen = -1;
  FILE* out = fopen(path, "w");
  if (out == nullptr) return;
  for (int k = 0; k < kKinds; ++k) fprintf(out, "%s %ld\n", kNames[k], counts[k].load());
  fclose(out);
}

bool fails(Kind kind) {
  if (!counting) return false;
  const long n = counts[kind].fetch_add(1) + 1;
  return kind == chosen && (from_then_on ? n >= which : n == which);
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int failed() {
  errno = error;
  return -1;
}

}  // namespace

#define NEXT(name) static const auto real = next(&name, #name)

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  NEXT(write);
  if (fd > 2 && fails(kWrite)) return failed();
  if (fd > 2 && size > 1 && fails(kShort)) return real(fd, bytes, size / 2);
  return real(fd, bytes, size);
}
ssize_t writev(int fd, const struct iovec* pieces, int count) {  // of std::ofstream
  NEXT(writev);
  return fd > 2 && fails(kWrite) ? failed() : real(fd, pieces, count);
}
int fsync(int fd) {
  NEXT(fsync);
  return fails(kFsync) ? failed() : real(fd);
}
int close(int fd) {
  NEXT(close);
  const int result = real(fd);
  return fd > 2 && fails(kClose) ? failed() : result;
}
int rename(const char* from, const char* to) noexcept {
  NEXT(rename);
  return fails(kRename) ? failed() : real(from, to);
}
int unlink(const char* path) noexcept {
  NEXT(unlink);
  return fails(kUnlink) ? failed() : real(path);
}
int mkdir(const char* path, mode_t mode) noexcept {
  NEXT(mkdir);
  return fails(kMkdir) ? failed() : real(path, mode);
}
int open(const char* path, int flags, ...) {
  NEXT(open);
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (fails((flags & O_ACCMODE) == O_RDONLY ? kOpenr : kOpenw)) return failed();
  return real(path, flags, mode);
}
FILE* fopen64(const char* path, const char* mode) {  // of std::fstream
  NEXT(fopen64);
  if (!fails(strchr(mode, 'r') != nullptr ? kOpenr : kOpenw)) return real(path, mode);
  failed();
  return nullptr;
}
ssize_t read(int fd, void* bytes, size_t size) {
  NEXT(read);
  return fd > 2 && fails(kRead) ? failed() : real(fd, bytes, size);
}
ssize_t pread64(int fd, void* bytes, size_t size, off64_t at) {
  NEXT(pread64);
  return fails(kRead) ? failed() : real(fd, bytes, size, at);
}
ssize_t pread(int fd, void* bytes, size_t size, off_t at) { return pread64(fd, bytes, size, at); }
void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  NEXT(mmap);
  if (!fails(kMap)) return real(at, size, protection, flags, fd, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}
#if !SCRL_FAILS_NEW
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}
void* malloc(size_t size) noexcept { return fails(kAlloc) ? no_memory() : __libc_malloc(size); }
void* calloc(size_t count, size_t size) noexcept {
  return fails(kAlloc) ? no_memory() : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) noexcept {
  return fails(kAlloc) ? no_memory() : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return fails(kAlloc) ? no_memory() : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  if (fails(kAlloc)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  NEXT(pthread_create);
  return fails(kThread) ? EAGAIN : real(thread, attributes, start, argument);
}
#endif

}  // extern "C"

#if SCRL_FAILS_NEW
void* operator new(size_t size) {
  void* out = fails(kAlloc) ? nullptr : malloc(size);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}
void* operator new(size_t size, std::align_val_t alignment) {
  void* out = nullptr;
  if (fails(kAlloc) || posix_memalign(&out, static_cast<size_t>(alignment), size) != 0)
    throw std::bad_alloc();
  return out;
}
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, size_t) noexcept { free(p); }
void operator delete(void* p, std::align_val_t) noexcept { free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { free(p); }
#endif
