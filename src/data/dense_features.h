// data/dense_features.h: a text table of numbers, one row per node; zeros are dropped while
// reading.
//
// Numbers are separated by a tab, semicolon, comma or spaces, whichever the first line has. In a
// kTable the first line is a header when any field but the first is not a number. The first column
// holds node ids when the header names it so ("id", "node", "name", ... or nothing at all), or when
// it does not start with a number; otherwise rows are in node order.
#pragma once
#include <memory>

#include "data/feature_rows.h"
#include "io/byte_stream.h"

namespace scrl {

enum class DenseLayout { kNumbers, kTable };

FeatureRows read_dense_features(std::unique_ptr<ByteStream> stream, DenseLayout layout);

}  // namespace scrl
