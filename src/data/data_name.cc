#include "data/data_name.h"

#include <string_view>

#include "base/error.h"
#include "io/paths.h"

namespace scrl {
namespace {

constexpr std::string_view kLabel = ":label=", kKnn = ":knn=";

// Takes what stands behind `mark` off the end of `place`.
std::string take(std::string& place, std::string_view mark, std::string_view expected) {
  const std::size_t at = place.rfind(mark);
  if (at == place.npos || exists(place)) return "";
  std::string value = place.substr(at + mark.size());
  if (value.empty()) fail(ErrorKind::kUsage, place, ": expected ", expected, " after ", mark);
  place.resize(at);
  return value;
}

}  // namespace

DataName data_name(const std::string& what) {
  DataName name{.place = what};
  name.knn_file = take(name.place, kKnn, "a file");
  name.label = take(name.place, kLabel, "the name of an attribute");
  return name;
}

std::string to_text(const DataName& name) {
  std::string out = name.place;
  if (!name.label.empty()) out += cat(kLabel, name.label);
  if (!name.knn_file.empty()) out += cat(kKnn, name.knn_file);
  return out;
}

std::string with_knn_file(const std::string& data, const std::string& knn_file) {
  if (knn_file.empty()) return data;
  DataName name = data_name(data);
  name.knn_file = knn_file;
  return to_text(name);
}

}  // namespace scrl
