#include "experiments/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/compare_files.h"
#include "experiments/small_comparison.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Status = CellOutcome::Status;

std::string setting(const CompareCell& cell, const std::string& key) {
  return cell.key.at("settings").at(key).get<std::string>();
}

TEST(ComparePlanTest, Lists) {
  EXPECT_THAT(method_names("gcn,mlp"), ElementsAre("gcn", "mlp"));
  EXPECT_GE(method_names("all").size(), 4u);
  EXPECT_THAT(label_rates("20,40"), ElementsAre(20, 40));
  EXPECT_THAT(label_rates(""), ElementsAre(0));
  EXPECT_THAT(usage_error_of([] { method_names("gcn,gnn"); }), HasSubstr("unknown method 'gnn'"));
  EXPECT_THAT(usage_error_of([] { method_names("gcn,gcn"); }), HasSubstr("'gcn' is listed twice"));
  EXPECT_THAT(usage_error_of([] { method_names("gcn,"); }), HasSubstr("expected a list"));
  for (const char* bad : {"20,x", "-1", "20.5", "20,", "99999999999"})
    EXPECT_THAT(usage_error_of([&] { label_rates(bad); }), HasSubstr("--labels: ")) << bad;
  EXPECT_THAT(usage_error_of([] { protocols_named("val,test"); }), HasSubstr("got 'test'"));
}

TEST(ComparePlanTest, SettingsGoToTheMethodsThatKnowThem) {
  const CompareRequest r = request(
      {{"knn_gcn.lr", "0.5", "--set"}, {"lr", "0.25", "--set"}, {"hidden2", "64", "--set"}});
  check_request(r);
  const ComparePlan plan = plan_comparison(r, kAcm);
  ASSERT_EQ(plan.cells.size(), 3u);
  EXPECT_EQ(setting(plan.cells[0], "hidden2"), "64");
  EXPECT_FALSE(plan.cells[2].key.at("settings").contains("hidden2"));
  EXPECT_EQ(setting(plan.cells[0], "lr"), "0.25");
  EXPECT_EQ(setting(plan.cells[1], "lr"), "0.5");  // its own wins, though given first
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("lr = 0.5"), HasSubstr("lr = 0.25"),
                                      HasSubstr("hidden2 = 64 for scrl; the others")));
}

TEST(ComparePlanTest, WrongSettings) {
  const auto error = [](const char* key, const char* value) {
    return usage_error_of([&] { check_request(request({{key, value, "--set"}})); });
  };
  EXPECT_THAT(error("epoch", "3"), HasSubstr("did you mean 'epochs'?"));
  EXPECT_THAT(error("mlp.tau", "1"), HasSubstr("unknown option 'tau'"));
  EXPECT_THAT(error("gcn.lr", "1"), HasSubstr("gcn is not among the methods compared"));
  EXPECT_THAT(error("gnn.lr", "1"), HasSubstr("unknown method 'gnn'"));
  EXPECT_THAT(error("mlp.seeds", "1"), HasSubstr("the same seeds"));
  EXPECT_THAT(error("labels", "20"), HasSubstr("give it as --labels"));
  EXPECT_THAT(error("lr", "-1"), HasSubstr("lr: expected a number above 0"));
}

TEST(ComparePlanTest, OracleIsReadOffTheTrainingUnderVal) {
  CompareRequest r = request();
  r.protocols = {Protocol::kVal, Protocol::kOracle};
  const ComparePlan both = plan_comparison(r, kAcm);
  EXPECT_EQ(both.cells.size(), 3u);
  EXPECT_EQ(cell_of(both, 0, 0, 2, Protocol::kOracle), cell_of(both, 0, 0, 2, Protocol::kVal));
  r.protocols = {Protocol::kOracle, Protocol::kFixed};
  r.labels = {20, 40};
  const ComparePlan two = plan_comparison(r, kAcm);
  EXPECT_EQ(two.cells.size(), 12u);
  EXPECT_EQ(two.cells[cell_of(two, 0, 40, 2, Protocol::kOracle)].protocol, Protocol::kVal);
  EXPECT_EQ(two.cells[cell_of(two, 0, 40, 2, Protocol::kFixed)].protocol, Protocol::kFixed);
}

TEST(ComparePlanTest, PublishedSettingsWhereThereAreAny) {
  CompareRequest r = request();
  r.rows[0].method = "scrl-paper";
  for (Variant& row : r.rows) row.profile = Profile::kPaper;
  r.labels = {40};
  const ComparePlan plan = plan_comparison(r, kAcm);
  EXPECT_EQ(setting(plan.cells[0], "profile"), "paper");
  EXPECT_EQ(setting(plan.cells[0], "epochs"), "50");
  EXPECT_EQ(setting(plan.cells[2], "profile"), "default");
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_THAT(plan.notes[0], HasSubstr("no settings for"));
  EXPECT_THAT(plan.notes[0], HasSubstr("mlp on acm 40;"));
}

TEST(ComparePlanTest, ARowIsAMethodWithSettings) {
  CompareRequest r = request({{"k", "4", "--set"}, {"scrl_paper.lr", "0.5", "--set"}});
  r.rows = {{.label = "a", .method = "scrl-paper", .settings = {{"k", "7", "row"}}},
            {.label = "b", .method = "scrl-paper", .profile = Profile::kPaper},
            {.label = "c", .method = "mlp"}};
  r.data = {{"x", {3, 20}}, {"y"}};
  check_request(r);
  EXPECT_THAT(methods_of(r.rows), ElementsAre("scrl-paper", "mlp"));
  const ComparePlan plan =
      plan_comparison(r, {{"x", "acm", "00000000aa", 20, {3, 20}}, {"y", "uai", "11111111aa"}});
  ASSERT_EQ(plan.cells.size(), 9u);             // two rates of the one, the own split of the other
  EXPECT_EQ(setting(plan.cells[0], "k"), "7");  // what the row is about wins
  EXPECT_EQ(setting(plan.cells[1], "k"), "4");
  EXPECT_EQ(setting(plan.cells[0], "lr"), "0.5");
  EXPECT_EQ(setting(plan.cells[1], "lr"), "0.5");
  EXPECT_EQ(setting(plan.cells[4], "profile"), "paper");
  EXPECT_EQ(setting(plan.cells[1], "profile"), "default");  // nothing for 3 labels on ACM
  EXPECT_EQ(plan.cells[3].labels, 20);
  EXPECT_EQ(plan.cells[6].labels, 0);
  EXPECT_EQ(cell_of(plan, 0, 20, 1, Protocol::kVal), 4u);
  EXPECT_NE(plan.cells[0].name, plan.cells[1].name);
  EXPECT_EQ(plan.cells[0].stem, plan.cells[1].stem);
}

TEST(ComparePlanTest, SettingsThatApply) {
  EXPECT_TRUE(applies({"lr", "1", ""}, {"mlp"}));
  EXPECT_TRUE(applies({"knn_gcn.lr", "1", ""}, {"mlp", "knn-gcn"}));
  EXPECT_FALSE(applies({"gcn.lr", "1", ""}, {"mlp", "knn-gcn"}));
  EXPECT_FALSE(applies({"tau", "1", ""}, {"mlp"}));
}

TEST(ComparePlanTest, EveryInfluenceIsInTheKey) {
  const std::string name = plan_comparison(request(), kAcm).cells[0].name;
  EXPECT_EQ(plan_comparison(request(), kAcm).cells[0].name, name);
  CompareRequest other = request();
  other.program = "2";
  EXPECT_NE(plan_comparison(other, kAcm).cells[0].name, name);
  for (const char* key : {"lr", "seed", "seeds", "alpha", "knn_search"})
    EXPECT_NE(plan_comparison(
                  request({{key, key == std::string("knn_search") ? "exact" : "3", ""}}), kAcm)
                  .cells[0]
                  .name,
              name)
        << key;
  std::vector<DataFacts> changed = kAcm;
  changed[0].fingerprint.back() = '0';
  EXPECT_NE(plan_comparison(request(), changed).cells[0].name, name);
  // How often checkpoints are written changes nothing.
  EXPECT_EQ(plan_comparison(request({{"checkpoint_secs", "1", ""}}), kAcm).cells[0].name, name);
}

TEST(ComparePlanTest, DataOfTheSameNameAreToldApart) {
  const ComparePlan plan = plan_comparison(
      request(), {{"a/g", "g", "00000000aa"}, {"b/g", "g", "11111111aa"}, {"h", "h", "22222222"}});
  EXPECT_EQ(plan.data[0].name, "a/g");
  EXPECT_EQ(plan.data[1].name, "b/g");
  EXPECT_EQ(plan.data[2].name, "h");
  EXPECT_NE(plan.cells[0].name, plan.cells[3].name);
}

Comparison example() {
  CompareRequest r = request({{"seeds", "3", ""}});
  r.protocols = {Protocol::kVal, Protocol::kOracle};
  Comparison c{.plan = plan_comparison(r, {{"x", "a_b, c", "0123456789", 20}}), .folder = "f"};
  c.outcomes = {
      outcome({70.1, 71.3, 69.8}, 2),
      outcome({72.0, 71.9, 73.3}, 3),
      {.status = Status::kFailed, .kind = ErrorKind::kDiverged, .failure = "100%, \"x\""}};
  return c;
}

TEST(CompareTablesTest, BestAndSignificance) {
  const std::vector<CompareRow> rows = compare_rows(example());
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_NEAR(rows[0].accuracy->mean, 70.4, 1e-9);
  EXPECT_FALSE(rows[0].best);
  EXPECT_NEAR(rows[0].p_value.value(), 0.13986781619751848, 1e-9);  // scipy.stats.ttest_rel
  EXPECT_TRUE(rows[1].best);
  EXPECT_FALSE(rows[1].p_value.has_value());
  EXPECT_EQ(rows[2].status, Status::kFailed);
  EXPECT_EQ(rows[3].protocol, Protocol::kOracle);
  EXPECT_NEAR(rows[3].accuracy->mean, 72.4, 1e-9);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_FALSE(rows[i].best || rows[i].p_value);
}

TEST(CompareTablesTest, TableSaysWhatItShows) {
  const Comparison c = example();
  const std::vector<CompareTable> tables = full_tables(c);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].title, "a_b, c, 20 labels per class");
  EXPECT_THAT(tables[0].header,
              ElementsAre("method", "val accuracy", "val macro-F1", "val p", "oracle† accuracy",
                          "oracle† macro-F1", "seconds", "peak MB"));
  EXPECT_EQ(tables[0].rows[1][1].text, "72.40 ± 0.78");
  EXPECT_EQ(tables[0].rows[1][3].text, "best");
  EXPECT_EQ(tables[0].rows[0][3].text, "0.140");
  EXPECT_EQ(tables[0].rows[2][1].text, "failed");
  EXPECT_THAT(tables[0].notes, ElementsAre("mlp failed: 100%, \"x\""));
  EXPECT_TRUE(overview_tables(c).empty());
  const std::vector<std::string> lines = caption(c);
  EXPECT_THAT(lines, ::testing::Contains(HasSubstr("test nodes (diagnostic, not a result)")));
  EXPECT_THAT(lines, ::testing::Contains(HasSubstr("two-sided paired t-test")));
}

TEST(CompareTablesTest, FilesEscapeWhatTheyMust) {
  const Comparison c = example();
  EXPECT_THAT(comparison_csv(c),
              HasSubstr("\n\"a_b, c\",20,scrl,scrl,val,validation nodes,done,3,70.39"));
  EXPECT_THAT(comparison_csv(c), HasSubstr(",oracle,\"test nodes (diagnostic, not a result)\","));
  EXPECT_THAT(comparison_csv(c), HasSubstr(",\"100%, \"\"x\"\"\"\n"));
  EXPECT_THAT(comparison_latex(c), HasSubstr("\\caption{a\\_b, c, 20 labels"));
  EXPECT_THAT(comparison_latex(c), HasSubstr("mlp failed: 100\\%, \"x\".}"));
  EXPECT_THAT(comparison_latex(c), HasSubstr("knn-gcn & \\textbf{72.40 $\\pm$ 0.78} & "));
  EXPECT_THAT(comparison_latex(c), HasSubstr("oracle$^\\dagger$ accuracy"));
  EXPECT_THAT(comparison_latex(c), HasSubstr("(diagnostic, not a result)"));
  EXPECT_THAT(comparison_markdown(c), HasSubstr("## a\\_b, c, 20"));
  EXPECT_THAT(comparison_markdown(c), HasSubstr("| knn-gcn | **72.40 ± 0.78** |"));
  EXPECT_EQ(latex_text("a\\b{c}^~<|--&\n"),
            "a\\textbackslash{}b\\{c\\}\\^{}\\~{}$<$\\textbar{}-{}-\\& ");
  EXPECT_EQ(markdown_text("a|b*c_<d>"), "a\\|b\\*c\\_\\<d\\>");
  const Json j = comparison_json(c);
  EXPECT_TRUE(j["rows"][3]["diagnostic"].get<bool>());
  EXPECT_TRUE(j["rows"][2]["accuracy"]["mean"].is_null());
}

TEST(CompareTablesTest, OtherBuildsAreNamed) {
  Comparison c = example();
  c.outcomes[0].program = "1";
  c.outcomes[1].program = "0 (b)";
  EXPECT_THAT(caption(c), ::testing::Contains("1 of 3 were done by another build, 0 (b)."));
  EXPECT_EQ(comparison_json(c)["rows"][1]["build"], "0 (b)");
  EXPECT_THAT(comparison_csv(c), HasSubstr(c.outcomes[1].training->result_hash() + ",0 (b),\n"));
  c.outcomes[1].program = "1";
  for (const std::string& line : caption(c)) EXPECT_EQ(line.find("another build"), line.npos);
}

TEST(CompareTablesTest, FewSeedsAndNoTestNodes) {
  Comparison c = example();
  c.outcomes[0] = outcome({70, 71}, 1);
  c.outcomes[1] = outcome({72, 73}, 1);
  EXPECT_EQ(full_tables(c)[0].rows[0][3].text, "-");
  c.outcomes[0].training->test_nodes = c.outcomes[1].training->test_nodes = 0;
  EXPECT_EQ(full_tables(c)[0].rows[0][1].text, "-");
  EXPECT_FALSE(compare_rows(c)[1].best);
}

TEST(CompareTest, TimeLeftCountsOnlyWhatIsKnown) {
  CompareRequest r = request();
  r.labels = {20, 40, 60};
  Comparison c{.plan = plan_comparison(r, kAcm)};
  c.outcomes.resize(9);
  c.outcomes[0] = outcome({1}, 10);  // scrl at 20
  TimeLeft left = time_left(c, 1, 5);
  EXPECT_DOUBLE_EQ(left.seconds, 5 + 2 * 10);
  EXPECT_TRUE(left.at_least);  // mlp was never timed
  c.outcomes[1] = outcome({1}, 2);
  c.outcomes[2] = outcome({1}, 1);
  c.outcomes[3] = outcome({1}, 20);
  left = time_left(c, 4, 0.5);
  EXPECT_DOUBLE_EQ(left.seconds, 0.5 + 1 + 15 + 2 + 1);
  EXPECT_FALSE(left.at_least);
}

TEST(CompareTest, WhatNeedsNoLabelsIsLearnedOnce) {
  CompareRequest r = request({{"seeds", "2", ""}});
  r.rows = method_rows({"grace", "mlp", "dgi"}, Profile::kDefault);
  r.rows.push_back({.label = "other", .method = "grace", .settings = {{"tau", "0.3", ""}}});
  r.labels = {20, 40};
  r.protocols = {Protocol::kVal, Protocol::kFixed};
  const ComparePlan plan = plan_comparison(r, kAcm);
  ASSERT_EQ(plan.cells.size(), 16u);
  const std::string& grace = plan.cells[0].embedding;
  EXPECT_THAT(grace, HasSubstr("acm-grace-"));
  for (const std::size_t same : {1, 8, 9}) EXPECT_EQ(plan.cells[same].embedding, grace);
  for (const std::size_t mlp : {2, 3, 10}) EXPECT_EQ(plan.cells[mlp].embedding, "");
  EXPECT_NE(plan.cells[4].embedding, grace);  // dgi
  EXPECT_NE(plan.cells[6].embedding, grace);  // another tau
  Comparison c{.plan = plan, .outcomes = std::vector<CellOutcome>(16)};
  c.outcomes[0] = outcome({1}, 100);
  c.outcomes[2] = outcome({1}, 1);
  c.outcomes[4] = outcome({1}, 10);
  c.outcomes[6] = outcome({1}, 30);
  // mlp three times; nothing of the others is learned again
  EXPECT_DOUBLE_EQ(time_left(c, 1, 5).seconds, 5 + 3 * 1);
}

}  // namespace
}  // namespace scrl
