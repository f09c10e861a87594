// convert/write_layout.h: a data set as the files of each layout (docs/formats.md), exact to the
// bit. REQUIRES of all: what fitted() made of it for this layout.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/dataset.h"

namespace scrl {

// Into an existing folder.
void write_folder(const Dataset& data, const std::string& folder);
void write_amgcn(const Dataset& data, const std::string& folder);
void write_planetoid(const Dataset& data, const std::string& folder);
// One file.
void write_npz(const Dataset& data, const std::string& path);
void write_graphml(const Dataset& data, const std::string& path);

// The parts of all splits with their names: "train20", "val20", ...; also those without nodes.
std::vector<std::pair<std::string, const std::vector<NodeId>*>> split_parts(const Dataset& data);

// train20.txt and so on, of the layouts that have such files.
void write_splits(const Dataset& data, const std::string& folder);

// The stem of file names that carry the name of the data set.
std::string file_stem(const Dataset& data);

// Whether one of these functions would give a file this name (relative to the folder).
bool is_name_of_a_part(std::string_view name);

}  // namespace scrl
