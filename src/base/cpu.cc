#include "base/cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include <cstring>
#endif

namespace scrl {

std::string cpu_name() {
  std::string name;
#if defined(__x86_64__)
  constexpr unsigned kFirst = 0x80000002, kLast = 0x80000004;  // 16 letters each
  for (unsigned leaf = kFirst; leaf <= kLast; ++leaf) {
    unsigned part[4] = {};
    if (!__get_cpuid(leaf, &part[0], &part[1], &part[2], &part[3])) return {};
    char letters[sizeof part + 1] = {};
    std::memcpy(letters, part, sizeof part);
    name += letters;
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  name.erase(0, name.find_first_not_of(' '));
#endif
  return name;
}

}  // namespace scrl
