#include "base/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace scrl {

enum class TestNorm { kRw, kSym };
template <>
inline constexpr auto kNames<TestNorm> = std::array{"rw", "sym"};

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Settings {
  int epochs = 200;
  double lr = 2e-4, dropout = 0.5;
  bool json = false, relu = true;
  TestNorm norm = TestNorm::kRw;
  std::optional<double> weight;
  std::optional<int> steps;
};

class OptionsTest : public ::testing::Test {
 protected:
  OptionsTest() {
    set.add("epochs", s.epochs, at_least(1), "passes over the graph", 'e');
    set.add("lr", s.lr, above(0), "learning rate");
    set.add("weight_dropout", s.dropout, from_to_below(0, 1), "share dropped");
    set.add("relu", s.relu, {}, "use ReLU");
    set.add("norm", s.norm, "normalisation");
    set.add("weight", s.weight, at_least(0), "weight of a loss");
    set.add("steps", s.steps, at_least(2), "steps over the graph");
    set.add_flag("json", s.json, "one JSON object on stdout");
  }
  std::string error(std::string_view key, std::string_view text) {
    try {
      set.set(key, text, "command line");
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kUsage);
      return e.what();
    }
    return "no error";
  }
  Settings s;
  OptionSet set;
};

TEST_F(OptionsTest, SetsValuesAndRemembersWhoDid) {
  set.set("epochs", "7", "config run.toml");
  set.set("weight-dropout", "0", "command line");
  set.set("relu", "false", "--set");
  EXPECT_EQ(s.epochs, 7);
  EXPECT_EQ(s.dropout, 0);
  EXPECT_FALSE(s.relu);
  EXPECT_EQ(set.find("epochs")->origin, "config run.toml");
  EXPECT_EQ(set.find("lr")->origin, "default");
  EXPECT_EQ(set.find("lr")->default_text, "2e-04");
  EXPECT_EQ(set.value_text(*set.find("epochs")), "7");
}

TEST_F(OptionsTest, ANumberMayBeLeftToARule) {
  EXPECT_EQ(set.find("weight")->default_text, "auto");
  set.set("weight", "0.25", "--set");
  EXPECT_EQ(s.weight, 0.25);
  EXPECT_EQ(set.value_text(*set.find("weight")), "0.25");
  set.set("weight", "auto", "--set");
  EXPECT_FALSE(s.weight.has_value());
  EXPECT_EQ(set.value_text(*set.find("weight")), "auto");
  EXPECT_EQ(error("weight", "-1"), "weight: expected auto, or a number at least 0, got '-1'");
  EXPECT_EQ(error("weight", "Auto"), "weight: expected auto, or a number at least 0, got 'Auto'");
}

TEST_F(OptionsTest, AWholeNumberMayBeLeftToARule) {
  set.set("steps", "3", "--set");
  EXPECT_EQ(s.steps, 3);
  EXPECT_EQ(error("steps", "2.5"), "steps: expected auto, or a whole number at least 2, got '2.5'");
  EXPECT_EQ(error("steps", "1"), "steps: expected auto, or a whole number at least 2, got '1'");
  set.set("steps", "auto", "--set");
  EXPECT_FALSE(s.steps.has_value());
}

TEST_F(OptionsTest, TheRuleSettlesWhatWasLeftToIt) {
  EXPECT_TRUE(set.is_auto("steps"));
  EXPECT_FALSE(set.is_auto("norm"));
  EXPECT_FALSE(set.is_auto("no_such_option"));
  set.set("steps", "auto", "run.toml:3");
  set.resolve("steps", "5");
  EXPECT_EQ(s.steps, 5);
  EXPECT_TRUE(set.find("steps")->resolved);
  EXPECT_EQ(set.find("steps")->origin, "run.toml:3");
  EXPECT_FALSE(set.is_auto("steps"));
  EXPECT_THROW(set.resolve("steps", "6"), Error);  // a number is not a rule's to change
}

TEST_F(OptionsTest, BadValuesNameKeyExpectationAndValue) {
  EXPECT_EQ(error("epochs", "0"), "epochs: expected a whole number at least 1, got '0'");
  EXPECT_EQ(error("epochs", "7x"), "epochs: expected a whole number at least 1, got '7x'");
  EXPECT_EQ(error("epochs", ""), "epochs: expected a whole number at least 1, got ''");
  EXPECT_EQ(error("lr", "nan"), "lr: expected a number above 0, got 'nan'");
  EXPECT_EQ(error("lr", "inf"), "lr: expected a number above 0, got 'inf'");
  EXPECT_EQ(error("weight_dropout", "1"),
            "weight_dropout: expected a number at least 0 and below 1, got '1'");
  EXPECT_EQ(error("norm", "max"), "norm: expected rw or sym, got 'max'");
  EXPECT_EQ(s.norm, TestNorm::kRw);
  EXPECT_EQ(error("norm", "sym"), "no error");
  EXPECT_EQ(s.norm, TestNorm::kSym);
  EXPECT_EQ(set.value_text(*set.find("norm")), "sym");
  EXPECT_EQ(error("relu", "maybe"), "relu: expected true or false, got 'maybe'");
  EXPECT_EQ(s.epochs, 200);
}

TEST_F(OptionsTest, UnknownKeysGetASuggestion) {
  EXPECT_EQ(error("epoch", "3"), "unknown option 'epoch'; did you mean 'epochs'?");
  EXPECT_EQ(error("weigth_dropout", "3"),
            "unknown option 'weigth_dropout'; did you mean 'weight_dropout'?");
  EXPECT_THAT(error("zzzzzzzz", "3"), HasSubstr("--help"));
}

TEST_F(OptionsTest, CommandLineForms) {
  const ParsedArgs p = parse_args(
      {&set}, {"acm", "--lr=0.1", "-e", "5", "-e6", "--json", "--tau", "0.3", "--", "--odd"});
  EXPECT_THAT(p.positional, ElementsAre("acm", "--odd"));
  EXPECT_THAT(p.options, ElementsAre(Pair("lr", "0.1"), Pair("epochs", "5"), Pair("epochs", "6"),
                                     Pair("json", "true"), Pair("tau", "0.3")));
  EXPECT_THROW(parse_args({&set}, {"--lr"}), Error);
  EXPECT_THROW(parse_args({&set}, {"-z"}), Error);
}

TEST_F(OptionsTest, HelpShowsDefaultsAndRanges) {
  const std::string help = set.help_text();
  EXPECT_THAT(help, HasSubstr("-e, --epochs N"));
  EXPECT_THAT(help, HasSubstr("passes over the graph (at least 1; default 200)"));
  EXPECT_THAT(help, HasSubstr("normalisation (rw or sym; default rw)"));
}

}  // namespace
}  // namespace scrl
