// The entry points of libFuzzer: fuzz_scrl --target=NAME [options of libFuzzer] CORPUS...
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mutate.h"
#include "targets.h"

using namespace scrl::fuzz;

namespace {
const Target* target = nullptr;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i)
    if (std::strncmp((*argv)[i], "--target=", 9) == 0) target = target_named((*argv)[i] + 9);
  if (target == nullptr) {
    std::fputs("usage: fuzz_scrl --target=NAME [options of libFuzzer] CORPUS\n", stderr);
    for (const Target& t : all_targets()) std::fprintf(stderr, "  %-11s %s\n", t.name, t.what);
    std::exit(2);
  }
  prepare_process();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run(parse_bundle({reinterpret_cast<const char*>(data), size}));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  Random random(seed + 1);
  Bundle bundle = parse_bundle({reinterpret_cast<const char*>(data), size});
  if (bundle.empty() || random() % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  mutate(bundle, random, [](std::string& bytes) {
    const std::size_t had = bytes.size();
    bytes.resize(had + 64);
    bytes.resize(
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), had, bytes.size()));
  });
  const std::string text = bundle_text(bundle);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
