// tests/linear/points.h: labelled points for the tests of heads.
#pragma once
#include <numeric>
#include <vector>

#include "base/rng.h"
#include "tensor/matrix.h"

namespace scrl {

struct Labelled {
  Matrix Z;
  std::vector<NodeId> rows;
  std::vector<std::int32_t> labels;
};

// Classes in turn; points spread around the centre of their class, `apart` from others.
inline Labelled blobs(Index count, Index columns, Index classes, double apart, std::uint64_t seed) {
  Labelled out{Matrix(count, columns), std::vector<NodeId>(static_cast<std::size_t>(count)), {}};
  std::iota(out.rows.begin(), out.rows.end(), NodeId{0});
  Rng rng(seed);
  Matrix centre(classes, columns);
  for (Index c = 0; c < classes; ++c)
    for (Index j = 0; j < columns; ++j) centre(c, j) = static_cast<float>(apart * rng.normal());
  for (Index i = 0; i < count; ++i) {
    out.labels.push_back(static_cast<std::int32_t>(i % classes));
    for (Index j = 0; j < columns; ++j)
      out.Z(i, j) = centre(i % classes, j) + static_cast<float>(rng.normal());
  }
  return out;
}

inline Matrix matrix_of(Index rows, Index cols, std::vector<float> values) {
  Matrix out(rows, cols);
  out.assign_packed(values);
  return out;
}

}  // namespace scrl
