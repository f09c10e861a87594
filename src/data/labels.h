// data/labels.h: class labels of a person's own files.
//
// Either "id,label" per line, or one label per line in node order. An empty label, "-1", "?" and
// "NA" mean unlabelled. The first line is a header when it names its columns ("id", "node", ...,
// or "label", "class", ...). Classes are numbered in sorted order, by value when all are integers,
// so that their numbers do not depend on the order of the file.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/id_map.h"
#include "io/byte_stream.h"

namespace scrl {

struct LabelRows {
  std::string file;                 // for messages
  std::vector<std::string> ids;     // by row; empty: rows are in node order
  std::vector<std::string> labels;  // by row; empty: unlabelled
  std::vector<Index> lines;         // by row: its line number
};

LabelRows read_label_rows(std::unique_ptr<ByteStream> stream);

// Sets data.labels and data.classes. Throws when an id is unknown or repeated, or the number of
// rows in node order is not the number of nodes. REQUIRES: data.nodes == ids.size().
void assign_labels(const LabelRows& rows, const IdMap& ids, Dataset& data);

}  // namespace scrl
