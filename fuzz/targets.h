// fuzz/targets.h: every way in which the program reads bytes that somebody else wrote, and what it
// does with them next.
//
// A target is given a bundle (bundle.h). It may refuse it with an Error of a kind that fits; any
// other exception, a crash, a sanitizer's report, a leak, or too much time or memory is a finding.
#pragma once
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error.h"
#include "bundle.h"

namespace scrl::fuzz {

struct Target {
  const char* name;
  const char* what;
  void (*run)(const Bundle& bundle);
};

std::span<const Target> all_targets();
const Target* target_named(std::string_view name);  // nullptr: there is none

// Settings that every target needs: one thread, no cache, the instructions that all machines have.
void prepare_process();

struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

// Does `step`. False: it refused with an Error of one of these kinds, in one line of text.
template <class Step>
bool accepts(std::initializer_list<ErrorKind> kinds, Step step) {
  try {
    step();
    return true;
  } catch (const Error& e) {
    const std::string text = e.what();
    for (const ErrorKind kind : kinds)
      if (e.kind() == kind && !text.empty() && text.find('\n') == std::string::npos) return false;
    throw Finding(cat("an Error of kind ", static_cast<int>(e.kind()), ": ", text));
  }
}

// One function per row of the table.
void read_data(const Bundle& bundle);
void convert_data(const Bundle& bundle);
void read_cache(const Bundle& bundle);
void read_container(const Bundle& bundle);
void read_config(const Bundle& bundle);
void read_metrics(const Bundle& bundle);
void read_space(const Bundle& bundle);
void use_model(const Bundle& bundle);
void use_run(const Bundle& bundle);
void use_two_runs(const Bundle& bundle);
void use_checkpoint(const Bundle& bundle);
void use_new_nodes(const Bundle& bundle);
void use_points(const Bundle& bundle);
void use_cells(const Bundle& bundle);
void use_request(const Bundle& bundle);

}  // namespace scrl::fuzz
