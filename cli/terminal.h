// cli/terminal.h: talk goes to stderr, results to stdout; colour and bars only where a person
// looks.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "train/state.h"

namespace scrl {

namespace cli {
enum class Color { kAuto, kAlways, kNever };
}
template <>
inline constexpr auto kNames<cli::Color> = std::array{"auto", "always", "never"};

}  // namespace scrl

namespace scrl::cli {

// auto: when stdout is a terminal, TERM is not "dumb" and NO_COLOR is not set.
void set_color(Color mode);
std::string bold(std::string_view text);
std::string dim(std::string_view text);

std::string fixed(double value, int digits);  // 3.14159, 2: "3.14"
std::string duration(double seconds);         // of what is left: "12 s", "5 min", "2.5 h"

// "90.25" or "90.25 ± 0.31"
std::string percent(double mean, double std, bool with_std);

// Columns padded to their widest cell; the first row is the header.
std::string table(const std::vector<std::vector<std::string>>& rows);

// Progress of one training on stderr: a bar on a terminal, otherwise a line now and then.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void epoch(const std::string& label, const EpochStats& e, int epochs);
  void note(const std::string& line);  // a line of its own, not torn by the bar
  void finish();                       // clears the bar

 private:
  bool quiet_, terminal_, bar_shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace scrl::cli
