// io/atomic_file.h: writing a file so that a reader sees the old content or the new, never a part.
//
// The content goes to PATH.tmp-<pid>, is flushed to the disk and then renamed over PATH; the old
// file survives every failure, and a failure leaves no temporary file behind.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace scrl {

// Throws Error(kResource) when the disk is full or a quota is used up, Error(kRun) on any other
// failure: "PATH: cannot write: reason".
void write_atomically(const std::string& path, std::string_view content);
void write_atomically(const std::string& path, std::span<const std::string_view> pieces);

// Throws what write_atomically() throws, for the errno `reason`.
[[noreturn]] void fail_write(const std::string& path, int reason);

// Creates `path` and its parents as far as they are missing; an existing folder is fine.
void make_directories(const std::string& path);

}  // namespace scrl
