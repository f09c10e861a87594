#include "run/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/json.h"
#include "data/dataset.h"
#include "io/container.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

TEST(ModelFileTest, AnEarlierVersionIsRefused) {
  const TempFolder folder;
  const std::string path = folder.path() + "/model.scrl";
  ContainerWriter out("model", kModelVersion - 1);
  out.add_text("meta", "{}");
  out.write(path);
  EXPECT_THAT(error_of([&] { load_model(path, Dataset{}); }, ErrorKind::kModelFile),
              ::testing::HasSubstr("an earlier version of scrl wrote it"));
}

TEST(ModelFileTest, AnOptionThatIsNotNamedIsNotGuessed) {
  const TempFolder folder;
  const std::string path = folder.path() + "/model.scrl";
  Json options;
  for (const Setting& s : RunConfig({}).values())
    if (s.key != "metric") options[s.key] = s.value;
  ContainerWriter out("model", kModelVersion);
  out.add_text(
      "meta",
      Json{{"options", options}, {"fingerprint", ""}, {"classes", {"a", "b"}}, {"features", 3}}
          .dump());
  out.write(path);
  EXPECT_THAT(error_of([&] { load_model(path, Dataset{}); }, ErrorKind::kModelFile),
              ::testing::HasSubstr("it does not say what metric was"));
}

// Counts stay binarized where the other graph has none.
TEST(ModelFileTest, KeepsWhatTheTrainingDataResolved) {
  const TempFolder folder;
  const std::string path = folder.path() + "/model.scrl";
  const Dataset data = load_dataset("demo:nodes=300");
  RunConfig config({{"method", "scrl", ""}});
  config.resolve(data);
  ASSERT_EQ(config.graph.binarize, Binarize::kTrue);
  const Operands operands = prepare(data, config.graph, config.method->views());
  const auto model = untrained_model(operands, config, data.num_classes());
  model_file(*model, config, data, 0, 1).write(path);
  Dataset negative = data;
  negative.features.val[0] = -1;
  const LoadedModel loaded = load_model(path, negative);
  EXPECT_EQ(loaded.config->graph.binarize, Binarize::kTrue);
  EXPECT_FALSE(loaded.same_data);
}

}  // namespace
}  // namespace scrl
