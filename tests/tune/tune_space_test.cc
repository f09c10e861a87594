#include "tune/tune_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "models/registry.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "tune/tune_request.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> start_of(const RunConfig& config, const TuneSpace& space) {
  std::vector<std::string> out;
  for (const TuneSetting& s : space)
    out.push_back(config.options.value_text(*config.options.find(s.key)));
  return out;
}

const TuneSetting* find(const TuneSpace& space, const std::string& key) {
  for (const TuneSetting& s : space)
    if (s.key == key) return &s;
  return nullptr;
}

TEST(TuneSpaceTest, ListsAndRanges) {
  const RunConfig scrl({{"method", "scrl", ""}});
  EXPECT_THAT(parse_space(scrl, "k=5,9,15", "x").values, ElementsAre("5", "9", "15"));
  EXPECT_THAT(parse_space(scrl, "lr=1e-3,0.0100", "x").values, ElementsAre("0.001", "0.01"));
  EXPECT_THAT(parse_space(scrl, "weight-decay=0", "x").key, "weight_decay");
  EXPECT_THAT(parse_space(scrl, "binarize=true,false", "x").values, ElementsAre("true", "false"));
  const TuneSetting lr = parse_space(scrl, "lr=1e-4..1e-2", "x");
  EXPECT_TRUE(lr.values.empty());
  EXPECT_EQ(lr.low, 1e-4);
  EXPECT_EQ(lr.high, 1e-2);
  EXPECT_FALSE(lr.whole);
  EXPECT_TRUE(parse_space(scrl, "hidden1=32..512", "x").whole);
}

TEST(TuneSpaceTest, Errors) {
  const RunConfig scrl({{"method", "scrl", ""}}), gcn({{"method", "gcn", ""}});
  const auto bad = [&](const char* text) {
    return usage_error_of([&] { parse_space(scrl, text, "--space"); });
  };
  EXPECT_THAT(bad("k"), HasSubstr("--space: expected KEY=A,B,C or KEY=LOW..HIGH, got 'k'"));
  EXPECT_THAT(bad("k="), HasSubstr("expected KEY"));
  EXPECT_THAT(bad("=3"), HasSubstr("expected KEY"));
  EXPECT_THAT(bad("k=5,,9"), HasSubstr("k: expected a whole number"));
  EXPECT_THAT(bad("k=5,5"), HasSubstr("'5' is listed twice"));
  EXPECT_THAT(bad("lr=0.1,1e-1"), HasSubstr("'1e-1' is listed twice"));
  EXPECT_THAT(bad("k=0,5"), HasSubstr("got '0'"));
  EXPECT_THAT(bad("hiden1=3"), HasSubstr("did you mean 'hidden1'?"));
  EXPECT_THAT(bad("lr=1e-2..1e-4"), HasSubstr("0 < LOW < HIGH"));
  EXPECT_THAT(bad("weight_decay=0..1"), HasSubstr("0 < LOW < HIGH"));
  EXPECT_THAT(bad("lr=1e-4..x"), HasSubstr("lr: expected a number above 0, got 'x'"));
  EXPECT_THAT(bad("knn=rule..union"), HasSubstr("knn: expected"));
  EXPECT_THAT(bad("binarize=0..1"), HasSubstr("binarize: expected"));
  for (const char* key :
       {"seed", "labels", "split", "protocol", "val_nodes", "method", "test_share"})
    EXPECT_THAT(bad(cat(key, "=1").c_str()), HasSubstr("cannot be searched")) << key;
  EXPECT_THAT(usage_error_of([&] { parse_space(gcn, "tau=1", "--space"); }),
              HasSubstr("unknown option"));
}

TEST(TuneSpaceTest, Files) {
  const TempFolder folder;
  const std::string path = folder.path() + "/space.txt";
  const RunConfig scrl({{"method", "scrl", ""}});
  std::ofstream(path) << "# comment\n\n k = 5, 9  # two\nlr=1e-4..1e-2\n";
  const TuneSpace space = read_space_file(scrl, path);
  ASSERT_EQ(space.size(), 2u);
  EXPECT_EQ(space[0].text(), "5,9");
  EXPECT_EQ(space[1].text(), "1e-04..0.01");
  std::ofstream(path) << space_file_text(space);  // reads back
  EXPECT_EQ(space_file_text(read_space_file(scrl, path)), space_file_text(space));
  std::ofstream(path) << "k=5\nlr=x\n";
  EXPECT_THAT(usage_error_of([&] { read_space_file(scrl, path); }), HasSubstr("space.txt:2"));
  std::ofstream(path) << "k=5\nk=6\n";
  EXPECT_THAT(usage_error_of([&] { read_space_file(scrl, path); }),
              HasSubstr("space.txt:2: k is there"));
  EXPECT_THAT(usage_error_of([&] { read_space_file(scrl, "none"); }), HasSubstr("'none'"));
}

TEST(TuneSpaceTest, EveryMethodHasADefaultSpaceOfItsOwnSettings) {
  for (const MethodInfo& info : method_list()) {
    const RunConfig config({{"method", info.name, ""}});
    const TuneSpace space = default_space(config, 4);
    EXPECT_GE(space.size(), 2u) << info.name;
    for (const TuneSetting& s : space) {
      EXPECT_FALSE(s.chosen);
      EXPECT_TRUE(config.options.has(s.key));
      EXPECT_TRUE(!s.values.empty() || s.low < s.high) << info.name << " " << s.key;
    }
    EXPECT_EQ(find(space, "k") != nullptr, (info.views & kFeatureGraph) != 0) << info.name;
    EXPECT_NE(find(space, "lr"), nullptr) << info.name;
    // All that can be drawn can be trained.
    for (std::uint32_t n = 0; n < 50; ++n) {
      std::vector<Setting> settings = {{"method", info.name, ""}};
      const auto values = draw(space, start_of(config, space), 1, n);
      for (std::size_t i = 0; i < space.size(); ++i)
        settings.push_back({space[i].key, values[i], ""});
      RunConfig{settings};
    }
  }
}

TEST(TuneSpaceTest, DefaultSpaceOfScrl) {
  const RunConfig scrl({{"method", "scrl", ""}});
  const TuneSpace space = default_space(scrl, 6);
  const auto text = [&](const char* key) { return find(space, key)->text(); };
  EXPECT_EQ(text("k"), "2,3,4,5,6,7,8,9,15,20,30");
  EXPECT_EQ(text("knn"), "union,mutual,rule");
  EXPECT_EQ(text("hidden1"), "64,128,256,512,768");
  EXPECT_EQ(text("lr"), "5e-04..0.05");
  EXPECT_EQ(text("weight_decay"), "1e-05..0.1");
  EXPECT_EQ(find(default_space(scrl, 6, [](auto& key) { return key == "k"; }), "k"), nullptr);
  EXPECT_TRUE(parse_space(scrl, "k=5..30", "x").whole);
  for (const char* key :
       {"hidden2", "weight_decay", "dropout", "input_dropout", "alpha", "binarize", "lsa_rank"})
    EXPECT_NE(find(space, key), nullptr) << key;
  for (const char* key : {"adjacency", "lazy", "feature_norm"})  // belong to the method
    EXPECT_EQ(find(space, key), nullptr) << key;
}

TEST(TuneSpaceTest, Draws) {
  const RunConfig scrl({{"method", "scrl", ""}});
  TuneSpace space = default_space(scrl, 3);
  put(space, parse_space(scrl, "k=5,7", "x"));
  put(space, parse_space(scrl, "lr=1e-4..1e-2", "x"));
  const auto start = start_of(scrl, space);
  std::map<std::string, int> k, knn;
  std::set<std::vector<std::string>> all;
  int low = 0, unchanged = 0;
  constexpr int kDraws = 3000;
  for (std::uint32_t n = 0; n < kDraws; ++n) {
    const auto v = draw(space, start, 7, n);
    EXPECT_EQ(v, draw(space, start, 7, n));
    all.insert(v);
    for (std::size_t i = 0; i < space.size(); ++i) {
      if (space[i].key == "k") ++k[v[i]];
      if (space[i].key == "knn") ++knn[v[i]];
      if (space[i].key == "alpha") unchanged += v[i] == start[i];
      if (space[i].key != "lr") continue;
      const double lr = std::stod(v[i]);
      EXPECT_GE(lr, 1e-4);
      EXPECT_LE(lr, 1e-2);
      EXPECT_LE(v[i].size(), 8u) << v[i];  // three digits
      low += lr < 1e-3;
    }
  }
  EXPECT_GT(all.size(), kDraws * 0.95);
  EXPECT_EQ(k.size(), 2u);  // asked for: the starting value 9 is none of them
  EXPECT_NEAR(k["5"], kDraws / 2, 150);
  EXPECT_NEAR(low, kDraws / 2, 150);  // half of the range in the logarithm
  EXPECT_NEAR(unchanged, kDraws / 2, 150);
  EXPECT_NEAR(knn["mutual"], kDraws / 6, 120);
  EXPECT_NE(draw(space, start, 7, 0), draw(space, start, 8, 0));
}

TEST(TuneSpaceTest, ADrawDoesNotDependOnOtherSettings) {
  const RunConfig scrl({{"method", "scrl", ""}});
  TuneSpace one = {parse_space(scrl, "lr=1e-4..1e-2", "x")};
  TuneSpace two = {parse_space(scrl, "alpha=0.1,0.2", "x"), one[0]};
  for (std::uint32_t n = 0; n < 20; ++n)
    EXPECT_EQ(draw(one, {"0.001"}, 3, n)[0], draw(two, {"0.1", "0.001"}, 3, n)[1]);
}

TEST(TuneSpaceTest, PartsOfARange) {
  const TuneSetting lr = parse_space(RunConfig({{"method", "scrl", ""}}), "lr=1e-4..1e-1", "x");
  EXPECT_EQ(part_of(lr, "0.0001"), "0.0001..0.001");
  EXPECT_EQ(part_of(lr, "0.005"), "0.001..0.01");
  EXPECT_EQ(part_of(lr, "0.1"), "0.01..0.1");
  EXPECT_EQ(part_of(lr, "0.5"), "0.5");  // a starting value outside
  EXPECT_EQ(part_of(parse_space(RunConfig({{"method", "scrl", ""}}), "k=5,9", "x"), "9"), "9");
}

TEST(TuneBudgetTest, TrialsOrTime) {
  EXPECT_EQ(parse_budget("50").trials, 50);
  EXPECT_EQ(parse_budget("50").seconds, 0);
  EXPECT_EQ(parse_budget("90s").seconds, 90);
  EXPECT_EQ(parse_budget("1.5m").seconds, 90);
  EXPECT_EQ(parse_budget("2h").seconds, 7200);
  EXPECT_EQ(parse_budget("2h").trials, 0);
  for (const char* bad : {"", "0", "-3", "1.5", "10x", "m", "0s", "-1m", "nan", "nans", "1e400",
                          "10 m", "99999999999"})
    EXPECT_THAT(usage_error_of([&] { parse_budget(bad); }), HasSubstr("--budget: expected")) << bad;
}

}  // namespace
}  // namespace scrl
