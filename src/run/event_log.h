// run/event_log.h: events.jsonl, one JSON object per line, appended while a run goes on.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "config/json.h"
#include "train/state.h"

namespace scrl {

class EventLog {
 public:
  EventLog() = default;  // keeps nothing
  // Goes on after the first keep_bytes bytes: what came later belongs to epochs that a resumed run
  // repeats, or was torn by a crash.
  EventLog(const std::string& path, Index keep_bytes);
  EventLog(EventLog&& other) noexcept { *this = std::move(other); }
  EventLog& operator=(EventLog&& other) noexcept;
  ~EventLog();

  void write(const Json& event);
  Index bytes() const { return bytes_; }

 private:
  std::string path_;
  int fd_ = -1;
  Index bytes_ = 0;
};

Json epoch_event(int seed, const EpochStats& e);

// What a line says of an epoch; NaN: nothing.
struct LoggedEpoch {
  int seed = -1;
  std::string member;  // of method auto
  int fold = -1;       // of a training that leaves one out; -1: none
  double epoch, loss, val_loss, train_accuracy, val_accuracy, test_accuracy, agreement;
  double milliseconds = 0;
};
// The epochs of an events.jsonl in its order; none if there is no such file. A line that cannot be
// read, such as one torn by a crash, is left out.
std::vector<LoggedEpoch> read_epochs(const std::string& path);

}  // namespace scrl
