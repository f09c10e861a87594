#include "data/cache.h"

#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "io/atomic_file.h"
#include "io/container.h"
#include "io/paths.h"

namespace scrl {
namespace {

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

template <class T>
std::vector<T> copy(const ContainerReader& in, const std::string& name) {
  const auto values = in.array<T>(name);
  return {values.begin(), values.end()};
}

// Texts one after the other, and where each ends.
void put_texts(ContainerWriter& out, const std::string& name,
               const std::vector<std::string>& texts) {
  std::string all;
  std::vector<Index> ends;
  for (const std::string& text : texts) {
    all += text;
    ends.push_back(static_cast<Index>(all.size()));
  }
  out.add_text(name, all);
  out.add_array(name + ".ends", ends);
}

std::vector<std::string> get_texts(const ContainerReader& in, const std::string& name) {
  const std::string_view all = in.text(name);
  std::vector<std::string> texts;
  Index begin = 0;
  for (const Index end : in.array<Index>(name + ".ends")) {
    check(begin <= end && end <= static_cast<Index>(all.size()), name, ": bad offsets");
    texts.emplace_back(all.substr(begin, end - begin));
    begin = end;
  }
  return texts;
}

void put_edges(ContainerWriter& out, const std::string& name, const Edges& edges) {
  out.add_array(name + ".source", edges.source);
  out.add_array(name + ".target", edges.target);
  out.add_array(name + ".weight", edges.weight);
}

Edges get_edges(const ContainerReader& in, const std::string& name) {
  return {copy<NodeId>(in, name + ".source"), copy<NodeId>(in, name + ".target"),
          copy<float>(in, name + ".weight")};
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
  out.add_array("features.rows", x.row_ptr);
  out.add_array("features.columns", x.col);
  out.add_array("features.values", x.val);
  out.add_array("labels", data.labels);
  std::vector<std::int32_t> rates, ks;
  for (const Split& split : data.splits) {
    const std::string prefix = cat("split", rates.size(), ".");
    rates.push_back(split.labels_per_class);
    out.add_array(prefix + "train", split.train);
    out.add_array(prefix + "val", split.val);
    out.add_array(prefix + "test", split.test);
  }
  out.add_array("split.rates", rates);
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
  data.features = {.rows = sizes[1],
                   .cols = sizes[2],
                   .row_ptr = copy<Index>(in, "features.rows"),
                   .col = copy<NodeId>(in, "features.columns"),
                   .val = copy<float>(in, "features.values")};
  data.labels = copy<std::int32_t>(in, "labels");
  for (const std::int32_t rate : in.array<std::int32_t>("split.rates")) {
    const std::string prefix = cat("split", data.splits.size(), ".");
    data.splits.push_back({rate, copy<NodeId>(in, prefix + "train"),
                           copy<NodeId>(in, prefix + "val"), copy<NodeId>(in, prefix + "test")});
  }
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
