// tune/tune_space.h: which settings a search tries, and the n-th configuration drawn from them.
//
// A setting is a list of values, drawn with equal chances, or a range low..high, drawn uniformly in
// the logarithm and cut to three digits. Draw n is a function of (seed, n) and, for each setting,
// of its own name: another setting in the space does not change it. Each draw has a share u,
// uniform in [0, 1); a setting of the default space leaves its starting value with chance u, so
// that some configurations are near the start and some are far. A setting that was asked for is
// always drawn.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"

namespace scrl {

struct TuneSetting {
  std::string key;
  std::vector<std::string> values;  // a list; empty: a range
  double low = 0, high = 0;
  bool whole = false;        // a range of whole numbers
  bool chosen = false;       // asked for by name
  std::string text() const;  // "5,9,15" or "0.0001..0.01"
};

using TuneSpace = std::vector<TuneSetting>;

// What is searched unless somebody says otherwise: the settings that the method of `start` has,
// around its own starting values. `classes`: prototypes come in multiples of them.
TuneSpace default_space(const RunConfig& start, Index classes,
                        const std::function<bool(const std::string&)>& leave_out = {});

// One "key=a,b,c" or "key=low..high". Values are checked against the options of `start` and put
// into their usual form. Throws Error(kUsage); `origin` begins the message.
TuneSetting parse_space(const RunConfig& start, const std::string& text, const std::string& origin);

// One of them per line; '#' begins a comment. Throws Error(kUsage) "FILE:LINE: ...".
TuneSpace read_space_file(const RunConfig& start, const std::string& path);
std::string space_file_text(const TuneSpace& space);

// In the place of a setting of the same key, or at the end.
void put(TuneSpace& space, TuneSetting setting);

// Values in the order of the space. `start` holds the starting value of each.
std::vector<std::string> draw(const TuneSpace& space, const std::vector<std::string>& start,
                              std::uint64_t seed, std::uint32_t number);

// Which part of a setting a value is in, as a text: the value itself, or a third of a range.
std::string part_of(const TuneSetting& setting, const std::string& value);

}  // namespace scrl
