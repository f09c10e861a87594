#include "base/memory.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace scrl {
namespace {

// "KEY:   123 kB" in a file of /proc.
Index kilobytes(const char* path, const std::string& key) {
  std::ifstream in(path);
  std::string word;
  while (in >> word) {
    Index value = 0;
    if (word == key && in >> value) return value * 1024;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

// A cgroup's file: a number, or "max". A process outside any cgroup has no such file.
Index cgroup_bytes(const char* name) {
  std::ifstream in(std::string("/sys/fs/cgroup/") + name);
  Index value = 0;
  return in >> value ? value : std::numeric_limits<Index>::max();
}

// What `ulimit -v` leaves. A large buffer takes address space before it takes memory.
Index left_of_address_space() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<Index>::max();
  const Index used = kilobytes("/proc/self/status", "VmSize:");
  return std::max<Index>(1, static_cast<Index>(limit.rlim_cur) - used);
}

}  // namespace

Index resident_memory() { return kilobytes("/proc/self/status", "VmRSS:"); }

Index peak_memory() { return kilobytes("/proc/self/status", "VmHWM:"); }

bool reset_peak_memory() {
  malloc_trim(0);
  std::ofstream out("/proc/self/clear_refs");
  return static_cast<bool>(out << '5' << std::flush);
}

Index available_memory() {
  const Index machine =
      std::min(kilobytes("/proc/meminfo", "MemAvailable:"), left_of_address_space());
  const Index limit = cgroup_bytes("memory.max"), used = cgroup_bytes("memory.current");
  if (limit == std::numeric_limits<Index>::max() || used > limit) return machine;
  return std::min(machine, limit - used);
}

}  // namespace scrl
