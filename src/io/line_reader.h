// io/line_reader.h: a text file line by line, always knowing where it is, so that errors can say
// so.
//
// Accepts LF and CRLF, a UTF-8 byte order mark, and a last line without an end. Blank lines and
// lines starting with '#' or '%' are skipped. Memory: 1 MB, or the longest line.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/byte_stream.h"

namespace scrl {

inline constexpr Index kMaxLine = Index{256} << 20;

class LineReader {
 public:
  explicit LineReader(std::unique_ptr<ByteStream> stream);

  // Moves to the next line with content; false at the end.
  bool next();
  // Moves to the very next line, be it blank or a comment; false at the end.
  bool next_any();

  // Without its line end; valid until the next call of next().
  std::string_view line() const { return line_; }
  Index line_number() const { return line_number_; }  // counted from 1
  const std::string& name() const { return stream_->name(); }

  // For files whose n-th line belongs to the n-th node: throws when next() just skipped a blank
  // line, because the rows after it would silently move up by one.
  void refuse_gap(std::string_view expected) const;

  // Throws Error(kData) "file:line: parts".
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    fail_at(line_number_, parts...);
  }
  template <class... Parts>
  [[noreturn]] void fail_at(Index line_number, const Parts&... parts) const {
    scrl::fail(ErrorKind::kData, name(), ":", line_number, ": ", parts...);
  }

 private:
  bool refill();

  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // unread part of the buffer
  bool at_end_ = false;
  std::string_view line_;
  Index line_number_ = 0;
  Index gap_ = 0;  // number of the last blank line since the previous content, 0: none
};

// A piece of input as messages show it: in quotes, shortened, without control characters and with
// no bytes that are not UTF-8; "an empty field" when there is nothing to show.
std::string shown(std::string_view text);

}  // namespace scrl
