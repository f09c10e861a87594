// data/labels.h: class labels of a person's own files.
//
// Either "id,label" per line, or one label per line in node order. An empty label, "-1", "?" and
// "NA" mean unlabelled. The first line looks like a header when it names its columns ("id", "node",
// ..., or "label", "class", ...). With two columns it is one unless its id is that of a
// node; with one, unless its label occurs again. Classes are numbered in sorted order, by value
// when all are integers, so that their numbers do not depend on the order of the file.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/id_map.h"
#include "io/byte_stream.h"

namespace scrl {

// Rows are held by number: a packed file of a few bytes may have very many.
struct LabelRows {
  std::string file;                  // for messages
  bool keyed = false;                // false: rows are in node order
  IdMap ids;                         // by row, if keyed
  std::vector<std::int32_t> labels;  // by row: index into `names`; kUnlabelled
  std::vector<std::string> names;    // in order of appearance
  std::vector<Index> lines;          // by row: its line number, if keyed
  bool maybe_header = false;         // the first row looks like a header
  Index first = 0;                   // 1: the first row is a header

  Index rows() const { return static_cast<Index>(labels.size()) - first; }
};

LabelRows read_label_rows(std::unique_ptr<ByteStream> stream);

// What tells a row from a header: its id is known; or, with one column, its label occurs again and
// the number of rows does not speak for a header.
bool first_row_is_of_a_node(const LabelRows& rows, const IdMap& ids);

// A sign that the first row is no header, for use where ids are not known: its label is also that
// of another row, and its id not the name of a column. REQUIRES: rows have ids.
bool first_row_is_like_others(const LabelRows& rows);

// Drops a first row that may be a header unless `is_row`. Throws when no row is left.
void resolve_header(LabelRows& rows, bool is_row);

// Sets data.labels and data.classes. Throws when an id is unknown or repeated, or the number of
// rows in node order is not the number of nodes. REQUIRES: data.nodes == ids.size(),
// resolve_header() was called.
void assign_labels(const LabelRows& rows, const IdMap& ids, Dataset& data);

// "", "-1", "?" and "NA".
bool means_unlabelled(std::string_view label);

// By value when all are integers, else by bytes.
std::vector<std::string> sorted_classes(std::vector<std::string> classes);

// Gives the classes of `data` the numbers that `listed` says, some of which may have no node.
// Throws when a class is not listed; `where` says where the list is.
void order_classes(std::vector<std::string> listed, const std::string& where, Dataset& data);

}  // namespace scrl
