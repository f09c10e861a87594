#include "data/cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "data/demo.h"
#include "scrl/dataset.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;

class CacheTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"SCRL_CACHE", "XDG_CACHE_HOME", "HOME"}) {
      const char* value = std::getenv(name);
      before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
    }
    setenv("SCRL_CACHE", cache_.path().c_str(), 1);
    folder_.write("a.txt", "content");
    folder_.write("sub/b.txt", "more");
    data_ = make_demo(":nodes=60");
    data_.edges.weight.assign(data_.edges.source.size(), 0.5f);
    data_.knn_files[3] = {.source = {0, 1}, .target = {1, 2}};
    data_.knn_files[7] = {.source = {5}, .target = {6}};
    data_.splits[0].val = {data_.splits[0].test.back()};
    data_.splits[0].test.pop_back();
  }
  void TearDown() override {
    for (const auto& [name, value] : before_) {
      value ? setenv(name, value->c_str(), 1) : unsetenv(name);
    }
  }
  std::unique_ptr<Source> source() const { return open_source(folder_.path()); }
  std::vector<fs::path> copies() const {
    return {fs::directory_iterator(cache_.path()), fs::directory_iterator()};
  }

  TempFolder cache_, folder_;
  Dataset data_;
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

TEST_F(CacheTest, GivesBackWhatWasPut) {
  EXPECT_FALSE(cache_get(*source()));
  cache_put(*source(), data_);
  const auto got = cache_get(*source());
  ASSERT_TRUE(got);
  EXPECT_EQ(fingerprint(*got), fingerprint(data_));
  EXPECT_EQ(got->name, "demo");
  EXPECT_EQ(got->ids, data_.ids);
}

TEST_F(CacheTest, AnyChangeOfTheFilesIsAMiss) {
  cache_put(*source(), data_);
  const fs::path file = fs::path(folder_.path()) / "a.txt";
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(2));
  EXPECT_FALSE(cache_get(*source()));
  cache_put(*source(), data_);
  EXPECT_TRUE(cache_get(*source()));
  folder_.write("c.txt", "");
  EXPECT_FALSE(cache_get(*source()));
  cache_put(*source(), data_);
  EXPECT_EQ(copies().size(), 1u);  // the new copy replaced the old one
}

// Tools that preserve times exist, and a file may be replaced by one of the same size.
TEST_F(CacheTest, AChangeThatKeepsSizeAndTimeIsAMiss) {
  cache_put(*source(), data_);
  const fs::path file = fs::path(folder_.path()) / "a.txt";
  const auto time = fs::last_write_time(file);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the kernel's clock has ticks
  folder_.write("a.txt", "CONTENT");
  fs::last_write_time(file, time);
  EXPECT_FALSE(cache_get(*source()));
  cache_put(*source(), data_);
  EXPECT_TRUE(cache_get(*source()));
  folder_.write("new", "ConTent");
  fs::last_write_time(folder_.path() + "/new", time);
  fs::rename(folder_.path() + "/new", file);
  EXPECT_FALSE(cache_get(*source()));
}

TEST_F(CacheTest, ADamagedCopyIsAMiss) {
  cache_put(*source(), data_);
  ASSERT_EQ(copies().size(), 1u);
  const fs::path copy = copies()[0];
  const auto size = fs::file_size(copy);
  for (std::uintmax_t at = 0; at < size; at += 97) {
    std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char was = static_cast<char>(file.get());
    const auto put = [&](char c) {
      file.seekp(static_cast<std::streamoff>(at));
      file.put(c);
      file.flush();
    };
    put(static_cast<char>(was ^ 4));
    EXPECT_FALSE(cache_get(*source())) << at;
    put(was);
  }
  EXPECT_TRUE(cache_get(*source()));
  fs::resize_file(copy, size / 2);
  EXPECT_FALSE(cache_get(*source()));
}

// The checksums of a copy may be right and its content still make no sense.
TEST_F(CacheTest, ACopyThatIsNotADataSetIsAMiss) {
  Dataset bad = data_;
  bad.edges.target[0] = 60;
  cache_put(*source(), bad);
  EXPECT_FALSE(cache_get(*source()));
  bad = data_;
  bad.features.col[0] = -1;
  cache_put(*source(), bad);
  EXPECT_FALSE(cache_get(*source()));
}

TEST_F(CacheTest, TheFolderFollowsTheEnvironment) {
  setenv("SCRL_CACHE", "off", 1);
  cache_put(*source(), data_);
  EXPECT_FALSE(cache_get(*source()));
  EXPECT_TRUE(copies().empty());
  unsetenv("SCRL_CACHE");
  setenv("XDG_CACHE_HOME", (cache_.path() + "/xdg").c_str(), 1);
  cache_put(*source(), data_);
  EXPECT_TRUE(fs::is_directory(cache_.path() + "/xdg/scrl"));
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", (cache_.path() + "/home").c_str(), 1);
  cache_put(*source(), data_);
  EXPECT_TRUE(fs::is_directory(cache_.path() + "/home/.cache/scrl"));
  EXPECT_TRUE(cache_get(*source()));
}

TEST_F(CacheTest, AFolderThatCannotBeWrittenIsNoError) {
  setenv("SCRL_CACHE", folder_.write("file", "").c_str(), 1);
  EXPECT_NO_THROW(cache_put(*source(), data_));
  EXPECT_FALSE(cache_get(*source()));
}

TEST_F(CacheTest, ASecondLoadOfFlickrIsQuickAndTheSame) {
  if (!std::getenv("SCRL_DATA")) GTEST_SKIP() << "SCRL_DATA is not set: no data sets to load";
  const std::string first = fingerprint(load_dataset("flickr"));
  const auto start = std::chrono::steady_clock::now();
  const Dataset second = load_dataset("flickr");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(fingerprint(second), first);
  EXPECT_EQ(copies().size(), 1u);
#ifdef NDEBUG
  EXPECT_LT(seconds.count(), 0.3);
#endif
}

}  // namespace
}  // namespace scrl
