#include "experiments/compare_store.h"

#include <filesystem>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/paths.h"

namespace scrl {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 1;

// What a killed process was writing.
void remove_temporary_files(const std::string& folder, std::string_view of) {
  for (const std::string& name : names_in(folder))
    if (name.find(cat(of, ".tmp-")) != std::string::npos) remove_file(cat(folder, "/", name));
}

// A cell that cannot be read is trained again.
std::optional<Json> read_json(const std::string& path) {
  try {
    Json j = read_json_file(path);
    const JsonFields fields(j, path);
    if (fields.integer<int>("schema") != kSchema || !fields.has("key")) return std::nullopt;
    return j;
  } catch (const Error&) {
    return std::nullopt;
  }
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
    const JsonFields fields(*j, "cell");
    CellOutcome out;
    out.program = JsonFields(key, "key").text("program");
    if (fields.has("failure")) {
      const JsonFields failure = fields.object("failure");
      out.status = CellOutcome::Status::kFailed;
      out.kind = static_cast<ErrorKind>(failure.integer<int>("code", 1, 6));
      out.failure = failure.text("message");
      return out;
    }
    out.status = CellOutcome::Status::kDone;
    out.seconds = fields.number("seconds", 0);
    if (!fields.value("peak_mb").is_null()) out.peak_mb = fields.number("peak_mb", 0);
    if (fields.has("times"))
      out.times = epoch_times_from_json(fields.object("times"));
    else
      out.training = train_result_from_json(fields.object("metrics"));
    return out;
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

CompareStore::CompareStore(std::string folder, const std::vector<std::string>& files,
                           std::string_view what)
    : folder_(std::move(folder)) {
  while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
  if (exists(folder_) && !is_folder(folder_))
    fail(ErrorKind::kUsage, folder_, ": is a file; -o names a folder");
  if (!is_folder(cells()))
    for (const std::string& name : files)
      if (exists(folder_ + "/" + name))
        fail(ErrorKind::kUsage, folder_, "/", name, ": is there already and not part of a ", what,
             ", which would overwrite it. Give another -o");
  make_directories(cells());
  lock_.emplace(folder_, "cells/lock", what);
  remove_temporary_files(cells(), ".json");
  remove_temporary_files(cells(), ".embedding");
  remove_temporary_files(cells(), ".layouts");
  for (const std::string& name : files) remove_temporary_files(folder_, name);
}

std::optional<CellOutcome> CompareStore::load(const CompareCell& cell) const {
  return outcome_from(read_json(file(cell)), cell.key);
}

std::optional<CellOutcome> CompareStore::load_of_any_build(const CompareCell& cell) const {
  std::optional<CellOutcome> latest;
  fs::file_time_type latest_time;
  std::error_code ignored;
  for (const std::string& name : names_in(cells())) {
    if (!name.starts_with(cell.stem + "-") || !name.ends_with(".json")) continue;
    const std::string path = cells() + "/" + name;
    const auto j = read_json(path);
    if (!j || !j->at("key").is_object()) continue;
    Json key = cell.key;
    key["program"] = j->at("key").contains("program") ? j->at("key")["program"] : Json();
    auto found = outcome_from(j, key);
    const auto time = fs::last_write_time(path, ignored);
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
  for (const std::string& name : names_in(cells())) {
    if (!name.starts_with(cell.stem + "-") || !name.ends_with(".json") ||
        name == cell.name + ".json")
      continue;
    const auto j = read_json(cells() + "/" + name);
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
  for (const std::string& file : names_in(cells()))
    if (file.starts_with(name) && file.ends_with(".embedding")) remove_file(cells() + "/" + file);
}

void CompareStore::write(std::string_view name, std::string_view content) const {
  write_atomically(cat(folder_, "/", name), content);
}

}  // namespace scrl
