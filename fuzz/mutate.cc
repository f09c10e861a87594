#include "mutate.h"

#include <cstring>
#include <limits>
#include <vector>

#include "config/json.h"

namespace scrl::fuzz {
namespace {

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

template <class T, std::size_t N>
const T& one_of(Random& random, const T (&values)[N]) {
  return values[below(random, N)];
}

const std::string_view kNumbers[] = {"0",
                                     "1",
                                     "-1",
                                     "2",
                                     "1e20",
                                     "1e30",
                                     "3.4e38",
                                     "1e39",
                                     "1e-45",
                                     "-0",
                                     "0.5",
                                     "7",
                                     "255",
                                     "65536",
                                     "2147483647",
                                     "2147483648",
                                     "nan",
                                     "inf",
                                     "-inf",
                                     "99",
                                     "1000",
                                     "4294967296",
                                     "9223372036854775807",
                                     "1e308"};

bool is_number_start(char c) { return (c >= '0' && c <= '9') || c == '-'; }
bool is_number(char c) { return is_number_start(c) || c == '.' || c == 'e' || c == '+'; }

void replace_number(std::string& text, Random& random) {
  if (text.empty()) return;
  std::size_t at = below(random, text.size());
  while (at < text.size() && !is_number_start(text[at])) ++at;
  std::size_t end = at;
  while (end < text.size() && is_number(text[end])) ++end;
  text.replace(at, end - at, one_of(random, kNumbers));
}

void change_line(std::string& text, Random& random) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  const auto line = [&](std::size_t i) {
    return text.substr(starts[i],
                       (i + 1 < starts.size() ? starts[i + 1] : text.size()) - starts[i]);
  };
  const std::size_t from = below(random, starts.size()), to = below(random, starts.size());
  const std::string copied = line(from);
  if (random() % 2) text.erase(starts[to], line(to).size());
  if (random() % 2) text.insert(std::min(starts[to], text.size()), copied);
}

void put_value(std::string& bytes, Random& random) {
  const float floats[] = {0,
                          1,
                          -1,
                          1e20f,
                          1e30f,
                          3.4e38f,
                          1e-45f,
                          std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()};
  const std::int32_t numbers[] = {-1, 0, 1, 2, 49, 50, 1 << 20, 0x7fffffff, -0x7fffffff - 1};
  const std::int64_t large[] = {-1, 0, 1, 50, 1LL << 32, 1LL << 62, 0x7fffffffffffffffLL};
  const auto put = [&](const auto& value) {
    if (bytes.size() < sizeof value) return;
    const std::size_t at = below(random, bytes.size() / sizeof value) * sizeof value;
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  switch (random() % 3) {
    case 0:
      return put(one_of(random, floats));
    case 1:
      return put(one_of(random, numbers));
    default:
      return put(one_of(random, large));
  }
}

void collect(Json& j, std::vector<Json*>& out) {
  out.push_back(&j);
  if (j.is_structured())
    for (Json& child : j) collect(child, out);
}

Json odd_value(Random& random) {
  switch (random() % 12) {
    case 0:
      return nullptr;
    case 1:
      return -1;
    case 2:
      return 0;
    case 3:
      return 1e308;
    case 4:
      return std::numeric_limits<std::int64_t>::max();
    case 5:
      return std::numeric_limits<std::uint64_t>::max();
    case 6:
      return "";
    case 7:
      return "x";
    case 8:
      return Json::array();
    case 9:
      return Json::object();
    case 10:
      return true;
    default:
      return 0.5;
  }
}

void change_json(std::string& text, Random& random, const ChangeBytes& change_bytes) {
  Json j = Json::parse(text, nullptr, false);
  if (j.is_discarded()) return change_bytes(text);
  std::vector<Json*> values;
  collect(j, values);
  Json& chosen = *values[below(random, values.size())];
  const Json other = *values[below(random, values.size())];
  if (chosen.is_string() && random() % 2) {
    auto content = chosen.get<std::string>();
    random() % 2 ? replace_number(content, random) : change_bytes(content);
    chosen = content;
  } else if (chosen.is_structured() && !chosen.empty() && random() % 2) {
    const auto at = below(random, chosen.size());
    if (chosen.is_array() && random() % 2) {
      const Json copied = chosen[at];
      chosen.push_back(copied);
    } else if (chosen.is_array()) {
      chosen.erase(at);
    } else {
      chosen.erase(std::next(chosen.begin(), static_cast<std::ptrdiff_t>(at)).key());
    }
  } else {
    chosen = random() % 4 ? odd_value(random) : other;
  }
  text = j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One line of a file whose lines are JSON.
void change_event(std::string& text, Random& random, const ChangeBytes& change_bytes) {
  const std::size_t somewhere = below(random, text.size());
  const std::size_t before = text.rfind('\n', somewhere);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  std::string line = text.substr(begin, end - begin);
  change_json(line, random, change_bytes);
  text.replace(begin, end - begin, line);
}

bool is_text(const std::string& bytes) {
  for (const char c : bytes)
    if (c == '\0') return false;
  return true;
}

}  // namespace

void mutate(Bundle& bundle, Random& random, const ChangeBytes& change_bytes) {
  if (bundle.empty()) return;
  Part& part = bundle[below(random, bundle.size())];
  if (random() % 20 == 0) {
    const Part copied = bundle[below(random, bundle.size())];
    switch (random() % 3) {
      case 0:
        part.content = copied.content;
        return;
      case 1:
        bundle.erase(bundle.begin() + std::ptrdiff_t(below(random, bundle.size())));
        return;
      default:
        return change_bytes(part.name);
    }
  }
  const unsigned how = random() % 4;
  if (part.content.empty() || how == 0) return change_bytes(part.content);
  if (part.name.ends_with(".jsonl")) return change_event(part.content, random, change_bytes);
  if (part.content.front() == '{') return change_json(part.content, random, change_bytes);
  if (!is_text(part.content)) return put_value(part.content, random);
  if (how == 1) return change_line(part.content, random);
  replace_number(part.content, random);
}

}  // namespace scrl::fuzz
