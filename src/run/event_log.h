// run/event_log.h: events.jsonl, one JSON object per line, appended while a run goes on.
#pragma once
#include <fstream>
#include <string>

#include "config/json.h"
#include "train/state.h"

namespace scrl {

class EventLog {
 public:
  EventLog() = default;  // keeps nothing
  // Goes on after the first keep_bytes bytes: what came later belongs to epochs that a resumed run
  // repeats, or was torn by a crash.
  EventLog(const std::string& path, Index keep_bytes);

  void write(const Json& event);
  Index bytes() const { return bytes_; }

 private:
  std::string path_;
  std::ofstream out_;
  Index bytes_ = 0;
};

Json epoch_event(int seed, const EpochStats& e);

}  // namespace scrl
