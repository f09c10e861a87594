#include "data/id_map.h"

#include "base/error.h"
#include "io/fields.h"

namespace scrl {

IdMap IdMap::numbers(Index n, std::string origin) {
  IdMap map;
  map.numbers_ = true;
  map.count_ = n;
  map.origin_ = std::move(origin);
  return map;
}

std::optional<NodeId> IdMap::find(std::string_view id) const {
  if (numbers_) {
    Index number = 0;
    // "07" and "-0" are no way to write a number that is also a name.
    const bool plain = !id.empty() && id[0] >= '0' && id[0] <= '9' && (id[0] != '0' || id == "0");
    if (!plain || !parse_int(id, number) || number >= count_) return std::nullopt;
    return static_cast<NodeId>(number);
  }
  const auto at = number_of_.find(id);
  if (at == number_of_.end()) return std::nullopt;
  return at->second;
}

NodeId IdMap::add(std::string_view id) {
  if (const auto known = find(id)) return *known;
  if (size() >= kMaxNodes) fail(ErrorKind::kData, "more than ", kMaxNodes, " nodes");
  const auto at = number_of_.emplace(id, static_cast<NodeId>(size())).first;
  names_.push_back(&at->first);
  return at->second;
}

std::string IdMap::expected() const {
  if (!numbers_) return "a known node id";
  return cat("a node number 0..", count_ - 1, origin_.empty() ? "" : cat(" (", origin_, ")"));
}

std::vector<std::string> IdMap::names() const {
  bool natural = true;
  for (Index i = 0; natural && !numbers_ && i < size(); ++i) natural = name(i) == cat(i);
  std::vector<std::string> out;
  if (natural) return out;
  out.reserve(names_.size());
  for (const std::string* name : names_) out.push_back(*name);
  return out;
}

}  // namespace scrl
