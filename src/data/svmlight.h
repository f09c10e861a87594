// data/svmlight.h: sparse features as text: "id column:value column:value ...", one row per node.
//
// The first token of a row is the node id. When the first row starts with a column:value pair, no
// row has an id and rows are in node order. Columns are numbered as written: nothing is subtracted,
// so a file that counts from 1 gets an empty column 0. The rest of a line after " #" is a comment.
#pragma once
#include <memory>

#include "data/feature_rows.h"
#include "io/byte_stream.h"

namespace scrl {

// A column that is not below `columns` is refused.
FeatureRows read_svmlight_features(std::unique_ptr<ByteStream> stream, Index columns = kMaxNodes);

}  // namespace scrl
