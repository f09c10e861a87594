// rows.h: matrices and data sets that borrow the arrays of the caller.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "binding.h"
#include "scrl/dataset.h"
#include "scrl/model.h"

namespace scrl::python {

using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Compressed sparse rows as SciPy holds them.
struct Rows {
  AnyArray row_ptr, col;
  Array<float> val;
  Index rows, cols;

  CsrView view() const {
    return {rows, cols, indices(row_ptr), indices(col), {val.data(), val.size()}};
  }

 private:
  static IndexView indices(const AnyArray& a) {
    if (a.dtype() == nb::dtype<std::int32_t>())
      return std::span(static_cast<const std::int32_t*>(a.data()), a.size());
    if (a.dtype() == nb::dtype<std::int64_t>())
      return std::span(static_cast<const std::int64_t*>(a.data()), a.size());
    throw nb::type_error("indices: expected int32 or int64");
  }
};

// What a model is trained on. Without edges of its own, methods that need some take the feature
// graph: made_edges() makes it.
struct TrainingData {
  Rows features;
  std::optional<Rows> edges;
  Array<std::int32_t> labels;
  std::vector<std::string> classes;
  Array<std::int32_t> train, val;

  Dataset dataset() const;
};

inline Dataset TrainingData::dataset() const {
  Dataset data;
  data.name = data.source = "data";
  data.nodes = features.rows;
  data.lent_features = features.view();
  if (edges) data.lent_edges = edges->view();
  data.labels = copy_of(labels);
  data.classes = classes;
  if (train.size() > 0) data.splits = {{.train = copy_of(train), .val = copy_of(val)}};
  return data;
}

// Class numbers, probabilities and embeddings.
inline nb::tuple arrays_of(Predictions p) {
  const std::size_t classes = p.classes.size();
  return nb::make_tuple(
      to_numpy(std::move(p.label)), to_numpy(std::move(p.probabilities), classes),
      to_numpy(std::move(p.embeddings), static_cast<std::size_t>(p.embedding_size)));
}

}  // namespace scrl::python
