#include "config/json_file.h"

#include "io/line_reader.h"
#include "io/regular_file.h"

namespace scrl {
namespace {

constexpr int kMaxDepth = 64;
constexpr Index kMaxFile = Index{256} << 20;

// Depth of arrays and objects, without parsing more than quotes.
bool too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name) {
  if (too_deep(text))
    fail(ErrorKind::kModelFile, name, ": nested more than ", kMaxDepth, " levels deep");
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    fail(ErrorKind::kModelFile, name, ": byte ", e.byte, ": expected JSON; damaged or cut off");
  } catch (const Json::exception&) {
    fail(ErrorKind::kModelFile, name, ": expected JSON, found a number beyond the range of double");
  }
}

Json read_json_file(const std::string& path) {
  return parse_json(read_file(path, kMaxFile, ErrorKind::kModelFile), path);
}

std::string shown_json(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return cat("a list of ", value.size());
  if (value.is_string()) return shown(std::string_view(value.get_ref<const std::string&>()));
  return value.dump();
}

JsonFields::JsonFields(const Json& object, std::string file, std::string place)
    : object_(&object), file_(std::move(file)), place_(std::move(place)) {
  if (!object.is_object()) {
    fail(ErrorKind::kModelFile, file_, place_.empty() ? "" : ": ", place_,
         ": expected an object, found ", shown_json(object));
  }
}

const Json& JsonFields::value(const char* key) const {
  const auto found = object_->find(key);
  if (found == object_->end()) refuse(key, "it is missing");
  return *found;
}

Index JsonFields::whole(const char* key, Index least, Index most) const {
  const Json& v = value(key);
  const bool fits =
      v.is_number_unsigned()
          ? v.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<Index>::max())
          : v.is_number_integer();
  if (!fits || v.get<Index>() < least || v.get<Index>() > most)
    refuse(key, "expected a whole number from ", least, " to ", most, ", found ", shown_json(v));
  return v.get<Index>();
}

double JsonFields::number(const char* key, double least, double most) const {
  const Json& v = value(key);
  if (!v.is_number() || !(v.get<double>() >= least && v.get<double>() <= most))
    refuse(key, "expected a number from ", least, " to ", most, ", found ", shown_json(v));
  return v.get<double>();
}

bool JsonFields::flag(const char* key) const {
  const Json& v = value(key);
  if (!v.is_boolean()) refuse(key, "expected true or false, found ", shown_json(v));
  return v.get<bool>();
}

std::string JsonFields::text(const char* key) const {
  const Json& v = value(key);
  if (!v.is_string()) refuse(key, "expected a text, found ", shown_json(v));
  return v.get<std::string>();
}

std::vector<std::string> JsonFields::texts(const char* key) const {
  const Json& v = value(key);
  if (!v.is_array()) refuse(key, "expected a list of texts, found ", shown_json(v));
  std::vector<std::string> out;
  for (const Json& item : v) {
    if (!item.is_string()) refuse(key, "expected texts in the list, found ", shown_json(item));
    out.push_back(item.get<std::string>());
  }
  return out;
}

JsonFields JsonFields::object(const char* key) const {
  return JsonFields(value(key), file_, place_of(key));
}

std::vector<JsonFields> JsonFields::objects(const char* key) const {
  const Json& v = value(key);
  if (!v.is_array()) refuse(key, "expected a list of objects, found ", shown_json(v));
  std::vector<JsonFields> out;
  for (const Json& item : v)
    out.emplace_back(item, file_, cat(place_of(key), "[", out.size(), "]"));
  return out;
}

std::string JsonFields::place_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : cat(place_, ".", key);
}

}  // namespace scrl
