// run/recorded_settings.h: what a run folder says of its own circumstances, as texts for people:
// every line of config.toml with the comment that names who set it, and the machine of its log.
#pragma once
#include <string>
#include <vector>

#include "config/config.h"
#include "config/json.h"

namespace scrl {

// In the order of the file; `origin` is the comment up to a semicolon.
std::vector<Setting> recorded_settings(const std::string& run);

// program, cpu, simd, threads: as far as events.jsonl has them.
std::vector<Setting> recorded_machine(const std::string& run);

// The line of events.jsonl that recorded_machine() reads. `program`: version and commit.
Json start_event(const std::string& program);

}  // namespace scrl
