#include "base/error.h"
#include "convert/write_layout.h"
#include "io/atomic_file.h"

namespace scrl {
namespace {

void write_edges(const Edges& edges, const std::string& path) {
  AtomicFile file(path);
  for (std::size_t e = 0; e < edges.source.size(); ++e)
    file.write(cat(edges.source[e], "\t", edges.target[e], "\n"));
  file.become_target();
}

// Dense rows; what is not stored is 0.
void write_features(const Csr& X, const std::string& path) {
  AtomicFile file(path);
  std::string line;
  for (Index i = 0; i < X.rows; ++i) {
    line.clear();
    const auto columns = X.row_cols(i);
    const auto values = X.row_vals(i);
    std::size_t e = 0;
    for (Index j = 0; j < X.cols; ++j) {
      if (j > 0) line += ' ';
      if (e < columns.size() && columns[e] == j)
        detail::append(line, values[e++]);
      else
        line += '0';
    }
    file.write(line += '\n');
  }
  file.become_target();
}

}  // namespace

void write_amgcn(const Dataset& data, const std::string& folder) {
  const std::string stem = folder + "/" + file_stem(data);
  write_edges(data.edges, stem + ".edge");
  write_features(data.features, stem + ".feature");
  AtomicFile labels(stem + ".label");
  for (const std::int32_t label : data.labels) labels.write(cat(label, "\n"));
  labels.become_target();
  write_splits(data, folder);
  if (!data.knn_files.empty()) make_directories(folder + "/knn");
  for (const auto& [k, edges] : data.knn_files)
    write_edges(edges, cat(folder, "/knn/c", k, ".txt"));
}

}  // namespace scrl
