// run/embedding2d_file.h: points to be laid out in the plane, from a run, a file or a data set, and
// the coordinates as a file, always with the user's own ids.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

struct NamedPoints {
  Matrix dense;
  std::optional<Csr> sparse;                   // if given, the points are these and not `dense`
  std::vector<std::string> ids;                // one per point
  std::vector<std::string> label, prediction;  // one per point, or none: not known

  Index count() const { return static_cast<Index>(ids.size()); }
  Index dimensions() const { return sparse ? sparse->cols : dense.cols(); }
};

// `what` is, in this order: a run folder (its embeddings and predictions), a model.scrl, an array
// of numbers in a .npy file, a table in a .csv, .tsv or .txt file with or without ids, or a data
// set (its features and labels). Throws Error(kData) naming file and line, also where a number is
// not finite.
NamedPoints read_points(const std::string& what);

// Labels of the nodes of a data set, matched by id; a point without one gets an empty text.
void add_labels(NamedPoints& points, const std::string& data);

// id,x,y and, where they are known, label and prediction.
std::string coordinates_csv(const NamedPoints& points, const Matrix& coordinates);

// Coordinates written before: a .npy file with rows in order, or a CSV whose columns include id, x
// and y and whose rows are in any order; rows of other ids are left out.
Matrix read_coordinates(const std::string& path, const std::vector<std::string>& ids);

}  // namespace scrl
