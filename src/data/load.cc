#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "data/amgcn.h"
#include "data/cache.h"
#include "data/data_name.h"
#include "data/dataset.h"
#include "data/demo.h"
#include "data/folder.h"
#include "data/graphml.h"
#include "data/knn_file.h"
#include "data/npz_graph.h"
#include "data/ogb.h"
#include "data/parts.h"
#include "data/planetoid.h"
#include "io/fields.h"
#include "io/paths.h"
#include "io/run_mark.h"
#include "io/source.h"
#include "io/utf8.h"
#include "scrl/dataset.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;

bool is_demo(std::string_view what) { return what == "demo" || what.starts_with("demo:"); }

// "data/BlogCatalog.zip" -> "blogcatalog".
std::string name_of(const std::string& path) {
  fs::path whole = absolute_path(path);
  if (!whole.has_filename()) whole = whole.parent_path();  // "acm/"
  std::string name = lower(whole.filename().string());
  for (const std::string_view ending : {".gz", ".graphml", ".zip", ".npz"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

// Folders and .zip files below $SCRL_DATA.
std::vector<std::string> data_sets_in(const std::string& root) {
  std::vector<std::string> names;
  const std::error_code error = visit_names(root, [&](const std::string& name) {
    if (name.starts_with('.')) return;
    const std::string lowered = lower(name);
    if (lowered.ends_with(".zip") || lowered.ends_with(".npz") || is_graphml_name(lowered) ||
        is_folder(cat(root, "/", name)))
      names.push_back(name);
  });
  if (error) fail(ErrorKind::kData, "SCRL_DATA=", root, ": cannot list: ", error.message());
  std::sort(names.begin(), names.end());
  return names;
}

std::string find_by_name(const std::string& what) {
  const char* const root = std::getenv("SCRL_DATA");
  const char* const here = is_run_folder(what) ? ": the folder of a run, not of a data set"
                                               : ": no such folder or zip archive";
  if (root == nullptr || *root == '\0') {
    fail(ErrorKind::kData, what, here, "; to use a data set by its name, ",
         "set SCRL_DATA to the folder that holds it (or try the built-in data set: demo)");
  }
  const std::vector<std::string> names = data_sets_in(root);
  // An exact name wins over one in another case, a folder over an archive.
  for (const bool any_case : {false, true}) {
    for (const char* ending : {"", ".zip", ".npz", ".graphml", ".graphml.gz"}) {
      for (const std::string& name : names) {
        const std::string wanted = what + ending;
        if (any_case ? lower(name) == lower(wanted) : name == wanted) return cat(root, "/", name);
      }
    }
  }
  std::string known;
  for (const std::string& name : names) known += cat(known.empty() ? "" : ", ", name);
  fail(ErrorKind::kData, what, here, ", and not below SCRL_DATA=", root, ", which holds ",
       known.empty() ? "no data sets" : known);
}

Dataset read_source(const Source& source, const std::string& label) {
  if (is_graphml(source)) return read_graphml(source, label);
  if (!label.empty())
    fail(ErrorKind::kUsage, source.path(), ": :label= names an attribute of a .graphml file");
  if (is_npz_graph(source)) return read_npz_graph(source);
  if (is_planetoid(source)) return read_planetoid(source);
  if (is_ogb(source)) return read_ogb(source);
  if (is_amgcn(source)) return read_amgcn(source);
  return read_folder(source);
}

}  // namespace

std::string dataset_path(const std::string& what) {
  DataName name = data_name(what);
  // After `scrl train acm -o acm` the name still means the data set below $SCRL_DATA.
  if (!is_demo(name.place) && (!exists(name.place) || is_run_folder(name.place)))
    name.place = find_by_name(name.place);
  return to_text(name);
}

Dataset load_dataset(const std::string& what, const LoadOptions& options) {
  DataName name = data_name(what);
  if (!name.knn_file.empty()) {
    const std::string knn_file = std::exchange(name.knn_file, "");
    Dataset data = load_dataset(to_text(name), options);
    add_knn_file(data, knn_file);
    data.source = what;
    return data;
  }
  if (is_demo(what)) {
    Dataset data = make_demo(std::string_view(what).substr(4));
    data.source = what;
    validate(data);
    return data;
  }
  const std::string label = std::exchange(name.label, "");
  const std::string path = dataset_path(to_text(name));
  // Settings, models and results name the data in JSON and TOML.
  if (!is_utf8(absolute_path(path)))
    fail(ErrorKind::kUsage, what, ": expected a path in UTF-8, found other bytes in it; rename it");
  if (is_parts(path)) {  // binary already, under the name that it had before
    if (!label.empty())
      fail(ErrorKind::kUsage, path, ": :label= names an attribute of a .graphml file");
    Dataset data = read_parts(path);
    data.source = what;
    validate(data);
    return data;
  }
  const auto source = open_source(path);
  const auto set_names = [&](Dataset& data) {
    data.name = name_of(path);
    data.source = what;
  };
  const bool use_cache = options.use_cache && label.empty();  // a copy is of the default label
  if (use_cache) {
    if (auto cached = cache_get(*source)) {
      set_names(*cached);
      return std::move(*cached);
    }
  }
  Dataset data = read_source(*source, label);
  set_names(data);
  validate(data);
  if (use_cache) cache_put(*source, data);
  return data;
}

}  // namespace scrl
