#include "run/checkpoint.h"

#include "base/error.h"
#include "kernels/simd.h"

namespace scrl {

Checkpoint::Checkpoint(const std::string& path, const std::string& fingerprint)
    : in_(path, "checkpoint", kCheckpointVersion) {
  if (in_.version() < kCheckpointVersion)
    fail(ErrorKind::kModelFile, path, ": cannot resume: an earlier version of scrl wrote it; ",
         "--force starts anew");
  try {
    const Json meta = Json::parse(in_.text("meta"));
    if (meta.at("fingerprint").get<std::string>() != fingerprint)
      fail(ErrorKind::kUsage, path, ": cannot resume: the data has changed since; --force starts ",
           "anew");
    if (const auto level = meta.at("simd").get<std::string>(); level != kernels::simd_level())
      fail(ErrorKind::kUsage, path, ": cannot resume: the run began with ", level,
           " instructions, now ", kernels::simd_level(),
           " are in use, which would change its bits; ", "set SCRL_SIMD=", level,
           ", or --force to start anew");
    for (const Json& r : meta.at("results")) results.push_back(seed_result_from_json(r));
    event_bytes = meta.at("event_bytes").get<Index>();
  } catch (const Json::exception& e) {
    fail(ErrorKind::kModelFile, path, ": section meta: ", e.what());
  }
}

std::optional<TrainState> Checkpoint::restore(Model& model) const {
  if (!in_.has("epochs")) return {};
  return load_state(in_, model);
}

std::vector<FinishedTask> Checkpoint::finished_tasks() const {
  std::vector<FinishedTask> out;
  try {
    const Json meta = Json::parse(in_.text("meta"));
    for (const Json& j : meta.at("tasks")) {
      FinishedTask t = finished_task_from_json(j);
      const std::string prefix = cat("task/", out.size(), "/");
      const auto held_out = in_.array<float>(prefix + "held_out");
      t.held_out.assign(held_out.begin(), held_out.end());
      for (const Json& name : j.at("params")) {
        const auto values = in_.array<float>(prefix + name.get<std::string>());
        t.params.push_back({name.get<std::string>(), {values.begin(), values.end()}});
      }
      out.push_back(std::move(t));
    }
  } catch (const Json::exception& e) {
    fail(ErrorKind::kModelFile, in_.name(), ": section meta: ", e.what());
  }
  return out;
}

void write_checkpoint(const std::string& path, const RunProgress& progress, const TrainState* state,
                      const Model* model) {
  Json done = Json::array(), tasks = Json::array();
  for (const SeedResult& r : progress.results) done.push_back(to_json(r));
  ContainerWriter out("checkpoint", kCheckpointVersion);
  for (const FinishedTask& t : progress.tasks) {
    const std::string prefix = cat("task/", tasks.size(), "/");
    Json j = to_json(t);
    j["params"] = Json::array();
    out.add_array(prefix + "held_out", t.held_out);
    for (const NamedArray& p : t.params) {
      j["params"].push_back(p.name);
      out.add_array(prefix + p.name, p.values);
    }
    tasks.push_back(std::move(j));
  }
  const Json meta = {{"fingerprint", progress.fingerprint},
                     {"simd", kernels::simd_level()},
                     {"results", done},
                     {"tasks", tasks},
                     {"event_bytes", progress.event_bytes}};
  out.add_text("meta", meta.dump());
  if (state) save_state(*state, *model, out);
  out.write(path);
}

}  // namespace scrl
