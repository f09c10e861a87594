#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "data/dataset.h"
#include "scrl/dataset.h"
#include "support/archives.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

// Sets an environment variable for the length of a test; nullptr removes it.
class ScopedEnv {
 public:
  ScopedEnv(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~ScopedEnv() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) const {
    value == nullptr ? unsetenv(name_) : setenv(name_, value, 1);
  }
  const char* name_;
  std::optional<std::string> old_;
};

std::string archive(const std::string& labels = "0\n1\n") {
  return ZipWriter()
      .add({.name = "x/x.label", .text = labels})
      .add({.name = "x/x.feature", .text = "1 0\n0 1\n"})
      .add({.name = "x/x_PAP.edge", .text = "0\t1\n"})
      .add({.name = "x/knn/c7.txt", .text = "0 1\n"})
      .finish();
}

constexpr LoadOptions kNoCache = {.use_cache = false};

TEST(LoadTest, PathsAndNames) {
  const TempFolder folder;
  const std::string path = folder.write("data/BlogCatalog.zip", archive());
  folder.write("data/mine/edges.csv", "0,1\n");
  folder.write("data/mine/features.csv", "1\n1\n");
  folder.write("data/readme.txt", "");

  const Dataset by_path = load_dataset(path, kNoCache);
  EXPECT_EQ(by_path.name, "blogcatalog");
  EXPECT_EQ(by_path.source, path);
  EXPECT_EQ(by_path.knn_files.at(7).size(), 1);
  EXPECT_EQ(load_dataset(folder.path() + "/data/mine/", kNoCache).name, "mine");

  const std::string root = folder.path() + "/data";
  const ScopedEnv env("SCRL_DATA", root.c_str());
  for (const char* name : {"BlogCatalog", "blogcatalog", "BLOGCATALOG", "blogcatalog.zip"}) {
    const Dataset d = load_dataset(name, kNoCache);
    EXPECT_EQ(d.name, "blogcatalog");
    EXPECT_EQ(d.source, name);
    EXPECT_EQ(fingerprint(d), fingerprint(by_path));
  }
  EXPECT_EQ(load_dataset("Mine", kNoCache).nodes, 2);
  EXPECT_EQ(error_of([] { load_dataset("cora", kNoCache); }),
            "cora: no such folder or zip archive, and not below SCRL_DATA=" + root +
                ", which holds BlogCatalog.zip, mine");
}

TEST(LoadTest, TheFolderOfARunIsNoDataSet) {
  const TempFolder folder;
  folder.write("data/acm.zip", archive("1\n0\n"));
  folder.write("acm/config.toml",
               "# scrl run\ndata = \"acm\"\n");  // all that a killed run may have
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  {
    const ScopedEnv env("SCRL_DATA", "data");
    EXPECT_EQ(load_dataset("acm", kNoCache).labels[0], 1);
  }
  const ScopedEnv env("SCRL_DATA", nullptr);
  EXPECT_EQ(error_of([] {
              load_dataset("acm", kNoCache);
            }).find("acm: the folder of a run, not of a data set; to use"),
            0u);
  std::filesystem::current_path(before);
}

TEST(LoadTest, AnExactNameWinsOverAnotherCase) {
  const TempFolder folder;
  folder.write("ACM.zip", archive("0\n1\n"));
  folder.write("acm.zip", archive("1\n0\n"));
  const ScopedEnv env("SCRL_DATA", folder.path().c_str());
  EXPECT_EQ(load_dataset("ACM", kNoCache).labels[0], 0);
  EXPECT_EQ(load_dataset("acm", kNoCache).labels[0], 1);
}

TEST(LoadTest, WithoutSCRL_DATATheMessageExplainsIt) {
  const ScopedEnv env("SCRL_DATA", nullptr);
  EXPECT_EQ(error_of([] { load_dataset("acm", kNoCache); }),
            "acm: no such folder or zip archive; to use a data set by its name, set SCRL_DATA to "
            "the folder that holds it (or try the built-in data set: demo)");
}

TEST(LoadTest, AWrongSCRL_DATAIsNamed) {
  const ScopedEnv env("SCRL_DATA", "/no/such/folder");
  EXPECT_EQ(error_of([] { load_dataset("acm", kNoCache); }),
            "SCRL_DATA=/no/such/folder: cannot list: No such file or directory");
}

TEST(LoadTest, AFileThatIsNoArchiveIsRefused) {
  const TempFolder folder;
  const std::string path = folder.write("edges.csv", "0,1\n");
  EXPECT_EQ(error_of([&] { load_dataset(path, kNoCache); }),
            path + ": expected a folder, a zip archive, an .npz archive or a .graphml file");
}

TEST(LoadTest, TheCacheGivesTheSameDataAndFollowsChanges) {
  const TempFolder folder;
  const std::string cache = folder.path() + "/cache";
  const ScopedEnv env("SCRL_CACHE", cache.c_str());
  const std::string path = folder.write("x.zip", archive("0\n1\n"));
  const std::string wanted = fingerprint(load_dataset(path, kNoCache));
  EXPECT_EQ(fingerprint(load_dataset(path)), wanted);
  const Dataset again = load_dataset(path);
  EXPECT_EQ(fingerprint(again), wanted);
  EXPECT_EQ(again.name, "x");
  EXPECT_EQ(again.source, path);
  folder.write("x.zip", archive("1\n0\n"));
  EXPECT_NE(fingerprint(load_dataset(path)), wanted);
}

TEST(LoadTest, TheDemoNeedsNoFiles) {
  const Dataset d = load_dataset("demo");
  EXPECT_GT(d.nodes, 0);
  EXPECT_EQ(d.source, "demo");
  EXPECT_GT(d.num_classes(), 1);
}

}  // namespace
}  // namespace scrl
