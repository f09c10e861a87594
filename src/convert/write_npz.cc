#include <array>

#include "base/error.h"
#include "convert/write_layout.h"
#include "io/archive_writer.h"
#include "io/npy_write.h"

namespace scrl {

void write_npz(const Dataset& data, const std::string& path) {
  ArchiveWriter archive(path);
  const auto put = [&](const std::string& name, const std::string& array) {
    archive.add(name + ".npy", array);
  };
  const Csr& X = data.features;
  const std::array<Index, 2> shape = {X.rows, X.cols};
  put("edge_index", npy_of_pairs(data.edges.source, data.edges.target));
  if (!data.edges.weight.empty()) put("edge_weight", npy_of(std::span(data.edges.weight)));
  put("attr_data", npy_of(std::span(X.val)));
  put("attr_indices", npy_of(std::span(X.col)));
  put("attr_indptr", npy_of(std::span(X.row_ptr)));
  put("attr_shape", npy_of(std::span(shape)));
  put("labels", npy_of(std::span(data.labels)));
  if (!data.classes.empty()) put("class_names", npy_of_texts(data.classes));
  if (!data.ids.empty()) put("node_names", npy_of_texts(data.ids));
  for (const auto& [name, nodes] : split_parts(data)) put(name, npy_of(std::span(*nodes)));
  for (const auto& [k, edges] : data.knn_files) {
    put(cat("knn", k), npy_of_pairs(edges.source, edges.target));
    if (!edges.weight.empty()) put(cat("knn", k, "_weight"), npy_of(std::span(edges.weight)));
  }
  archive.finish();
}

}  // namespace scrl
