#include "tune/tune_request.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace scrl {
namespace {

bool is_file(const std::string& space) { return space.find('=') == std::string::npos; }

// What was asked for by --space alone.
TuneSpace asked_space(const TuneRequest& request, const RunConfig& start) {
  TuneSpace space;
  for (const std::string& text : request.space) {
    if (!is_file(text)) {
      put(space, parse_space(start, text, "--space"));
      continue;
    }
    for (TuneSetting& s : read_space_file(start, text)) put(space, std::move(s));
  }
  return space;
}

bool is_set(const TuneRequest& request, const RunConfig& config, const std::string& key) {
  return std::any_of(request.settings.begin(), request.settings.end(), [&](const Setting& s) {
    const OptionSet::Entry* e = config.options.find(s.key);
    return e && e->key == key;
  });
}

}  // namespace

TuneBudget parse_budget(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const bool whole = number >= 1 && number <= 1e6 && number == static_cast<int>(number);
  if (error == std::errc() && seconds > 0 && number > 0 && number * seconds < 1e9)
    return {.seconds = number * seconds};
  if (error != std::errc() || !unit.empty() || !whole)
    fail(ErrorKind::kUsage, "--budget: expected a number of trials as in 50, or a time as in 90s, ",
         "10m or 2h, got '", text, "'");
  return {.trials = static_cast<int>(number)};
}

std::vector<Setting> shared_settings(const TuneRequest& request) {
  std::vector<Setting> out = {{"method", request.method, "tune"}};
  if (request.labels > 0) out.push_back({"labels", cat(request.labels), "tune"});
  out.insert(out.end(), request.settings.begin(), request.settings.end());
  return out;
}

TuneSpace searched_space(const TuneRequest& request, const RunConfig& start, Index classes) {
  TuneSpace space;
  if (std::none_of(request.space.begin(), request.space.end(), is_file))
    space = default_space(start, classes,
                          [&](const std::string& key) { return is_set(request, start, key); });
  for (TuneSetting& s : asked_space(request, start)) put(space, std::move(s));
  if (space.empty()) fail(ErrorKind::kUsage, "--space: there is nothing to search");
  return space;
}

void check_request(const TuneRequest& request) {
  const std::vector<Setting> base = without_profile(shared_settings(request));
  for (const Setting& s : request.settings) {
    if (s.key == "method" || s.key == "labels" || s.key == "seeds")
      fail(ErrorKind::kUsage, s.key, ": give it as --", s.key);
    if (s.key == "protocol" && s.value != "val")
      fail(ErrorKind::kUsage, "protocol: tune chooses on validation nodes; under ", s.value,
           " there are none");
  }
  const RunConfig config(base);
  for (const TuneSetting& s : asked_space(request, config))
    if (is_set(request, config, s.key))
      fail(ErrorKind::kUsage, "--space: ", s.key, " is set to one value, too; give one of the two");
}

}  // namespace scrl
