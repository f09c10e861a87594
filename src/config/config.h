// config/config.h: every setting of a run in one place, with who set it.
//
// Later wins: the tables' defaults, the method's own profile, --profile, --config FILE, then the
// command line in order (--set key=value and --key value are the same).
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/portfolio.h"
#include "data/dataset.h"
#include "models/model.h"
#include "train/options.h"

namespace scrl {

// Where settings start: ours, or those of the papers where known.
enum class Profile { kDefault, kPaper };
template <>
inline constexpr auto kNames<Profile> = std::array{"default", "paper"};

// What is done to the probabilities of a trained model (run/calibration.h).
enum class CalibrationMethod { kTemperature, kNone };
template <>
inline constexpr auto kNames<CalibrationMethod> = std::array{"temperature", "none"};

struct RunOptions {
  std::string method = "auto";
  Profile profile = Profile::kDefault;
  int seeds = 1;
  CalibrationMethod calibration = CalibrationMethod::kTemperature;
  double checkpoint_secs = 30;
  std::string snapshots;  // epochs whose embeddings are kept (config/snapshots.h)
};

class RunConfig;

// A member of auto with the configuration that it trains with.
struct MemberConfig {
  std::string name;
  std::unique_ptr<RunConfig> config;
};

class RunConfig {
 public:
  // Settings in order of precedence, lowest first; `dataset` (a name) is for the paper profile.
  // Throws Error(kUsage) on an unknown key or a bad value.
  explicit RunConfig(const std::vector<Setting>& settings, std::string_view dataset = "");
  RunConfig(const RunConfig&) = delete;
  RunConfig& operator=(const RunConfig&) = delete;

  RunOptions run;
  SplitOptions split;
  TrainOptions train;
  GraphOptions graph;
  PortfolioOptions portfolio;         // of method auto
  std::unique_ptr<Method> method;     // none: auto, whose members have configurations of their own
  OptionSet options;                  // all of the above
  std::vector<MemberConfig> members;  // of auto, once it is resolved: those that suit the data

  // What `auto` stands for on this data, for values and for the method. What was learned so must be
  // used so, whatever the graph. Throws Error(kUsage) when no member suits the data.
  void resolve(const Dataset& data);

  // Every value as a line of TOML with its origin as a comment; --config reads it back.
  std::string to_toml() const;
  // key = value lines of everything that can influence a result, for comparison on resume.
  std::vector<Setting> values() const;
};

// The feature graph that the data brings (data/knn_file.h) counts unless somebody chose another.
void prefer_own_graph(OptionSet& options, const Dataset& data);

// The same settings without --profile, whose values depend on the data: enough to check keys and
// values before any data is read.
std::vector<Setting> without_profile(std::vector<Setting> settings);

// A config file: settings, and the two facts that a run's own config.toml adds.
struct ConfigFile {
  std::vector<Setting> settings;
  std::string data;         // what was trained on; empty: not said
  std::string fingerprint;  // of that data
};
// Throws Error(kUsage) "FILE:LINE: ...".
ConfigFile read_config_file(const std::string& path);
// The text of a run's config.toml.
std::string config_text(const RunConfig& config, const std::string& data,
                        const std::string& fingerprint);

// How a config file names data: a name stays a name, a path becomes absolute.
std::string data_reference(const std::string& data);

}  // namespace scrl
