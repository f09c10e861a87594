// data/dense_features.h: a text table of numbers, one row per node; zeros are dropped while
// reading.
//
// Numbers are separated by a tab, semicolon, comma or spaces, whichever the first line has. In a
// kTable the first line is a header when its first field is "id", "node", "name", ... or empty, or
// when all other fields are names. The first column holds node ids when the header calls it so (or
// nothing), or when its first entry is not a number; otherwise rows are in node order.
#pragma once
#include <memory>

#include "data/feature_rows.h"
#include "io/byte_stream.h"

namespace scrl {

enum class DenseLayout { kNumbers, kTable };

// `columns`: how many values a row must have; -1: as many as the first.
FeatureRows read_dense_features(std::unique_ptr<ByteStream> stream, DenseLayout layout,
                                Index columns = -1);

}  // namespace scrl
