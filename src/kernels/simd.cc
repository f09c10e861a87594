#include "kernels/simd.h"

#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
std::int64_t own_target() { return HWY_TARGET; }
}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(own_target);
namespace {

std::string level_name(std::int64_t target) {
  switch (target) {
    case HWY_AVX3:
      return "avx512";
    case HWY_EMU128:
      return "scalar";
    default:
      break;
  }
  std::string name = hwy::TargetName(target);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

// One bit per level; Highway gives better levels lower bits.
std::int64_t available_targets() {
  return (hwy::SupportedTargets() & HWY_TARGETS) | HWY_STATIC_TARGET;
}

std::int64_t lowest_bit(std::int64_t bits) { return bits & -bits; }

void use_level(std::string_view level, std::string_view origin) {
  std::string valid;
  for (std::int64_t left = available_targets(); left != 0; left &= left - 1) {
    const std::string name = level_name(lowest_bit(left));
    if (name == level) {
      hwy::GetChosenTarget().Update(lowest_bit(left));
      return;
    }
    valid = valid.empty() ? name : cat(name, ", ", valid);
  }
  fail(ErrorKind::kUsage, origin, ": expected a level this CPU has (", valid, "), got \"", level,
       "\"");
}

}  // namespace

bool apply_simd_environment() {
  const char* forced = std::getenv("SCRL_SIMD");
  if (forced != nullptr && *forced != '\0') {
    use_level(forced, "SCRL_SIMD");
  } else {
    hwy::GetChosenTarget().Update(available_targets());
  }
  return true;
}

std::string simd_level() { return level_name(SCRL_DISPATCH(own_target)()); }

std::vector<std::string> simd_levels() {
  std::vector<std::string> levels;
  for (std::int64_t left = available_targets(); left != 0; left &= left - 1) {
    levels.insert(levels.begin(), level_name(lowest_bit(left)));
  }
  return levels;
}

void set_simd_level(std::string_view level) {
  require_simd();
  use_level(level, "simd level");
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
