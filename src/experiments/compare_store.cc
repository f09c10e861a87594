#include "experiments/compare_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "io/atomic_file.h"

namespace scrl {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 1;

// What a killed process was writing.
void remove_temporary_files(const std::string& folder, std::string_view of) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    if (name.find(cat(of, ".tmp-")) != std::string::npos) fs::remove(entry.path(), ignored);
  }
}

std::optional<Json> read_json(const std::string& path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  Json j = Json::parse(in, nullptr, false);
  if (!j.is_object() || !j.contains("key") || !j.contains("schema") || j["schema"] != kSchema)
    return std::nullopt;
  return j;
}

// The first difference between two keys, settings one by one.
std::string difference(const Json& was, const Json& is) {
  for (const auto& [key, value] : is.items()) {
    if (!was.contains(key)) return cat(key, " is new");
    if (was[key] == value) continue;
    if (value.is_object()) return difference(was[key], value);
    const auto text = [](const Json& j) { return j.is_string() ? j.get<std::string>() : j.dump(); };
    return cat(key, " was ", text(was[key]), ", now ", text(value));
  }
  return "some setting is gone";
}

// What a file says, if it is about this key.
std::optional<CellOutcome> outcome_from(const std::optional<Json>& j, const Json& key) {
  if (!j || j->at("key") != key) return std::nullopt;
  try {
    CellOutcome out;
    out.program = key.at("program").get<std::string>();
    if (j->contains("failure")) {
      out.status = CellOutcome::Status::kFailed;
      out.kind = static_cast<ErrorKind>(j->at("failure").at("code").get<int>());
      out.failure = j->at("failure").at("message").get<std::string>();
      return out;
    }
    out.status = CellOutcome::Status::kDone;
    out.seconds = j->at("seconds").get<double>();
    if (!j->at("peak_mb").is_null()) out.peak_mb = j->at("peak_mb").get<double>();
    if (j->contains("times"))
      out.times = epoch_times_from_json(j->at("times"));
    else
      out.training = train_result_from_json(j->at("metrics"), "metrics");
    return out;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<std::string> table_files(const std::vector<std::string>& stems) {
  std::vector<std::string> out;
  for (const std::string& stem : stems)
    for (const char* ending : {".csv", ".md", ".tex", ".json"}) out.push_back(stem + ending);
  return out;
}

CompareStore::CompareStore(std::string folder, std::vector<std::string> files,
                           std::string_view what)
    : folder_(std::move(folder)) {
  while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
  if (fs::exists(folder_) && !fs::is_directory(folder_))
    fail(ErrorKind::kUsage, folder_, ": is a file; -o names a folder");
  if (!fs::is_directory(cells()))
    for (const std::string& name : files)
      if (fs::exists(folder_ + "/" + name))
        fail(ErrorKind::kUsage, folder_, "/", name, ": is there already and not part of a ", what,
             ", which would overwrite it. Give another -o");
  make_directories(cells());
  const std::string path = cells() + "/lock";
  lock_ = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (lock_ < 0) fail(ErrorKind::kRun, path, ": cannot write; is the folder read-only?");
  // A file system without locks is no reason to give up.
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(lock_);
    fail(ErrorKind::kUsage, folder_, ": another ", what,
         " is at work in this folder; wait for it, or give another -o");
  }
  remove_temporary_files(cells(), ".json");
  remove_temporary_files(cells(), ".embedding");
  remove_temporary_files(cells(), ".layouts");
  for (const std::string& name : files) remove_temporary_files(folder_, name);
}

CompareStore::~CompareStore() { close(lock_); }

std::optional<CellOutcome> CompareStore::load(const CompareCell& cell) const {
  return outcome_from(read_json(file(cell)), cell.key);
}

std::optional<CellOutcome> CompareStore::load_of_any_build(const CompareCell& cell) const {
  std::optional<CellOutcome> latest;
  fs::file_time_type latest_time;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cells(), ignored)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(cell.stem + "-") || !name.ends_with(".json")) continue;
    const auto j = read_json(entry.path());
    if (!j || !j->at("key").is_object()) continue;
    Json key = cell.key;
    key["program"] = j->at("key").contains("program") ? j->at("key")["program"] : Json();
    auto found = outcome_from(j, key);
    const auto time = fs::last_write_time(entry.path(), ignored);
    if (!found || found->status != CellOutcome::Status::kDone || (latest && time < latest_time))
      continue;
    latest = std::move(found);
    latest_time = time;
  }
  return latest;
}

void CompareStore::save(const CompareCell& cell, const CellOutcome& outcome) const {
  Json j = {{"schema", kSchema}, {"key", cell.key}};
  if (outcome.status == CellOutcome::Status::kFailed) {
    j["failure"] = {{"code", static_cast<int>(outcome.kind)}, {"message", outcome.failure}};
  } else {
    j["seconds"] = outcome.seconds;
    j["peak_mb"] = outcome.peak_mb ? Json(*outcome.peak_mb) : Json();
    if (outcome.times) j["times"] = to_json(*outcome.times);
    if (outcome.training) j["metrics"] = to_json(*outcome.training);
  }
  write_atomically(file(cell), json_text(j));
}

std::string json_text(const Json& j) {
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string CompareStore::change(const CompareCell& cell, bool same_settings) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cells(), ignored)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(cell.stem + "-") || !name.ends_with(".json") ||
        name == cell.name + ".json")
      continue;
    const auto j = read_json(entry.path());
    if (!j || !j->at("key").is_object() ||
        (same_settings && j->at("key").value("settings", Json()) != cell.key["settings"]))
      continue;
    return difference(j->at("key"), cell.key);
  }
  return "";
}

std::string CompareStore::run_folder(const CompareCell& cell) const {
  return cells() + "/" + cell.name + ".run";
}

void CompareStore::remove_run(const CompareCell& cell) const {
  std::error_code ignored;
  fs::remove_all(run_folder(cell), ignored);
}

void CompareStore::remove_embeddings(std::string_view name) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cells(), ignored)) {
    const std::string file = entry.path().filename();
    if (file.starts_with(name) && file.ends_with(".embedding")) fs::remove(entry.path(), ignored);
  }
}

void CompareStore::write(std::string_view name, std::string_view content) const {
  write_atomically(cat(folder_, "/", name), content);
}

}  // namespace scrl
