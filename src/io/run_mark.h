// io/run_mark.h: how the folder of a run is told from any other.
#pragma once
#include <string>
#include <string_view>

namespace scrl {

// The first line of a run's config.toml, by which the folder is known to be ours.
inline constexpr std::string_view kRunMark = "# scrl run\n";

bool is_run_folder(const std::string& path);

}  // namespace scrl
