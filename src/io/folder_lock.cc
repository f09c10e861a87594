#include "io/folder_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/error.h"
#include "io/atomic_file.h"

namespace scrl {
namespace {

struct Holder {
  long process = 0;
  std::string host, since;
};

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

// "PROCESS HOST TIME\n"; anything else, such as half of it: nobody is named.
Holder read_holder(int fd) {
  std::array<char, 512> text{};
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  std::string_view rest(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  if (!rest.ends_with('\n')) return {};
  rest.remove_suffix(1);
  Holder out;
  const char* const end = std::from_chars(rest.data(), rest.data() + rest.size(), out.process).ptr;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  const std::size_t last = rest.rfind(' ');
  if (out.process <= 0 || !rest.starts_with(' ') || last == 0) return {};
  out.host = rest.substr(1, last - 1);
  out.since = rest.substr(last + 1);
  return out;
}

[[noreturn]] void refuse(const std::string& folder, std::string_view what, const Holder& holder,
                         std::string_view advice) {
  const std::string who = holder.process == 0 ? std::string()
                                              : cat(" (process ", holder.process, " on ",
                                                    holder.host, " since ", holder.since, ")");
  fail(ErrorKind::kUsage, folder, ": another ", what, " is at work in this folder", who, advice);
}

bool may_run(const Holder& holder) {
  return holder.host != host_name() || ::kill(static_cast<pid_t>(holder.process), 0) == 0 ||
         errno != ESRCH;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, const std::string& file, std::string_view what)
    : path_(folder + "/" + file) {
  while (!take(folder, what)) {
  }
}

bool FolderLock::take(const std::string& folder, std::string_view what) {
  fd_ = ::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
  if (fd_ < 0) fail_write(path_, errno);
  const auto release = [&] { ::close(std::exchange(fd_, -1)); };
  const bool locked = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
  const bool held = !locked && errno == EWOULDBLOCK;
  const Holder holder = locked ? Holder() : read_holder(fd_);
  if (held || (!locked && holder.process != 0 && may_run(holder))) {
    release();
    refuse(folder, what, holder,
           held ? std::string("; wait for it, or give another -o")
                : cat("; wait for it, or give another -o. If it no longer runs, delete ", path_));
  }
  // The holder before removes the file at its end: then this is a lock on nothing.
  struct stat mine = {}, there = {};
  if (::fstat(fd_, &mine) != 0 || ::stat(path_.c_str(), &there) != 0 ||
      mine.st_ino != there.st_ino || mine.st_dev != there.st_dev) {
    release();
    return false;
  }
  const std::string text = cat(::getpid(), " ", host_name(), " ", now_text(), "\n");
  if (::ftruncate(fd_, 0) != 0 ||
      ::pwrite(fd_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    const int reason = errno;
    ::unlink(path_.c_str());
    release();
    fail_write(path_, reason);
  }
  return true;
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());  // before it is unlocked: whoever waits then finds a new file
  ::close(fd_);
}

}  // namespace scrl
