#include "config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.h"
#include "models/registry.h"
#include "paper/published_settings.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

std::string write_file(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

TEST(ConfigTest, LaterSettingsWinAndOriginsAreKept) {
  const RunConfig c({{"method", "gcn", "command line"},
                     {"lr", "0.5", "run.toml:3"},
                     {"lr", "0.25", "--set"},
                     {"epochs", "7", "run.toml:4"}});
  EXPECT_EQ(c.train.lr, 0.25);
  EXPECT_EQ(c.train.epochs, 7);
  EXPECT_EQ(c.graph.feature_norm, FeatureNorm::kL2);  // the method's own profile
  EXPECT_EQ(c.options.find("lr")->origin, "--set");
  EXPECT_EQ(c.options.find("epochs")->origin, "run.toml:4");
  EXPECT_EQ(c.options.find("feature_norm")->origin, "profile of gcn");
  EXPECT_EQ(c.options.find("patience")->origin, "default");
}

TEST(ConfigTest, ScriptsMayRelyOnTheseKeys) {
  const RunConfig c({{"method", "scrl", ""}});
  for (const char* key : {"epochs", "lr", "weight_decay", "dropout", "patience", "k", "knn",
                          "hidden1", "hidden2", "alpha", "seed"})
    EXPECT_TRUE(c.options.has(key)) << key;
}

// Every value of every paper profile is a setting that its method has.
TEST(ConfigTest, PaperProfilesAreSettings) {
  std::map<std::string, int> found;
  for (const MethodInfo& info : method_list())
    for (const char* data : {"acm", "blogcatalog", "flickr", "uai", "citeseer", "pubmed"})
      for (const char* labels : {"20", "40", "60"}) {
        const std::vector<Setting> settings = {
            {"method", info.name, "x"}, {"labels", labels, "x"}, {"profile", "paper", "x"}};
        KeyValues values;
        try {
          values = published_values(info.name, data, std::atoi(labels));
        } catch (const Error&) {
          EXPECT_THAT(usage_error_of([&] { RunConfig(settings, data); }),
                      HasSubstr("profile paper"));
          continue;
        }
        ++found[info.name];
        const RunConfig c(settings, data);
        std::map<std::string, std::string> last;
        for (const auto& [key, value] : values) last[key] = value;
        for (const auto& [key, value] : last) {
          ASSERT_TRUE(c.options.has(key)) << info.name << " " << key;
          EXPECT_EQ(c.options.find(key)->origin, "profile paper") << info.name << " " << key;
        }
      }
  for (const char* name :
       {"scrl-paper", "amgcn", "knn-gcn", "gcn-tf", "chebnet", "gat", "mixhop", "dgi", "grace"})
    EXPECT_EQ(found[name], 18) << name;
  EXPECT_EQ(found.count("mlp"), 0u);
}

TEST(ConfigTest, TheRecordReadsBackToTheSameValues) {
  const RunConfig c({{"method", "scrl-paper", "x"},
                     {"lr", "3e-3", "x"},
                     {"alpha", "2", "x"},
                     {"proto_relu", "true", "x"},
                     {"knn", "rule", "x"}});
  const std::string name = "a \"quoted\" name\\ with\na line break";
  const std::string path = write_file("record.toml", config_text(c, name, "0123abcd"));
  const ConfigFile read = read_config_file(path);
  EXPECT_EQ(read.data, name);
  EXPECT_EQ(read.fingerprint, "0123abcd");
  const RunConfig back(read.settings);
  const auto before = c.values(), after = back.values();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].key, after[i].key);
    EXPECT_EQ(before[i].value, after[i].value);
  }
}

TEST(ConfigTest, TheTypeOfTheFeaturesIsTheOnlyThingReadOffTheData) {
  const Dataset counts = load_dataset("demo:nodes=300");
  Dataset signed_values = counts;
  signed_values.features.val[0] = -1;
  RunConfig other({{"method", "scrl", ""}});
  other.resolve(signed_values);
  EXPECT_EQ(other.graph.binarize, Binarize::kFalse);
  RunConfig c({{"method", "scrl", ""}});
  const auto before = c.values();
  c.resolve(counts);
  EXPECT_EQ(c.graph.binarize, Binarize::kTrue);
  EXPECT_THAT(c.to_toml(), HasSubstr("binarize = \"auto\""));
  const auto after = c.values();
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(before[i].key == "binarize" ? "auto" : after[i].value, before[i].value)
        << before[i].key;
}

TEST(ConfigTest, ScrlHasFewSettings) {
  const RunConfig c({{"method", "scrl", ""}});
  const auto& all = c.options.entries();
  // 29 of splits, training and method; calibration and conformal_share are about what comes after.
  EXPECT_LE(std::count_if(all.begin(), all.end(), [](auto& e) { return !e.fixed; }), 31);
}

TEST(ConfigTest, WhatBelongsToTheMethodIsRecordedAndCannotBeChanged) {
  EXPECT_EQ(usage_error_of([] {
              RunConfig({{"method", "scrl", ""}, {"adjacency", "sym", "--set"}});
            }),
            "adjacency: it is rw by the definition of this method (default) and cannot be set, got "
            "'sym'");
  const RunConfig same({{"method", "scrl", ""}, {"adjacency", "rw", "model file"}});
  EXPECT_EQ(same.graph.adjacency, Norm::kRw);
  EXPECT_THAT(same.options.help_text(), ::testing::Not(HasSubstr("--adjacency")));
  EXPECT_THAT(same.to_toml(), HasSubstr("adjacency = \"rw\""));
}

TEST(ConfigTest, APortfolioHandsItsSettingsToItsMembers) {
  const RunConfig c({{"seed", "7", "--set"}, {"metric", "macro-f1", "--set"}});
  ASSERT_EQ(c.run.method, "auto");
  EXPECT_EQ(c.method, nullptr);
  for (const PortfolioMember& m : chosen_members(c.portfolio.members)) {
    const RunConfig own(member_settings(m, c.values()));
    EXPECT_EQ(own.run.method, m.method);
    EXPECT_EQ(own.train.seed, 7);
    EXPECT_EQ(own.train.metric, Metric::kMacroF1);
    for (const auto& [key, value] : m.settings)
      EXPECT_EQ(own.options.value_text(*own.options.find(key)), value) << m.name;
  }
  EXPECT_EQ(chosen_members("sgc,scrl").size(), 2u);
  EXPECT_EQ(chosen_members("sgc,scrl")[0].name, "scrl");
  EXPECT_THAT(usage_error_of([] { chosen_members("scrl,foo"); }), HasSubstr("there is no 'foo'"));
  EXPECT_THAT(usage_error_of([] { chosen_members("scrl,scrl"); }), HasSubstr("named twice"));
  EXPECT_THAT(usage_error_of([] { chosen_members(""); }), HasSubstr("there is no ''"));
}

TEST(ConfigTest, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(usage_error_of([] {
              RunConfig({{"method", "gcn", ""}, {"epoch", "3", "--set"}});
            }),
            "unknown option 'epoch'; did you mean 'epochs'?");
  EXPECT_EQ(usage_error_of([] {
              RunConfig({{"method", "scrl-paper", ""}, {"tau", "0", "run.toml:9"}});
            }),
            "tau: expected a number at least 1e-04 and at most 10000, got '0' (run.toml:9)");
  EXPECT_THAT(
      usage_error_of([] {
        RunConfig({{"method", "gnc", ""}});
      }),
      HasSubstr("unknown method 'gnc'; the methods are auto, scrl, scrl-paper, amgcn, gcn, "));
  EXPECT_THAT(usage_error_of([] {
                RunConfig({{"method", "mlp", ""}, {"tau", "1", "--set"}});
              }),
              HasSubstr("unknown option 'tau'"));
  const std::string broken = write_file("broken.toml", "lr = 0.1\nepochs = = 3\n");
  EXPECT_THAT(usage_error_of([&] { read_config_file(broken); }), HasSubstr("broken.toml:2: "));
  const std::string nested = write_file("nested.toml", "[train]\nlr = 0.1\n");
  EXPECT_THAT(usage_error_of([&] { read_config_file(nested); }),
              HasSubstr("nested.toml:1: train: expected"));
  EXPECT_THAT(usage_error_of([&] { read_config_file("/no/such.toml"); }),
              HasSubstr("/no/such.toml: no such file"));
}

TEST(ConfigTest, PaperProfile) {
  const RunConfig c({{"method", "scrl-paper", ""}, {"profile", "paper", ""}, {"labels", "40", ""}},
                    "acm");
  EXPECT_EQ(c.graph.k, 3);
  EXPECT_EQ(c.graph.knn, FeatureGraph::kFile);
  EXPECT_EQ(c.train.epochs, 50);
  EXPECT_THAT(usage_error_of([] {
                RunConfig({{"method", "scrl-paper", ""}, {"profile", "paper", ""}}, "cora");
              }),
              HasSubstr("nothing is known for scrl-paper on cora with 20 labels per class"));
}

// A run without -l writes labels = 0 and must be readable again.
TEST(ConfigTest, PaperProfileWithoutALabelRateReadsItsOwnSettings) {
  const RunConfig c({{"method", "scrl-paper", ""}, {"profile", "paper", ""}}, "acm");
  EXPECT_EQ(c.train.epochs, 150);  // as with 20
  const RunConfig again(c.values(), "acm");
  EXPECT_EQ(again.train.epochs, 150);
  EXPECT_EQ(again.graph.k, c.graph.k);
}

}  // namespace
}  // namespace scrl
