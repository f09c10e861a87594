// config/json_file.h: JSON that anyone may have written. Every defect is one Error(kModelFile) with
// the file, the place in it, what was expected and what was found; no exception of the JSON library
// gets past here.
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "base/error.h"
#include "base/types.h"
#include "config/json.h"

namespace scrl {

// `name` is what messages call the text. Nested deeper than any file of ours is refused: whoever
// compares or prints such a value recurses as deep.
Json parse_json(std::string_view text, const std::string& name);
Json read_json_file(const std::string& path);

// One object of a file: FILE says which, `place` where in it, as in "per_seed[2].test".
class JsonFields {
 public:
  JsonFields(const Json& object, std::string file, std::string place = "");

  bool has(const char* key) const { return object_->contains(key); }
  const Json& value(const char* key) const;
  template <class T>
  T integer(const char* key, Index least = 0, Index most = std::numeric_limits<T>::max()) const {
    return static_cast<T>(whole(key, least, most));
  }
  double number(const char* key, double least, double most = 1e300) const;
  bool flag(const char* key) const;
  std::string text(const char* key) const;
  std::vector<std::string> texts(const char* key) const;
  template <class E>
  E choice(const char* key) const;  // of an enum with names (base/choice.h)
  JsonFields object(const char* key) const;
  std::vector<JsonFields> objects(const char* key) const;

  template <class... Parts>
  [[noreturn]] void refuse(std::string_view key, const Parts&... parts) const {
    fail(ErrorKind::kModelFile, file_, ": ", place_, place_.empty() || key.empty() ? "" : ".", key,
         ": ", parts...);
  }

 private:
  Index whole(const char* key, Index least, Index most) const;
  std::string place_of(std::string_view key) const;

  const Json* object_;
  std::string file_, place_;
};

// A value as messages show it: short, without control characters.
std::string shown_json(const Json& value);

template <class E>
E JsonFields::choice(const char* key) const {
  const std::string name = text(key);
  const auto found = value_named<E>(name);
  if (!found) refuse(key, "there is no ", shown_json(value(key)));
  return *found;
}

}  // namespace scrl
