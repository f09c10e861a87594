// data/splits.h: which nodes a model is trained, validated and tested on, one node id per line.
//
// "train20.txt", "val20.txt", "test20.txt" make one Split with labels_per_class = 20; "train.txt",
// "val.txt", "test.txt" (also .csv, .tsv, each possibly .gz) make the only one. A train file may
// stand alone; a val or test file needs its train file.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/id_map.h"
#include "io/source.h"

namespace scrl {

// What the name of a split file, without its ending, or of an array says.
struct SplitRole {
  std::size_t role = 0;  // kSplitRoles
  int rate = 0;          // labels per class; 0: the only split
};
inline constexpr std::array<std::string_view, 3> kSplitRoles = {"train", "val", "test"};
std::optional<SplitRole> parse_split_name(std::string_view stem);  // "val20"; nullopt: no such name

// Nodes by rate and role. Throws Error(kData) "WHERE: ..." when a train part is missing, or the
// only split stands beside others.
using SplitParts = std::map<int, std::array<std::optional<std::vector<NodeId>>, 3>>;
std::vector<Split> splits_of(SplitParts parts, const std::string& where);

// Node ids, one per line, after a header if there is one.
std::vector<NodeId> read_split_file(std::unique_ptr<ByteStream> stream, const IdMap& ids);

// Ascending by labels_per_class; empty when the source has no such files.
std::vector<Split> read_splits(const Source& source, const IdMap& ids);

}  // namespace scrl
