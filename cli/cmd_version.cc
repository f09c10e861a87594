// scrl version: what this program is and what it runs on.
#include <cstdio>

#include "base/parallel.h"
#include "command.h"
#include "kernels/simd.h"
#include "report/report.h"
#include "run/model_file.h"
#include "version.h"

namespace scrl::cli {

int cmd_version(const Args& args) {
  CommonOptions common;
  bool json = false;
  OptionSet set;
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl version [--json]";
  if (printed_help(common, set, "Prints version, compiler, instruction set and threads.", kUsage))
    return 0;
  expect_arguments(positional, 0, 0, kUsage);
  const Json j = {{"version", SCRL_VERSION},       {"commit", SCRL_COMMIT},
                  {"compiler", SCRL_COMPILER},     {"build", SCRL_BUILD_TYPE},
                  {"simd", kernels::simd_level()}, {"threads", threads()},
                  {"model_format", kModelVersion}, {"report_pictures", report_has_pictures()}};
  if (json)
    write_output("", j.dump(2) + "\n");
  else
    std::printf("scrl %s (%s, %s, %s, %d threads%s)\n", SCRL_VERSION, SCRL_COMMIT, SCRL_COMPILER,
                kernels::simd_level().c_str(), threads(),
                report_has_pictures() ? "" : ", reports without pictures");
  return 0;
}

}  // namespace scrl::cli
