#include "data/feature_file.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "data/dense_features.h"
#include "data/features_numpy.h"
#include "data/matrix_market.h"
#include "data/svmlight.h"

namespace scrl {
namespace {

bool is_table(std::string_view ending) {
  return ending == "csv" || ending == "tsv" || ending == "txt";
}

}  // namespace

FeatureRows read_features(const Source& source, const std::string& file, std::string_view ending) {
  FeatureRows rows;
  if (ending == "npz" && file.ends_with(".gz")) {
    fail(ErrorKind::kData, source.path(), "/", file,
         ": a .npz file is packed already and read only as such; gunzip it first");
  }
  if (ending == "npz" || ending == "npy") {
    const std::string path = source.file_path(file);
    if (path.empty()) {
      fail(ErrorKind::kData, source.path(), "/", file, ": a .", ending,
           " file inside a zip archive is not supported; unpack the archive");
    }
    rows.values = ending == "npz" ? read_features_npz(path) : read_features_npy(path);
  } else if (ending == "mtx") {
    rows.values = read_matrix_market(source.open(file));
  } else if (is_table(ending)) {
    rows = read_dense_features(source.open(file), DenseLayout::kTable);
  } else {
    rows = read_svmlight_features(source.open(file));
  }
  if (rows.values.rows == 0) {
    fail(ErrorKind::kData, source.path(), "/", file,
         ": expected one row per node, found no rows, so that there are no nodes");
  }
  return rows;
}

FeatureRows read_feature_file(const std::string& path, Index columns) {
  std::string name = std::filesystem::path(path).filename();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const std::string ending = name.substr(std::min(name.rfind('.'), name.size() - 1) + 1);
  if (std::ranges::find(kFeatureEndings, ending) == std::end(kFeatureEndings))
    fail(ErrorKind::kUsage, path, ": expected a file of features named .csv, .tsv, .txt, .svm, ",
         ".svmlight, .libsvm, .mtx, .npz or .npy");
  FeatureRows rows;
  if (ending == "npz" || ending == "npy") {
    rows.values = ending == "npz" ? read_features_npz(path) : read_features_npy(path);
  } else if (ending == "mtx") {
    rows.values = read_matrix_market(open_file(path));
  } else if (is_table(ending)) {
    rows = read_dense_features(open_file(path), DenseLayout::kTable, columns);
  } else {
    rows = read_svmlight_features(open_file(path), columns);
    rows.values.cols = columns;  // a line names only columns that are not 0
  }
  if (rows.values.cols != columns)
    fail(ErrorKind::kData, path, ": expected ", columns,
         " columns, those of the training data, found ", rows.values.cols);
  return rows;
}

}  // namespace scrl
