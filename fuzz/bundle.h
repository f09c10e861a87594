// fuzz/bundle.h: one input of a fuzz target: a few named files in one string of bytes.
//
//   === edges.csv
//   a,b
//   === model.scrl/meta
//   {"format": 5}
//
// A line "=== NAME" begins a part; the end of line before the next one belongs to it. A name with
// ".scrl/" in it is one section of a container: parts of the same container are packed into one
// file whose checksums are right, so that mutations reach what stands behind them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace scrl::fuzz {

struct Part {
  std::string name, content;
};
using Bundle = std::vector<Part>;

Bundle parse_bundle(std::string_view bytes);  // what stands before the first name is left out
std::string bundle_text(const Bundle& bundle);

const Part* find_part(const Bundle& bundle, std::string_view name);  // nullptr: there is none

// Writes all parts below `folder`, which is emptied before. Names that would lead out of it are
// left out. `replace` = {"@KEY@", text} puts a text that only the running program knows.
struct Replacement {
  std::string_view what, with;
};
void write_bundle(const Bundle& bundle, const std::string& folder,
                  const std::vector<Replacement>& replace = {});

// A folder of this process, in memory where the system has such a place. Kept until it ends.
std::string scratch_folder(std::string_view name);

}  // namespace scrl::fuzz
