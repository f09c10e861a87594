// fuzz_replay TARGET [--mutants N] FILE...: gives each file to the target once, and N mutants of
// it, the same ones every time. Needs no libFuzzer, so that every test run repeats what fuzzing
// once found. An input that was a finding is left in finding-TARGET in the current folder; one that
// ended the process is there too.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "mutate.h"
#include "targets.h"

namespace scrl::fuzz {
namespace {

// A byte, or a few, without knowing what they mean.
void change_bytes(std::string& bytes, Random& random) {
  const std::size_t at = bytes.empty() ? 0 : random() % bytes.size();
  switch (random() % 4) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.erase(at, 1 + random() % 16);
      break;
    case 2:
      bytes.insert(at, 1 + random() % 4, static_cast<char>(random()));
      break;
    default:
      if (!bytes.empty()) bytes[at] = static_cast<char>(random());
  }
}

class Replay {
 public:
  explicit Replay(const Target& target) : target_(target), last_(cat("finding-", target.name)) {}

  void file(const std::string& path, int mutants) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const Bundle bundle = parse_bundle(bytes);
    std::fprintf(stderr, "%s\n", path.c_str());  // before a crash
    if (bundle.empty()) return finding("no bundle: no line begins with \"=== NAME\"");
    run(bundle, mutants > 0);
    for (int i = 1; i <= mutants; ++i) {
      Random random(static_cast<unsigned>(i));
      Bundle mutant = bundle;
      for (auto changes = 1 + random() % 3; changes > 0; --changes)
        mutate(mutant, random, [&](std::string& part) { change_bytes(part, random); });
      run(mutant, true);
    }
  }

  int end() const {
    if (findings_ == 0) std::filesystem::remove(last_);
    std::printf("%s: %d inputs, %d findings\n", target_.name, inputs_, findings_);
    return findings_ == 0 ? 0 : 1;
  }

 private:
  void run(const Bundle& bundle, bool keep) {
    const std::string name = findings_ == 0 ? last_ : cat(last_, "-", findings_);
    if (keep) std::ofstream(name, std::ios::binary) << bundle_text(bundle);
    ++inputs_;
    try {
      target_.run(bundle);
    } catch (const std::exception& e) {
      return finding(e.what());
    }
    if (keep && name != last_) std::filesystem::remove(name);
  }

  void finding(const char* what) {
    std::fprintf(stderr, "  %s\n", what);
    ++findings_;
  }

  const Target& target_;
  std::string last_;
  int inputs_ = 0, findings_ = 0;
};

}  // namespace
}  // namespace scrl::fuzz

int main(int argc, char** argv) {
  using namespace scrl::fuzz;
  const Target* target = argc > 1 ? target_named(argv[1]) : nullptr;
  int first = 2, mutants = 0;
  if (argc > 3 && std::strcmp(argv[2], "--mutants") == 0) {
    std::from_chars(argv[3], argv[3] + std::strlen(argv[3]), mutants);
    first = 4;
  }
  if (target == nullptr || argc <= first) {
    std::fputs("usage: fuzz_replay TARGET [--mutants N] FILE...\n", stderr);
    return 2;
  }
  prepare_process();
  Replay replay(*target);
  for (int i = first; i < argc; ++i) replay.file(argv[i], mutants);
  return replay.end();
}
