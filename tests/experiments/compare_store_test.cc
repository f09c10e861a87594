#include "experiments/compare_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "experiments/small_comparison.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Status = CellOutcome::Status;

class CompareStoreTest : public ::testing::Test {
 protected:
  const TempFolder temp_;
  const std::string folder_ = temp_.path() + "/store";
};

TEST_F(CompareStoreTest, KeepsByKey) {
  const ComparePlan plan = plan_comparison(request(), kAcm);
  const CompareCell other = plan_comparison(request({{"lr", "0.125", ""}}), kAcm).cells[0];
  const CompareStore store(folder_);
  EXPECT_FALSE(store.load(plan.cells[0]).has_value());
  EXPECT_EQ(store.change(plan.cells[0]), "");
  store.save(plan.cells[0], outcome({70, 71}, 4));
  EXPECT_EQ(store.load(plan.cells[0])->seconds, 4);
  EXPECT_EQ(to_json(*store.load(plan.cells[0])->training), to_json(*outcome({70, 71}, 4).training));
  EXPECT_FALSE(store.load(other).has_value());
  EXPECT_EQ(store.change(other), "lr was 0.005, now 0.125");
  store.save(other, {.status = Status::kFailed, .kind = ErrorKind::kData, .failure = "\xff no"});
  EXPECT_EQ(store.load(other)->kind, ErrorKind::kData);
  EXPECT_EQ(store.load(plan.cells[0])->status, Status::kDone);
}

TEST_F(CompareStoreTest, ResultsOfOtherBuilds) {
  CompareRequest old = request(), older = request(), other = request({{"lr", "0.125", ""}});
  old.program = "0 (b)";
  older.program = other.program = "0 (a)";
  const CompareCell cell = plan_comparison(request(), kAcm).cells[0];
  const CompareStore store(folder_);
  store.save(plan_comparison(other, kAcm).cells[0], outcome({50}, 1));
  EXPECT_FALSE(store.load_of_any_build(cell).has_value());  // other settings
  EXPECT_EQ(store.change(cell, true), "");
  const CompareCell first = plan_comparison(older, kAcm).cells[0],
                    second = plan_comparison(old, kAcm).cells[0];
  store.save(first, outcome({60}, 1));
  EXPECT_FALSE(store.load(cell).has_value());
  EXPECT_EQ(store.load_of_any_build(cell)->program, "0 (a)");
  EXPECT_EQ(store.change(cell, true), "program was 0 (a), now 1");
  store.save(second, outcome({70}, 1));
  fs::last_write_time(folder_ + "/cells/" + first.name + ".json",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(store.load_of_any_build(cell)->program, "0 (b)");
  EXPECT_EQ(to_json(*store.load_of_any_build(cell)->training), to_json(*outcome({70}, 1).training));
  store.save(second, {.status = Status::kFailed, .failure = "no"});
  EXPECT_EQ(store.load_of_any_build(cell)->program, "0 (a)");  // a failure is no result
  CompareCell elsewhere = cell;
  elsewhere.key["simd"] = "none";
  EXPECT_FALSE(store.load_of_any_build(elsewhere).has_value());
  store.save(cell, outcome({80}, 1));
  EXPECT_EQ(store.load(cell)->program, "1");
  for (const char* bad : {"{", "[]", R"({"schema": 1, "key": 3})", R"({"schema": 1, "key": {}})",
                          R"({"schema": 1, "key": {"program": 7}})"}) {
    std::ofstream(folder_ + "/cells/" + first.name + ".json") << bad;
    EXPECT_EQ(store.load_of_any_build(cell)->program, "1") << bad;
  }
}

TEST_F(CompareStoreTest, ADamagedFileIsNone) {
  const CompareCell cell = plan_comparison(request(), kAcm).cells[0];
  const CompareStore store(folder_);
  store.save(cell, outcome({70}, 4));
  const std::string path = folder_ + "/cells/" + cell.name + ".json";
  Json j = Json::parse(std::ifstream(path));
  for (const std::string& bad :
       {std::string("{"), std::string("[]"), Json({{"schema", "x"}, {"key", 1}}).dump(),
        Json({{"schema", 1}, {"key", cell.key}}).dump()}) {
    std::ofstream(path) << bad;
    EXPECT_FALSE(store.load(cell).has_value()) << bad;
  }
  j["metrics"].erase("per_seed");
  std::ofstream(path) << j;
  EXPECT_FALSE(store.load(cell).has_value());
}

TEST_F(CompareStoreTest, OneProcessAndNobodyElsesFiles) {
  {
    const CompareStore store(folder_);
    EXPECT_THAT(usage_error_of([&] { CompareStore again(folder_); }),
                HasSubstr("another comparison"));
  }
  const CompareStore after(folder_ + "/");
  EXPECT_EQ(after.folder(), folder_);
  fs::create_directories(folder_ + "/mine");
  std::ofstream(folder_ + "/mine/results.csv") << "keep";
  EXPECT_THAT(usage_error_of([&] { CompareStore store(folder_ + "/mine"); }),
              HasSubstr("not part of a comparison"));
}

}  // namespace
}  // namespace scrl
