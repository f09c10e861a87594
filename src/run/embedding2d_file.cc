#include "run/embedding2d_file.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "data/dense_features.h"
#include "io/fields.h"
#include "io/npy.h"
#include "io/paths.h"
#include "run/model_file.h"
#include "run/outputs.h"
#include "run/run_folder.h"
#include "scrl/dataset.h"

namespace scrl {
namespace {

bool ends_with(const std::string& text, std::string_view ending) {
  return lower(text).ends_with(ending);
}

std::vector<std::string> numbers(Index count) {
  std::vector<std::string> out(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) out[i] = std::to_string(i);
  return out;
}

Matrix read_array(const std::string& path) {
  NpyReader reader(open_file(path));
  const NpyHeader& header = reader.header();
  if (header.shape.size() != 2 || header.fortran_order) {
    fail(ErrorKind::kData, path, ": expected an array of points x numbers in row order, found ",
         header.shape.size(), header.fortran_order ? " dimensions in column order" : " dimensions");
  }
  const Index rows = header.shape[0], cols = header.shape[1];
  const std::vector<float> values = reader.rest<float>();
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad != values.end()) {
    const Index at = bad - values.begin();
    fail(ErrorKind::kData, path, ": row ", at / cols, ", column ", at % cols,
         ": expected a finite number, found ", *bad, "; the model that made it may have diverged");
  }
  Matrix out(rows, cols);
  out.assign_packed(values);
  return out;
}

NamedPoints read_table(const std::string& path) {
  const FeatureRows rows = read_dense_features(open_file(path), DenseLayout::kTable);
  NamedPoints out;
  out.dense = Matrix(rows.values.rows, rows.values.cols);
  for (Index i = 0; i < rows.values.rows; ++i)
    for (Index e = rows.values.row_ptr[i]; e < rows.values.row_ptr[i + 1]; ++e)
      out.dense(i, rows.values.col[e]) = rows.values.val[e];
  out.ids = numbers(out.dense.rows());
  for (Index i = 0; rows.keyed && i < out.dense.rows(); ++i) out.ids[i] = rows.ids.name(i);
  return out;
}

std::vector<std::string> read_ids(const std::string& path) {
  LineReader reader(open_file(path));
  std::vector<std::string> out;
  while (reader.next_any()) out.push_back(unquoted(reader.line()));
  return out;
}

std::vector<std::string> read_predictions(const std::string& path,
                                          const std::vector<std::string>& ids) {
  LineReader reader(open_file(path));
  Fields fields(Separator::kComma);
  std::vector<std::string> out;
  reader.next_any();  // the header
  while (reader.next_any()) {
    const auto row = fields.split(reader);
    const std::size_t at = out.size();
    if (row.size() < 2 || at >= ids.size() || row[0] != ids[at])
      reader.fail("expected the nodes of ids.txt in their order, found ", shown(row[0]));
    out.emplace_back(row[1]);
  }
  if (out.size() != ids.size())
    fail(ErrorKind::kData, path, ": expected ", ids.size(), " nodes, found ", out.size());
  return out;
}

NamedPoints read_run(const std::string& folder) {
  NamedPoints out;
  out.dense = read_array(folder + "/embeddings.npy");
  out.ids = read_ids(folder + "/ids.txt");
  if (out.count() != out.dense.rows()) {
    fail(ErrorKind::kData, folder, ": ids.txt has ", out.count(), " ids, embeddings.npy ",
         out.dense.rows(), " rows; these are not of one run");
  }
  if (const std::string file = folder + "/predictions.csv"; exists(file))
    out.prediction = read_predictions(file, out.ids);
  return out;
}

NamedPoints of_model(const std::string& path) {
  const LoadedModel m = load_model(path, load_dataset(data_of_model(path)));
  NamedPoints out;
  out.dense = Matrix(m.data.nodes, m.model->embedding.value().cols());
  out.dense.assign_packed(m.model->embedding.value().packed());
  for (Index i = 0; i < m.data.nodes; ++i) out.ids.push_back(m.data.id(i));
  const std::vector<std::string>& classes = m.facts.classes;
  const Matrix& log_probs = m.model->log_probs.value();
  for (Index i = 0; i < m.data.nodes; ++i) {
    const auto row = log_probs.row_span(i);
    out.prediction.push_back(classes[std::max_element(row.begin(), row.end()) - row.begin()]);
  }
  return out;
}

std::string label_of(const Dataset& data, Index node) {
  const std::int32_t c = data.labels.empty() ? kUnlabelled : data.labels[node];
  return c == kUnlabelled ? std::string() : data.classes[c];
}

NamedPoints of_data(const std::string& what) {
  Dataset data = load_dataset(what);
  NamedPoints out;
  for (Index i = 0; i < data.nodes; ++i) {
    out.ids.push_back(data.id(i));
    out.label.push_back(label_of(data, i));
  }
  out.sparse = std::move(data.features);
  return out;
}

// Position of the column `name` in a header.
std::size_t column(const std::vector<std::string_view>& header, std::string_view name,
                   const LineReader& reader) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) reader.fail("expected a column '", name, "' as in id,x,y; found none");
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

NamedPoints read_points(const std::string& what) {
  if (exists(what + "/embeddings.npy") && exists(what + "/ids.txt")) return read_run(what);
  if (exists(what + "/model.scrl")) return of_model(what + "/model.scrl");
  if (is_folder(what) || !exists(what)) {
    for (const char* const ending : {".npy", ".scrl", ".csv", ".tsv"})
      if (ends_with(what, ending)) fail(ErrorKind::kData, what, ": no such file");
    return of_data(what);
  }
  if (ends_with(what, ".scrl")) return of_model(what);
  if (ends_with(what, ".npy")) {
    NamedPoints out;
    out.dense = read_array(what);
    out.ids = numbers(out.dense.rows());
    return out;
  }
  for (const char* const ending : {".csv", ".tsv", ".txt"})
    if (ends_with(what, ending)) return read_table(what);
  return of_data(what);
}

void add_labels(NamedPoints& points, const std::string& data) {
  const Dataset set = load_dataset(data);
  std::unordered_map<std::string, Index> node;
  for (Index i = 0; i < set.nodes; ++i) node.emplace(set.id(i), i);
  points.label.clear();
  Index known = 0;
  for (const std::string& id : points.ids) {
    const auto found = node.find(id);
    known += found != node.end() ? 1 : 0;
    points.label.push_back(found == node.end() ? std::string() : label_of(set, found->second));
  }
  if (known == 0) fail(ErrorKind::kData, data, ": no node of it has the id of a point");
}

std::string coordinates_csv(const NamedPoints& points, const Matrix& coordinates) {
  std::string out = "id,x,y";
  if (!points.label.empty()) out += ",label";
  if (!points.prediction.empty()) out += ",prediction";
  out += '\n';
  for (Index i = 0; i < points.count(); ++i) {
    out += cat(csv_field(points.ids[i]), ',', coordinates(i, 0), ',', coordinates(i, 1));
    for (const auto* const names : {&points.label, &points.prediction}) {
      if (names->empty()) continue;
      out += ',';
      if (!(*names)[i].empty()) out += csv_field((*names)[i]);
    }
    out += '\n';
  }
  return out;
}

Matrix read_coordinates(const std::string& path, const std::vector<std::string>& ids) {
  const auto count = static_cast<Index>(ids.size());
  if (ends_with(path, ".npy")) {
    Matrix out = read_array(path);
    if (out.rows() != count || out.cols() != 2) {
      fail(ErrorKind::kData, path, ": expected ", count,
           " rows of 2 numbers, one per point, found ", out.rows(), " rows of ", out.cols());
    }
    return out;
  }
  LineReader reader(open_file(path));
  Fields fields(Separator::kComma);
  if (!reader.next_any()) fail(ErrorKind::kData, path, ": expected coordinates, found nothing");
  const auto header = fields.split(reader);
  const std::size_t id = column(header, "id", reader), x = column(header, "x", reader),
                    y = column(header, "y", reader), width = header.size();
  std::unordered_map<std::string, std::pair<float, float>> place;
  while (reader.next_any()) {
    const auto row = fields.split(reader);
    if (row.size() != width) reader.fail("expected ", width, " fields, found ", row.size());
    place[std::string(row[id])] = {finite_float(row[x], "x", reader),
                                   finite_float(row[y], "y", reader)};
  }
  Matrix out(count, 2);
  for (Index i = 0; i < count; ++i) {
    const auto found = place.find(ids[i]);
    if (found == place.end())
      fail(ErrorKind::kData, path, ": no row for the point ", shown(ids[i]),
           "; every point needs one");
    out(i, 0) = found->second.first, out(i, 1) = found->second.second;
  }
  return out;
}

}  // namespace scrl
