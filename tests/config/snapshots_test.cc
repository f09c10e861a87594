#include "config/snapshots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

TEST(SnapshotEpochsTest, ListsAndSteps) {
  EXPECT_FALSE(SnapshotEpochs("").any());
  EXPECT_FALSE(SnapshotEpochs("").contains(0));
  const SnapshotEpochs listed("0,10,7");
  for (int e = 0; e < 20; ++e) EXPECT_EQ(listed.contains(e), e == 0 || e == 7 || e == 10) << e;
  const SnapshotEpochs every("every:4");
  for (int e = 0; e < 20; ++e) EXPECT_EQ(every.contains(e), e % 4 == 0) << e;
  for (const char* wrong :
       {"x", "1,", ",1", "1,,2", "-1", "1.5", "every:", "every:0", "every:-2", "every:x", " 1"})
    EXPECT_THAT(error_of([&] { SnapshotEpochs{wrong}; }),
                HasSubstr("expected epochs as in 0,10,20"))
        << wrong;
}

TEST(SnapshotsTest, WrittenListedReadAndRemoved) {
  const TempFolder folder;
  const std::string run = folder.path();
  EXPECT_TRUE(list_snapshots(run).empty());
  Matrix m(3, 2);
  m(1, 0) = 0.1f;
  m(2, 1) = -7;
  for (const int epoch : {100, 0, 20}) write_snapshot(run, epoch, m);
  std::ofstream(run + "/snapshots/epoch-007.npy") << "not ours";
  std::ofstream(run + "/snapshots/epoch-5.npy.tmp-12") << "torn";
  const auto found = list_snapshots(run);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].epoch, 0);
  EXPECT_EQ(found[1].epoch, 20);
  EXPECT_EQ(found[2].epoch, 100);
  const Matrix back = read_snapshot(found[1]);
  EXPECT_EQ(back.rows(), 3);
  EXPECT_EQ(back(2, 1), -7.0f);
  EXPECT_NEAR(back(1, 0), 0.1f, 1e-4);

  remove_torn_snapshots(run);
  EXPECT_FALSE(std::ifstream(run + "/snapshots/epoch-5.npy.tmp-12").good());
  EXPECT_EQ(list_snapshots(run).size(), 3u);
  remove_snapshots(run);
  EXPECT_TRUE(list_snapshots(run).empty());
  EXPECT_TRUE(std::ifstream(run + "/snapshots/epoch-007.npy").good());
}

TEST(SnapshotsTest, DamageIsAnError) {
  const TempFolder folder;
  write_snapshot(folder.path(), 1, Matrix(4, 4));
  const std::string path = list_snapshots(folder.path())[0].path;
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_THAT(error_of([&] { read_snapshot({1, path}); }), HasSubstr("delete the file"));
}

}  // namespace
}  // namespace scrl
