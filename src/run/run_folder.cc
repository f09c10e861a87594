#include "run/run_folder.h"

#include "base/error.h"
#include "config/snapshots.h"
#include "io/atomic_file.h"
#include "io/paths.h"
#include "io/run_mark.h"

namespace scrl {
namespace {

// What a run writes; only these are ever removed.
constexpr const char* kRunFiles[] = {
    "config.toml", "events.jsonl", "metrics.json", "predictions.csv", "embeddings.npy",
    "ids.txt",     "split.csv",    "model.scrl",   "checkpoint.scrl", "report.html"};

constexpr const char* kLockFile = ".scrl.lock";

}  // namespace

RunDir::RunDir(std::string path, IfExists mode) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  if (exists(path_) && !is_folder(path_))
    fail(ErrorKind::kUsage, path_, ": is a file; -o names a folder");
  make_directories(path_);
  lock_.emplace(path_, kLockFile, "training");
  const bool is_run = is_run_folder(path_);
  if (!is_run)
    for (const char* name : kRunFiles)
      if (has(name))
        fail(ErrorKind::kUsage, file(name),
             ": is there already and not part of a run; a run would ",
             "overwrite it. Give another -o");
  const bool has_results = has("model.scrl") || has("metrics.json") || has("checkpoint.scrl");
  if (is_run && has_results && mode == IfExists::kRefuse)
    fail(ErrorKind::kUsage, path_, ": holds a run already; give --resume to go on with it, ",
         "--force to replace it, or another -o");
  // What is left to clear is an unwanted run, or one that failed before it had any result.
  if (mode != IfExists::kResume) {
    for (const char* name : kRunFiles) remove(name);
    if (is_run) remove_snapshots(path_);
  } else if (is_run) {
    remove_torn_snapshots(path_);
  }
  for (const std::string& name : names_in(path_))
    for (const char* known : kRunFiles)
      if (name.starts_with(std::string(known) + ".tmp-")) remove(name);
}

bool RunDir::has(std::string_view name) const { return exists(file(name)); }

void RunDir::write(std::string_view name, std::string_view content) const {
  write_atomically(file(name), content);
}

void RunDir::remove(std::string_view name) const { remove_file(file(name)); }

std::string model_path(const std::string& path) {
  const std::string inside = path + "/model.scrl";
  if (is_folder(path)) {
    if (!exists(inside))
      fail(ErrorKind::kModelFile, path, ": no model.scrl in this folder; expected a finished run");
    return inside;
  }
  if (!exists(path)) fail(ErrorKind::kModelFile, path, ": no such run folder or model file");
  return path;
}

std::string fresh_run_path(const std::string& dataset, const std::string& method) {
  const std::string stem = cat("runs/", dataset, "-", method);
  std::string path = stem;
  for (int i = 2; exists(path); ++i) path = cat(stem, "-", i);
  return path;
}

}  // namespace scrl
