#include "run/event_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "config/json_file.h"
#include "io/atomic_file.h"
#include "io/regular_file.h"

namespace scrl {

// O_NONBLOCK: a pipe of this name would wait for a reader. It changes nothing for a regular file.
EventLog::EventLog(const std::string& path, Index keep_bytes)
    : path_(path),
      fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666)) {
  struct stat info = {};
  if (fd_ < 0 || ::fstat(fd_, &info) != 0) fail_write(path, errno);
  if (!S_ISREG(info.st_mode)) fail(ErrorKind::kRun, path, ": expected a file, found another thing");
  bytes_ = std::clamp<Index>(keep_bytes, 0, info.st_size);
  if (::ftruncate(fd_, bytes_) != 0) fail_write(path, errno);
}

EventLog& EventLog::operator=(EventLog&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

EventLog::~EventLog() {
  if (fd_ >= 0) ::close(fd_);
}

void EventLog::write(const Json& event) {
  if (fd_ < 0) return;
  const std::string line = event.dump() + "\n";
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t done = ::write(fd_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_write(path_, errno);
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
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

std::vector<LoggedEpoch> read_epochs(const std::string& path) {
  std::vector<LoggedEpoch> out;
  if (::access(path.c_str(), F_OK) != 0) return out;
  const std::string content =
      read_file(path, std::numeric_limits<Index>::max(), ErrorKind::kModelFile);
  for (std::string_view rest = content; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    try {
      const Json json = parse_json(line, path);
      const JsonFields event(json, path);
      if (event.text("event") != "epoch") continue;
      const auto number = [&](const char* key) {
        return event.has(key) && event.value(key).is_number()
                   ? event.value(key).get<double>()
                   : std::numeric_limits<double>::quiet_NaN();
      };
      out.push_back({.seed = event.integer<int>("seed"),
                     .member = event.has("member") ? event.text("member") : "",
                     .fold = event.has("fold") ? event.integer<int>("fold", 0, 1000) : -1,
                     .epoch = number("epoch"),
                     .loss = number("loss"),
                     .val_loss = number("val_loss"),
                     .train_accuracy = number("train_accuracy"),
                     .val_accuracy = number("val_accuracy"),
                     .test_accuracy = number("oracle_test_accuracy"),
                     .agreement = number("agreement"),
                     .milliseconds = event.number("train_ms", 0) + event.number("eval_ms", 0)});
    } catch (const Error&) {
      continue;
    }
  }
  return out;
}

}  // namespace scrl
