// data/parts_layout.h: names of the files and sections of data/parts.h. Internal to it.
#pragma once
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/types.h"

namespace scrl::parts {

inline constexpr std::uint32_t kVersion = 1;
inline constexpr const char *kManifestKind = "parts", *kBlockKind = "block";

inline std::string manifest_file(const std::string& folder) { return folder + "/parts.scrl"; }

inline std::string block_name(Index block) {
  const std::string digits = std::to_string(block);
  return cat("block-", std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0'), digits,
             ".scrl");
}
inline std::string block_file(const std::string& folder, Index block) {
  return cat(folder, "/", block_name(block));
}
inline bool is_block_name(const std::string& name) {
  return name.starts_with("block-") && name.ends_with(".scrl");
}

inline std::string knn_section(int k) { return cat("knn", k); }

}  // namespace scrl::parts
