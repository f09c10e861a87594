#include "run/event_log.h"

#include <filesystem>

#include "base/error.h"

namespace scrl {

EventLog::EventLog(const std::string& path, Index keep_bytes) : path_(path) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  if (!missing) {
    bytes_ = std::min(static_cast<Index>(size), keep_bytes);
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes_));
  }
  out_.open(path, std::ios::app);
  if (!out_) fail(ErrorKind::kRun, path, ": cannot open for writing");
}

void EventLog::write(const Json& event) {
  if (!out_.is_open()) return;
  const std::string line = event.dump() + "\n";
  out_ << line << std::flush;
  if (!out_) fail(ErrorKind::kResource, path_, ": cannot write; is the disk full?");
  bytes_ += static_cast<Index>(line.size());
}

Json epoch_event(int seed, const EpochStats& e) {
  Json event = {{"event", "epoch"}, {"seed", seed}, {"epoch", e.epoch}, {"loss", e.loss}};
  if (e.scored) {
    event["train_accuracy"] = e.train_accuracy;
    event["val_loss"] = e.val_loss;
    event["val_accuracy"] = e.val.accuracy;
    event["oracle_test_accuracy"] = e.test.accuracy;
  }
  if (e.agreement >= 0) event["agreement"] = e.agreement;
  event["train_ms"] = e.train_ms;
  event["eval_ms"] = e.eval_ms;
  return event;
}

}  // namespace scrl
