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

}  // namespace
}  // namespace scrl
