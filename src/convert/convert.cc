#include "convert/convert.h"

#include <filesystem>

#include "base/error.h"
#include "convert/write_layout.h"
#include "io/paths.h"
#include "io/pending_folder.h"

namespace scrl {
namespace {

// Everything that a folder holds must be of a data set that was written here before.
void require_own_folder(const std::string& folder) {
  const auto refuse = [&](const std::string& name) {
    fail(ErrorKind::kUsage, folder, "/", name,
         ": is there already and not part of a data set that ",
         "this command wrote; --force would remove it. Give another -o");
  };
  for (const std::string& name : names_in(folder)) {
    const std::string path = folder + "/" + name;
    if (name == "knn" && is_folder(path)) {
      for (const std::string& inner : names_in(path))
        if (!is_name_of_a_part("knn/" + inner)) refuse("knn/" + inner);
    } else if (!is_name_of_a_part(name) || !is_file(path)) {
      refuse(name);
    }
  }
}

void check_place(const std::string& out, DataLayout layout, bool force) {
  const std::string ending = cat(".", name_of(layout));
  if (is_one_file(layout) && !out.ends_with(ending))
    fail(ErrorKind::kUsage, out, ": layout ", name_of(layout),
         " is one file; expected a name that ", "ends in ", ending);
  if (!exists(out)) return;
  if (is_one_file(layout) == is_folder(out))
    fail(ErrorKind::kUsage, out, ": is a ", is_folder(out) ? "folder" : "file", "; layout ",
         name_of(layout), " is a ", is_folder(out) ? "file" : "folder", ". Give another -o");
  if (is_folder(out) && names_in(out).empty()) return;
  if (!force)
    fail(ErrorKind::kUsage, out, ": is there already; give --force to replace it, or another -o");
  if (is_folder(out)) require_own_folder(out);
}

void write(const Dataset& data, DataLayout layout, const std::string& path) {
  switch (layout) {
    case DataLayout::kFolder:
      return write_folder(data, path);
    case DataLayout::kAmgcn:
      return write_amgcn(data, path);
    case DataLayout::kPlanetoid:
      return write_planetoid(data, path);
    case DataLayout::kNpz:
      return write_npz(data, path);
    case DataLayout::kGraphml:
      return write_graphml(data, path);
  }
}

// The part that differs, for a message.
std::string first_difference(const Dataset& a, const Dataset& b) {
  const auto same = [](const Csr& x, const Csr& y) {
    return x.rows == y.rows && x.cols == y.cols && x.row_ptr == y.row_ptr && x.col == y.col &&
           x.val == y.val;
  };
  if (a.nodes != b.nodes || a.ids != b.ids) return "node ids";
  if (a.edges.source != b.edges.source || a.edges.target != b.edges.target) return "edges";
  if (a.edges.weight != b.edges.weight) return "weights of edges";
  if (!same(a.features, b.features)) return "features";
  if (a.classes != b.classes) return "class names";
  if (a.labels != b.labels) return "labels";
  if (a.knn_files.size() != b.knn_files.size()) return "feature graphs";
  return "splits";
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

Converted convert(ConvertRequest request) {
  const std::string out = behind_link(without_slash(request.out));
  check_place(out, request.layout, request.force);
  Fitted fit = fitted(std::move(request.data), request.layout);
  if (!fit.lost.empty() && !request.allow_loss) {
    std::string all;
    for (const std::string& line : fit.lost) all += cat(all.empty() ? "" : "; ", line);
    fail(ErrorKind::kUsage, fit.data.source, ": layout ", name_of(request.layout),
         " has no place for ", all, ". Give --allow-loss to write it without, or --to npz, which ",
         "holds everything");
  }
  PendingFolder pending(out);
  const std::string name = std::filesystem::path(out).filename().string();
  const std::string path = is_one_file(request.layout) ? pending.file(name) : pending.path();
  write(fit.data, request.layout, path);
  const Dataset again = load_dataset(path, {.use_cache = false});
  Converted done{std::move(fit.lost), std::move(fit.notes), fingerprint(again)};
  if (done.fingerprint != fingerprint(fit.data))
    fail(ErrorKind::kRun, out, ": not written: read back, its ", first_difference(fit.data, again),
         " differ; layout npz holds all that there can be");
  is_one_file(request.layout) ? pending.become_target(name) : pending.become_target();
  return done;
}

}  // namespace scrl
