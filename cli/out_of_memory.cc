#include "out_of_memory.h"

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "scrl/error.h"

namespace scrl::cli {
namespace {

constexpr std::size_t kReserve = std::size_t{1} << 20;
constexpr std::string_view kMessage =
    "scrl: out of memory; use a smaller graph, smaller hidden sizes, or a larger machine\n";
constexpr int kCode = static_cast<int>(ErrorKind::kResource);

void* reserve = nullptr;
bool ran_out = false;

void give_up_reserve() {
  ran_out = true;
  std::free(reserve);
  reserve = nullptr;
  std::set_new_handler(nullptr);
  throw std::bad_alloc();
}

[[noreturn]] void end() {
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    ::_exit(report_out_of_memory());
  } catch (...) {
    std::abort();
  }
  // A function of the C++ library that must not throw comes here before its exception is caught.
  if (ran_out) ::_exit(report_out_of_memory());
  std::abort();
}

}  // namespace

// Without stdio, which may allocate.
int report_out_of_memory() {
  (void)!::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  return kCode;
}

void prepare_for_lack_of_memory() {
  std::set_terminate(end);
  reserve = std::malloc(kReserve);
  std::set_new_handler(give_up_reserve);
}

}  // namespace scrl::cli
