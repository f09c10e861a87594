#include "io/line_reader.h"

#include <algorithm>
#include <cstring>

#include "io/utf8.h"

namespace scrl {
namespace {

constexpr std::size_t kBufferSize = 1 << 20;

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\f\v") == line.npos; }

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteStream> stream)
    : stream_(std::move(stream)), buffer_(kBufferSize) {}

// Keeps the unread part, grows the buffer when it is full of one line, and reads once.
bool LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    if (static_cast<Index>(end_) >= kMaxLine) {
      fail_at(line_number_ + 1, "line longer than ", kMaxLine >> 20, " MB");
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t got = stream_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  at_end_ = got == 0;
  return got > 0;
}

bool LineReader::next_any() {
  std::size_t searched = 0;
  const char* stop = nullptr;
  for (;;) {
    const char* const from = buffer_.data() + begin_ + searched;
    stop = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - searched));
    if (stop != nullptr) break;
    searched = end_ - begin_;
    if (at_end_ || !refill()) break;
  }
  if (stop == nullptr && begin_ == end_) return false;
  const std::size_t length =
      stop != nullptr ? static_cast<std::size_t>(stop - buffer_.data()) - begin_ : end_ - begin_;
  line_ = {buffer_.data() + begin_, length};
  begin_ += length + (stop != nullptr ? 1 : 0);
  ++line_number_;
  if (line_number_ == 1 && line_.starts_with("\xef\xbb\xbf")) line_.remove_prefix(3);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (std::memchr(line_.data(), '\0', line_.size()) != nullptr) {
    fail("expected text, found a NUL byte (a binary or UTF-16 file?)");
  }
  return true;
}

bool LineReader::next() {
  gap_ = 0;
  while (next_any()) {
    if (is_blank(line_)) {
      gap_ = line_number_;
    } else if (line_.front() != '#' && line_.front() != '%') {
      return true;
    }
  }
  return false;
}

void LineReader::refuse_gap(std::string_view expected) const {
  if (gap_ != 0) fail_at(gap_, "expected ", expected, ", found a blank line");
}

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (text.empty()) return "an empty field";
  const bool utf8 = is_utf8(text);
  std::size_t length = std::min(kShown, text.size());
  // Not in the middle of a character.
  while (utf8 && length < text.size() && (text[length] & 0xc0) == 0x80) --length;
  std::string out = "\"";
  for (const char c : text.substr(0, length)) {
    out += is_control(c) || (!utf8 && (c & 0x80) != 0) ? '?' : c;
  }
  return out + (text.size() > length ? "...\"" : "\"");
}

}  // namespace scrl
