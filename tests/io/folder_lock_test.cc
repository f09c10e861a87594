#include "io/folder_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "base/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string taken(const TempFolder& folder) {
  return usage_error_of([&] { FolderLock(folder.path(), "lock", "training"); });
}

TEST(FolderLockTest, TheSecondIsToldWhoHoldsIt) {
  const TempFolder folder;
  std::optional<FolderLock> first(std::in_place, folder.path(), "lock", "training");
  EXPECT_THAT(taken(folder),
              MatchesRegex(".*: another training is at work in this folder \\(process " +
                           std::to_string(getpid()) +
                           " on .* since 20.*Z\\); wait for it, or give another -o"));
  first.reset();
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/lock"));
  EXPECT_EQ(taken(folder), "(nothing thrown)");
}

TEST(FolderLockTest, AKilledHolderHoldsNothing) {
  const TempFolder folder;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock held(folder.path(), "lock", "training");
    if (write(ready[1], "x", 1) == 1) pause();
    _exit(1);
  }
  char x;
  ASSERT_EQ(read(ready[0], &x, 1), 1);
  EXPECT_THAT(taken(folder), HasSubstr(cat("process ", child, " on ")));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/lock"));
  EXPECT_EQ(taken(folder), "(nothing thrown)");
  close(ready[0]), close(ready[1]);
}

TEST(FolderLockTest, WhatALockFileSaysDoesNotMatterWhereLocksWork) {
  const TempFolder folder;
  for (const char* text : {"", "nonsense", "1 elsewhere 2020-01-01T00:00:00Z\n", "-1 x y\n"}) {
    folder.write("lock", text);
    EXPECT_EQ(taken(folder), "(nothing thrown)") << text;
  }
  EXPECT_THAT(
      error_of([&] { FolderLock(folder.path() + "/none", "lock", "training"); }, ErrorKind::kRun),
      HasSubstr("none/lock: cannot write: No such file or directory"));
}

}  // namespace
}  // namespace scrl
