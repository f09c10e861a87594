#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "data/amgcn.h"
#include "data/cache.h"
#include "data/dataset.h"
#include "data/demo.h"
#include "data/folder.h"
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
  if (name.ends_with(".zip")) name.resize(name.size() - 4);
  return name;
}

// Folders and .zip files below $SCRL_DATA.
std::vector<std::string> data_sets_in(const std::string& root) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (name.starts_with('.')) continue;
    if (it->is_directory(ignored) || lower(name).ends_with(".zip")) names.push_back(name);
  }
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
    for (const char* ending : {"", ".zip"}) {
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

Dataset read_source(const Source& source) {
  if (is_planetoid(source)) return read_planetoid(source);
  if (is_amgcn(source)) return read_amgcn(source);
  return read_folder(source);
}

}  // namespace

std::string dataset_path(const std::string& what) {
  // After `scrl train acm -o acm` the name still means the data set below $SCRL_DATA.
  return is_demo(what) || (exists(what) && !is_run_folder(what)) ? what : find_by_name(what);
}

Dataset load_dataset(const std::string& what, const LoadOptions& options) {
  if (is_demo(what)) {
    Dataset data = make_demo(std::string_view(what).substr(4));
    data.source = what;
    validate(data);
    return data;
  }
  const std::string path = dataset_path(what);
  // Settings, models and results name the data in JSON and TOML.
  if (!is_utf8(absolute_path(path)))
    fail(ErrorKind::kUsage, what, ": expected a path in UTF-8, found other bytes in it; rename it");
  if (is_parts(path)) {  // binary already, under the name that it had before
    Dataset data = read_parts(path);
    data.source = what;
    validate(data);
    return data;
  }
  const auto source = open_source(path);
  const auto name = [&](Dataset& data) {
    data.name = name_of(path);
    data.source = what;
  };
  if (options.use_cache) {
    if (auto cached = cache_get(*source)) {
      name(*cached);
      return std::move(*cached);
    }
  }
  Dataset data = read_source(*source);
  name(data);
  validate(data);
  if (options.use_cache) cache_put(*source, data);
  return data;
}

}  // namespace scrl
