#include "io/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("atomic_file_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(AtomicFileTest, WritesAndReplaces) {
  const std::string path = folder_ / "out";
  write_atomically(path, std::string_view("first"));
  EXPECT_EQ(content_of(path), "first");
  write_atomically(path, std::string_view("second, longer"));
  EXPECT_EQ(content_of(path), "second, longer");
  write_atomically(path, std::string_view(""));
  EXPECT_EQ(content_of(path), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, AFailureKeepsTheOldFileAndLeavesNothing) {
  const std::string path = folder_ / "out";
  write_atomically(path, std::string_view("old"));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit limited{1000, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit then fails with EFBIG
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  std::string message;
  try {
    write_atomically(path, std::string(100000, 'x'));
  } catch (const Error& e) {
    message = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(message, path + ": cannot write: File too large");
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, AFullDiskIsALackOfResources) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  // The temporary file is a link to the device that is always full.
  const std::string path = folder_ / "out";
  fs::create_symlink("/dev/full", path + ".tmp-" + std::to_string(::getpid()));
  try {
    write_atomically(path, std::string_view("content"));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kResource);
    EXPECT_EQ(e.what(), path + ": cannot write: No space left on device");
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(AtomicFileTest, NamesThePathThatCannotBeWritten) {
  const std::string path = folder_ / "no/such/folder/out";
  try {
    write_atomically(path, std::string_view("content"));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kRun);
    EXPECT_THAT(e.what(), AllOf(HasSubstr(path), EndsWith("No such file or directory")));
  }
}

TEST_F(AtomicFileTest, MakesDirectoriesWithParents) {
  const std::string path = folder_ / "a/b/c";
  make_directories(path);
  make_directories(path);
  EXPECT_TRUE(fs::is_directory(path));
  write_atomically(folder_ / "file", std::string_view(""));
  EXPECT_THROW(make_directories(folder_ / "file"), Error);
  EXPECT_THROW(make_directories(folder_ / "file/x"), Error);
}

}  // namespace
}  // namespace scrl
