#include "run/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernels/simd.h"

namespace scrl {

Checkpoint::Checkpoint(const std::string& path, const std::string& fingerprint)
    : in_(path, "checkpoint", kCheckpointVersion) {
  if (in_.version() < kCheckpointVersion)
    fail(ErrorKind::kModelFile, path, ": cannot resume: an earlier version of scrl wrote it; ",
         "--force starts anew");
  meta_ = parse_json(in_.text("meta"), path + ": section meta");
  const JsonFields meta = fields();
  if (meta.text("fingerprint") != fingerprint)
    fail(ErrorKind::kUsage, path, ": cannot resume: the data has changed since; --force starts ",
         "anew");
  if (const std::string level = meta.text("simd"); level != kernels::simd_level())
    fail(ErrorKind::kUsage, path, ": cannot resume: the run began with ", level,
         " instructions, now ", kernels::simd_level(), " are in use, which would change its bits; ",
         "set SCRL_SIMD=", level, ", or --force to start anew");
  for (const JsonFields& r : meta.objects("results")) results.push_back(seed_result_from_json(r));
  event_bytes = meta.integer<Index>("event_bytes");
}

JsonFields Checkpoint::fields() const { return {meta_, in_.name() + ": section meta"}; }

std::optional<TrainState> Checkpoint::restore(Model& model) const {
  if (!in_.has("epochs")) return {};
  return load_state(in_, model);
}

std::vector<FinishedTask> Checkpoint::finished_tasks() const {
  std::vector<FinishedTask> out;
  for (const JsonFields& j : fields().objects("tasks")) {
    FinishedTask t = finished_task_from_json(j);
    const std::string prefix = cat("task/", out.size(), "/");
    t.held_out = numbers(prefix + "held_out");
    for (const std::string& name : j.texts("params"))
      t.params.push_back({name, numbers(prefix + name)});
    out.push_back(std::move(t));
  }
  return out;
}

// A log-probability may be minus infinity; NaN is none.
std::vector<float> Checkpoint::numbers(const std::string& section) const {
  const auto values = in_.array<float>(section);
  if (std::ranges::any_of(values, [](float v) { return std::isnan(v); }))
    fail(ErrorKind::kModelFile, in_.name(), ": section ", section, " holds what is not a number");
  return {values.begin(), values.end()};
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
