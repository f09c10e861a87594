#include "app/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.h"
#include "models/profiles.h"
#include "models/registry.h"
#include "support/errors.h"
#include "train/label_rules.h"
#include "train/prepare.h"

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
  EXPECT_EQ(c.graph.feature_norm, "l2");  // the method's own profile
  EXPECT_EQ(c.options.find("lr")->origin, "--set");
  EXPECT_EQ(c.options.find("epochs")->origin, "run.toml:4");
  EXPECT_EQ(c.options.find("feature_norm")->origin, "profile of gcn");
  EXPECT_EQ(c.options.find("patience")->origin, "default");
}

TEST(ConfigTest, ScriptsMayRelyOnTheseKeys) {
  const RunConfig c({});
  for (const char* key :
       {"epochs", "lr", "weight_decay", "dropout", "patience", "k", "knn", "hidden1", "hidden2",
        "prototypes", "tau", "epsilon", "sinkhorn_iters", "alpha", "seed"})
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
          values = profile_values("paper", info.name, data, std::atoi(labels));
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
       {"scrl", "amgcn", "knn-gcn", "gcn-tf", "chebnet", "gat", "mixhop", "dgi", "grace"})
    EXPECT_EQ(found[name], 18) << name;
  EXPECT_EQ(found.count("mlp"), 0u);
}

TEST(ConfigTest, TheRecordReadsBackToTheSameValues) {
  const RunConfig c({{"lr", "3e-3", "x"},
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

TEST(ConfigTest, RulesFollowWhetherViewsTeachEachOtherClasses) {
  const Dataset demo = load_dataset("demo:nodes=300");
  Split split;  // one of each class
  for (std::int32_t c = 0; c < demo.num_classes(); ++c)
    split.train.push_back(
        static_cast<NodeId>(std::ranges::find(demo.labels, c) - demo.labels.begin()));
  const auto settled = [&](const std::string& key, const std::vector<Setting>& settings) {
    RunConfig c(settings);
    c.settle(demo, split);
    return c.options.value_text(*c.options.find(key));
  };
  const std::string rows = cat(row_length_for(demo.features));
  for (const auto& [key, together, alone] : std::vector<std::array<std::string, 3>>{
           {"feature_weight", "0.3", "1"}, {"row_length", rows, "1"}, {"vote", "1", "0"}}) {
    EXPECT_EQ(settled(key, {}), together) << key;
    EXPECT_EQ(settled(key, {{"alpha", "2", "--set"}}), together) << key;
    EXPECT_EQ(settled(key, {{"alpha", "0", "--set"}}), alone) << key;
    EXPECT_EQ(settled(key, {{"alpha", "0.0", "--set"}}), alone) << key;
    EXPECT_EQ(settled(key, {{"prototypes", "12", "--set"}}), alone) << key;
    EXPECT_EQ(settled(key, {{"prototypes", "12", "--set"}, {key, "0.5", "--set"}}), "0.5") << key;
  }
  EXPECT_EQ(settled("weight_decay", {{"alpha", "0", "--set"}}), "1e-05");
  EXPECT_EQ(settled("input_dropout", {{"alpha", "0", "--set"}}), "0.5");
  EXPECT_EQ(settled("alpha", {{"vote", "0", "--set"}}), settled("alpha", {}));
}

TEST(ConfigTest, RulesAreSettledByTheGraphAndStayOnRecordAsRules) {
  const Dataset demo = load_dataset("demo:nodes=300");
  RunConfig c({});
  const Split split{.train = {0, 1, 2}};
  c.settle(demo, split);
  ASSERT_TRUE(c.graph.row_length);
  EXPECT_EQ(*c.graph.row_length, row_length_for(demo.features));
  EXPECT_EQ(c.graph.feature_values, values_for(demo.features));
  EXPECT_EQ(c.options.value_text(*c.options.find("steps")), cat(steps_for(demo)));
  const std::string toml = c.to_toml();
  EXPECT_EQ(c.options.value_text(*c.options.find("vote")), "1");
  EXPECT_EQ(c.train.weight_decay, label_rules(demo, split, true).weight_decay);
  EXPECT_EQ(c.train.lr, label_rules(demo, split, true).lr);
  EXPECT_EQ(c.graph.k, label_rules(demo, split, true).k);
  EXPECT_THAT(toml, HasSubstr("k = \"auto\""));
  EXPECT_THAT(toml, HasSubstr("steps = \"auto\""));
  EXPECT_THAT(toml, HasSubstr(cat("; ", steps_for(demo), " on this graph")));

  RunConfig given({{"steps", "7", "--set"}, {"row_length", "2", "--set"}});
  given.settle(demo, split);
  EXPECT_EQ(*given.graph.row_length, 2);
  EXPECT_THAT(given.to_toml(), HasSubstr("steps = 7"));
  RunConfig other({{"method", "gcn", "x"}});  // has no steps
  EXPECT_NO_THROW(other.settle(demo, split));
}

TEST(ConfigTest, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(usage_error_of([] {
              RunConfig({{"epoch", "3", "--set"}});
            }),
            "unknown option 'epoch'; did you mean 'epochs'?");
  EXPECT_EQ(usage_error_of([] {
              RunConfig({{"tau", "0", "run.toml:9"}});
            }),
            "tau: expected a number at least 1e-04 and at most 10000, got '0' (run.toml:9)");
  EXPECT_THAT(usage_error_of([] {
                RunConfig({{"method", "gnc", ""}});
              }),
              HasSubstr("unknown method 'gnc'; the methods are scrl, amgcn, gcn, "));
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
  const RunConfig c({{"profile", "paper", ""}, {"labels", "40", ""}}, "acm");
  EXPECT_EQ(c.graph.k, 3);
  EXPECT_EQ(c.graph.knn, "file");
  EXPECT_EQ(c.train.epochs, 50);
  EXPECT_THAT(usage_error_of([] {
                RunConfig({{"profile", "paper", ""}}, "cora");
              }),
              HasSubstr("nothing is known for scrl on cora with 20 labels per class"));
}

// A run without -l writes labels = 0 and must be readable again.
TEST(ConfigTest, PaperProfileWithoutALabelRateReadsItsOwnSettings) {
  const RunConfig c({{"profile", "paper", ""}}, "acm");
  EXPECT_EQ(c.train.epochs, 150);  // as with 20
  const RunConfig again(c.values(), "acm");
  EXPECT_EQ(again.train.epochs, 150);
  EXPECT_EQ(again.graph.k, c.graph.k);
}

}  // namespace
}  // namespace scrl
