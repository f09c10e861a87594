#include "app/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    if (s.key != "directions") options[s.key] = s.value;
  ContainerWriter out("model", kModelVersion);
  out.add_text(
      "meta",
      Json{{"options", options}, {"fingerprint", ""}, {"classes", {"a", "b"}}, {"features", 3}}
          .dump());
  out.write(path);
  EXPECT_THAT(error_of([&] { load_model(path, Dataset{}); }, ErrorKind::kModelFile),
              ::testing::HasSubstr("it does not say what directions was"));
}

// Predictions for a graph with other degrees and other rows need what the training settled.
TEST(ModelFileTest, KeepsWhatTheTrainingGraphSettled) {
  const TempFolder folder;
  const std::string path = folder.path() + "/model.scrl";
  const Dataset data = load_dataset("demo:nodes=300");
  RunConfig config({});
  config.settle(data, Split{.train = {0}});
  const Operands operands = prepare(data, config.graph, config.method->views());
  const auto model = config.method->build({.X = operands.X,
                                           .A_t = operands.A_t.get(),
                                           .A_f = operands.A_f.get(),
                                           .classes = data.num_classes()});
  save_model(path, *model, config, data, {{"method", "scrl"}, {"dataset", data.name}});
  Dataset sparse = data;  // a quarter of the edges
  sparse.edges.source.resize(data.edges.source.size() / 4);
  sparse.edges.target.resize(data.edges.target.size() / 4);
  ASSERT_NE(steps_for(sparse), steps_for(data));
  const LoadedModel loaded = load_model(path, sparse);
  EXPECT_EQ(loaded.config->options.value_text(*loaded.config->options.find("steps")),
            cat(steps_for(data)));
  EXPECT_EQ(loaded.config->options.value_text(*loaded.config->options.find("vote")), "1");
  EXPECT_EQ(loaded.config->graph.row_length, config.graph.row_length);
}

}  // namespace
}  // namespace scrl
