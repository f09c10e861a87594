// fuzz_replay TARGET FILE...: gives each file to the target once. Needs no libFuzzer, so that every
// test run repeats what fuzzing once found.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "targets.h"

int main(int argc, char** argv) {
  using namespace scrl::fuzz;
  const Target* target = argc > 1 ? target_named(argv[1]) : nullptr;
  if (target == nullptr || argc < 3) {
    std::fputs("usage: fuzz_replay TARGET FILE...\n", stderr);
    return 2;
  }
  prepare_process();
  int findings = 0;
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const Bundle bundle = parse_bundle(bytes);
    std::fprintf(stderr, "%s\n", argv[i]);  // before a crash
    try {
      if (bundle.empty()) throw Finding("no bundle: no line begins with \"=== NAME\"");
      target->run(bundle);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "  %s\n", e.what());
      ++findings;
    }
  }
  std::printf("%s: %d inputs, %d findings\n", target->name, argc - 2, findings);
  return findings == 0 ? 0 : 1;
}
