#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace scrl::cli {
namespace {

bool use_color = false;

bool person_at(int fd) {
  const char* term = std::getenv("TERM");
  return isatty(fd) && term && std::string_view(term) != "dumb";
}

// Characters on screen: UTF-8 continuation bytes take no room.
std::size_t width(std::string_view s) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '\x1b') {
      while (i < s.size() && s[i] != 'm') ++i;
      continue;
    }
    n += (static_cast<unsigned char>(s[i]) & 0xC0) != 0x80;
  }
  return n;
}

// One line of the terminal: a longer one would wrap, and only its last part be overwritten.
std::string cut_to_terminal(std::string line) {
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const std::size_t columns = known ? size.ws_col : 80;
  while (width(line) >= columns) line.pop_back();
  return line;
}

}  // namespace

void set_color(Color mode) {
  const char* no_color = std::getenv("NO_COLOR");
  use_color = mode == Color::kAlways ||
              (mode == Color::kAuto && person_at(STDOUT_FILENO) && !(no_color && *no_color));
}

std::string bold(std::string_view text) {
  return use_color ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string dim(std::string_view text) {
  return use_color ? "\x1b[2m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string duration(double seconds) {
  if (seconds < 100) return fixed(std::max(seconds, 1.0), 0) + " s";
  if (seconds < 6000) return fixed(seconds / 60, 0) + " min";
  return fixed(seconds / 3600, 1) + " h";
}

std::string percent(double mean, double std, bool with_std) {
  char buffer[64];
  if (with_std)
    std::snprintf(buffer, sizeof buffer, "%.2f ± %.2f", mean, std);
  else
    std::snprintf(buffer, sizeof buffer, "%.2f", mean);
  return buffer;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], width(row[c]));
    }
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = "  ";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      line += r == 0 ? bold(rows[r][c]) : rows[r][c];
      if (c + 1 < rows[r].size()) line.append(widths[c] - width(rows[r][c]) + 3, ' ');
    }
    out += line + "\n";
  }
  return out;
}

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(person_at(STDERR_FILENO)), last_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { finish(); }

void Progress::epoch(const std::string& label, const EpochStats& e, int epochs) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since = now - last_;
  if (since.count() < (terminal_ ? 0.1 : 10.0)) return;
  last_ = now;
  const bool validated = e.scored && e.val_loss > 0;  // without validation nodes there is no loss
  const std::string score = validated ? "  val " + fixed(e.val.accuracy, 1) + " %" : "";
  char text[160];
  std::snprintf(text, sizeof text, "%s  epoch %d/%d  loss %.4f%s  %.0f ms/epoch", label.c_str(),
                e.epoch, epochs, e.loss, score.c_str(), e.train_ms + e.eval_ms);
  if (!terminal_) {
    std::fprintf(stderr, "%s\n", text);
    return;
  }
  constexpr int kWidth = 24;
  const int filled = kWidth * e.epoch / epochs;
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "━" : "·";
  bar += ' ';
  std::string line = cut_to_terminal(bar + text);
  if (line.size() < bar.size() + std::string_view(text).size()) line = cut_to_terminal(text);
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  bar_shown_ = true;
}

void Progress::note(const std::string& line) {
  if (quiet_) return;
  finish();
  std::fprintf(stderr, "%s\n", line.c_str());
}

void Progress::finish() {
  if (bar_shown_) std::fprintf(stderr, "\r\x1b[K");
  bar_shown_ = false;
}

}  // namespace scrl::cli
