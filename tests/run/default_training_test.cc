// Every method as people get it: nothing set but what keeps a test short. The same bits for any
// number of threads, and after an interruption.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/parallel.h"
#include "data/dataset.h"
#include "models/registry.h"
#include "run/train_run.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

class DefaultTraining : public ::testing::TestWithParam<std::string> {
 protected:
  void TearDown() override { set_threads(0); }

  std::vector<Setting> settings() const {
    std::vector<Setting> out = {{"method", GetParam(), "test"}};
    if (GetParam() == kAuto) {
      out.push_back({"members", "scrl-lsa,sgc,mlp", "test"});
      return out;
    }
    out.push_back({"epochs", "4", "test"});
    if (GetParam() == "deepwalk") out.push_back({"walks", "1", "test"});
    if (GetParam() == "line") out.push_back({"samples", "20000", "test"});
    return out;
  }

  // `epochs`: that are trained before somebody asks to stop; 0: all.
  TrainOutput train(const std::string& out = "", IfExists if_exists = IfExists::kRefuse,
                    int epochs = 0) const {
    int seen = 0;
    TrainEvents events;
    events.epoch = [&](int, const std::string&, const EpochStats&, int) { ++seen; };
    events.should_stop = [&] { return epochs > 0 && seen >= epochs; };
    return run_training({.data = data_,
                         .data_reference = "demo",
                         .settings = settings(),
                         .out = out,
                         .if_exists = if_exists},
                        events);
  }

  const Dataset data_ = load_dataset("demo:nodes=150,features=200", {.use_cache = false});
};

TEST_P(DefaultTraining, TheSameBitsForAnyThreadCountAndAfterAnInterruption) {
  set_threads(1);
  const std::string hash = train().result.result_hash();
  set_threads(3);
  EXPECT_EQ(train().result.result_hash(), hash);

  const TempFolder folder;
  const std::string run = folder.path() + "/run";
  EXPECT_TRUE(train(run, IfExists::kRefuse, 2).interrupted);
  ASSERT_TRUE(std::filesystem::exists(run + "/checkpoint.scrl"));
  const TrainOutput rest = train(run, IfExists::kResume);
  EXPECT_FALSE(rest.interrupted);
  EXPECT_EQ(rest.result.result_hash(), hash);
  EXPECT_FALSE(std::filesystem::exists(run + "/checkpoint.scrl"));
  // What the files say is what the run returned.
  EXPECT_EQ(to_json(read_train_result(run + "/metrics.json")).dump(), to_json(rest.result).dump());
}

std::vector<std::string> names() {
  std::vector<std::string> out = {kAuto};
  for (const MethodInfo& info : method_list()) out.push_back(info.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Methods, DefaultTraining, ::testing::ValuesIn(names()),
                         [](const auto& one) { return replaced(one.param, "-", "_"); });

}  // namespace
}  // namespace scrl
