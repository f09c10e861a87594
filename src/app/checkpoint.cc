#include "app/checkpoint.h"

#include "base/error.h"
#include "kernels/simd.h"

namespace scrl {
namespace {

constexpr std::uint32_t kCheckpointVersion = 6;

}  // namespace

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

void write_checkpoint(const std::string& path, const std::string& fingerprint,
                      const std::vector<SeedResult>& results, Index event_bytes,
                      const TrainState* state, const Model& model) {
  Json done = Json::array();
  for (const SeedResult& r : results) done.push_back(to_json(r));
  const Json meta = {{"fingerprint", fingerprint},
                     {"simd", kernels::simd_level()},
                     {"results", done},
                     {"event_bytes", event_bytes}};
  ContainerWriter out("checkpoint", kCheckpointVersion);
  out.add_text("meta", meta.dump());
  if (state) save_state(*state, model, out);
  out.write(path);
}

}  // namespace scrl
