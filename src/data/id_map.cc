#include "data/id_map.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "io/fields.h"

namespace scrl {
namespace {

// The half of the hash that does not choose the slot.
std::uint32_t tag_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

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
  if (slots_.empty()) return std::nullopt;
  const NodeId node = slots_[slot_of(id, std::hash<std::string_view>{}(id))].node;
  if (node < 0) return std::nullopt;
  return node;
}

NodeId IdMap::add(std::string_view id) {
  if (2 * (names_.size() + 1) > slots_.size()) grow();
  const std::size_t hash = std::hash<std::string_view>{}(id);
  Slot& slot = slots_[slot_of(id, hash)];
  if (slot.node >= 0) return slot.node;
  if (size() >= kMaxNodes) fail(ErrorKind::kData, "more than ", kMaxNodes, " nodes");
  slot = {tag_of(hash), static_cast<NodeId>(size())};
  names_.emplace_back(id);
  return slot.node;
}

// Where `id` is, or where it would be put.
std::size_t IdMap::slot_of(std::string_view id, std::size_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.node < 0) return at;
    if (slot.tag == tag_of(hash) && names_[static_cast<std::size_t>(slot.node)] == id) return at;
  }
}

void IdMap::grow() {
  slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), Slot{});
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::size_t hash = std::hash<std::string_view>{}(names_[i]);
    slots_[slot_of(names_[i], hash)] = {tag_of(hash), static_cast<NodeId>(i)};
  }
}

std::string IdMap::expected() const {
  if (!numbers_) return "a known node id";
  if (count_ == 0) return "nothing, because there are no nodes";
  return cat("a node number 0..", count_ - 1, origin_.empty() ? "" : cat(" (", origin_, ")"));
}

std::vector<std::string> IdMap::names() const {
  bool natural = true;
  for (Index i = 0; natural && !numbers_ && i < size(); ++i) natural = name(i) == cat(i);
  return natural ? std::vector<std::string>{} : names_;
}

}  // namespace scrl
