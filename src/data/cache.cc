#include "data/cache.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "data/sections.h"
#include "io/atomic_file.h"
#include "io/container.h"
#include "io/paths.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;

// Part of the key: raise it whenever a reader changes what it makes of a file.
constexpr std::uint32_t kCacheVersion = 5;
constexpr const char* kKind = "cache";

// Where copies live; empty: nowhere.
std::string cache_folder() {
  const auto variable = [](const char* name) -> std::string_view {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (const auto own = variable("SCRL_CACHE"); !own.empty()) {
    return own == "off" ? std::string() : std::string(own);
  }
  if (const auto xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/')) return cat(xdg, "/scrl");
  if (const auto home = variable("HOME"); home.starts_with('/')) return cat(home, "/.cache/scrl");
  return {};
}

std::string path_of(const Source& source) { return absolute_path(source.path()); }

// One file per path, so that a data set that changes replaces its copy.
std::string cache_file(const Source& source) {
  return cat(cache_folder(), "/", Hasher().text(path_of(source)).hex(), ".", kKind);
}

std::string cache_key(const Source& source) {
  Hasher hasher;
  hasher.number(kCacheVersion).text(path_of(source)).number(source.files().size());
  for (const SourceFile& file : source.files()) {
    hasher.text(file.name).number(static_cast<std::uint64_t>(file.size)).number(file.stamp);
  }
  return hasher.hex();
}

ContainerWriter pack(const Source& source, const Dataset& data) {
  ContainerWriter out(kKind, kCacheVersion);
  out.add_text("key", cache_key(source));
  out.add_text("name", data.name);
  out.add_text("source", data.source);
  const Csr& x = data.features;
  out.add_array("sizes", std::vector<Index>{data.nodes, x.rows, x.cols});
  put_texts(out, "ids", data.ids);
  put_texts(out, "classes", data.classes);
  put_edges(out, "edges", data.edges);
  put_features(out, x);
  out.add_array("labels", data.labels);
  put_splits(out, data.splits);
  std::vector<std::int32_t> ks;
  for (const auto& [k, edges] : data.knn_files) {
    ks.push_back(k);
    put_edges(out, cat("knn", k), edges);
  }
  out.add_array("knn.ks", ks);
  return out;
}

Dataset unpack(const ContainerReader& in) {
  Dataset data{.name = std::string(in.text("name")), .source = std::string(in.text("source"))};
  const auto sizes = in.array<Index>("sizes");
  check(sizes.size() == 3, "sizes: expected 3");
  data.nodes = sizes[0];
  data.ids = get_texts(in, "ids");
  data.classes = get_texts(in, "classes");
  data.edges = get_edges(in, "edges");
  data.features = get_features(in, sizes[1], sizes[2]);
  data.labels = copy<std::int32_t>(in, "labels");
  data.splits = get_splits(in);
  for (const std::int32_t k : in.array<std::int32_t>("knn.ks")) {
    data.knn_files[k] = get_edges(in, cat("knn", k));
  }
  return data;
}

}  // namespace

std::optional<Dataset> cache_get(const Source& source) {
  try {
    if (cache_folder().empty()) return std::nullopt;
    const ContainerReader in(cache_file(source), kKind, kCacheVersion);
    if (in.version() != kCacheVersion || in.text("key") != cache_key(source)) return std::nullopt;
    Dataset data = unpack(in);
    validate(data);  // anyone may have written the file
    return data;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void cache_put(const Source& source, const Dataset& data) {
  try {
    if (cache_folder().empty()) return;
    make_directories(cache_folder());
    pack(source, data).write(cache_file(source));
  } catch (const std::exception&) {
    // A full disk or a read-only home only costs time at the next load.
  }
}

}  // namespace scrl
