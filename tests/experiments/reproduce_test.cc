#include "experiments/reproduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>

#include "base/error.h"
#include "experiments/compare_files.h"
#include "experiments/paper_experiment_rows.h"
#include "experiments/paper_experiments.h"
#include "experiments/paper_tables.h"
#include "experiments/time_tables.h"
#include "run/results.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using Status = CellOutcome::Status;

// A folder in SCRL_DATA whose data sets have names and nothing else, which is all a plan asks for.
class ReproducePlanTest : public ::testing::Test {
 protected:
  ReproducePlanTest() {
    if (const char* old = getenv("SCRL_DATA")) old_ = old;
    setenv("SCRL_DATA", folder_.path().c_str(), 1);
    for (const char* name : {"acm", "BlogCatalog", "flickr", "uai", "citeseer", "pubmed"})
      folder_.write(std::string(name) + "/x", "");
  }
  ~ReproducePlanTest() override {
    old_.empty() ? unsetenv("SCRL_DATA") : setenv("SCRL_DATA", old_.c_str(), 1);
  }
  std::vector<CompareRequest> plan(const ReproduceRequest& request) {
    skipped_.clear();
    return plan_reproduction(request, skipped_);
  }
  std::string error(const ReproduceRequest& request, ErrorKind kind = ErrorKind::kUsage) {
    return error_of([&] { plan(request); }, kind);
  }

  TempFolder folder_;
  std::string old_;
  std::vector<std::string> skipped_;
};

std::vector<std::string> tables(const std::vector<CompareRequest>& requests) {
  std::vector<std::string> out;
  for (const CompareRequest& r : requests) out.push_back(r.table);
  return out;
}

TEST_F(ReproducePlanTest, EveryExperimentIsAComparison) {
  const auto all = plan({});
  EXPECT_THAT(tables(all), ElementsAre("table2", "table3", "table4", "table5", "consensus", "fig-k",
                                       "fig-sinkhorn", "fig-time", "fig-tsne", "fig-methods"));
  EXPECT_THAT(tables(plan({.tables = {"all-figures"}})),
              ElementsAre("fig-k", "fig-sinkhorn", "fig-time", "fig-tsne", "fig-methods"));
  EXPECT_TRUE(skipped_.empty());
  EXPECT_EQ(all[0].data.size(), 6u);
  EXPECT_EQ(all[0].rows.size(), 17u);  // fifteen methods as published, scrl and auto
  EXPECT_EQ(all[0].settings[0].value, "5");
  EXPECT_EQ(all[1].settings[0].value, "10");
  EXPECT_THAT(all[1].protocols, ElementsAre(Protocol::kOracle, Protocol::kVal, Protocol::kFixed));
  EXPECT_EQ(all[7].bench_epochs, 10);
  EXPECT_EQ(all[0].bench_epochs, 0);
  EXPECT_THAT(tables(plan({.tables = {"table5", "table3"}})), ElementsAre("table3", "table5"));
}

TEST_F(ReproducePlanTest, Restrictions) {
  const auto some = plan({.methods = {"gcn"}, .only = {"citeseer"}, .labels = {3, 20}, .seeds = 2});
  EXPECT_THAT(tables(some), ElementsAre("table2", "table3"));
  EXPECT_EQ(skipped_.size(), 8u);
  EXPECT_THAT(skipped_[0], HasSubstr("table4 is left out: it has none of the methods"));
  EXPECT_THAT(some[0].data[0].labels, ElementsAre(20));
  EXPECT_THAT(some[1].data[0].labels, ElementsAre(3));
  EXPECT_EQ(some[0].settings[0].value, "2");
  EXPECT_THAT(error({.tables = {"table4"}, .only = {"acm"}}),
              HasSubstr("table4: it is on none of the data sets asked for"));
  EXPECT_THAT(error({.tables = {"table4"}, .labels = {7}}), HasSubstr("none of the label rates"));
  EXPECT_THAT(error({.tables = {"table1"}}), HasSubstr("there is no table 'table1'; there is: "));
  EXPECT_THAT(error({.only = {"cora"}}), HasSubstr("no data set 'cora'; it has acm, "));
  EXPECT_THAT(error({.only = {"flickr"}, .labels = {7}}), HasSubstr("nothing is left to do"));
}

TEST_F(ReproducePlanTest, SettingsGoToTheTablesThatKnowThem) {
  const auto all = plan({.settings = {{"grace.epochs", "2", ""}, {"walks", "1", ""}}});
  EXPECT_EQ(all[0].settings.size(), 3u);
  EXPECT_EQ(all[1].settings.size(), 2u);  // no deepwalk
  EXPECT_EQ(all[2].settings.size(), 1u);  // scrl alone
  EXPECT_THAT(error({.tables = {"table4"}, .settings = {{"grace.epochs", "2", ""}}}),
              HasSubstr("grace is not among the methods compared"));
  EXPECT_THAT(error({.settings = {{"epoch", "2", ""}}}), HasSubstr("did you mean 'epochs'?"));
}

TEST_F(ReproducePlanTest, DataThatIsNotThere) {
  std::filesystem::remove_all(folder_.path() + "/pubmed");
  std::filesystem::remove_all(folder_.path() + "/flickr");
  EXPECT_THAT(error({.tables = {"table2"}}, ErrorKind::kData),
              HasSubstr("Missing: flickr, pubmed; --only names the data sets to use"));
  EXPECT_EQ(plan({.tables = {"table2"}, .only = {"acm"}}).size(), 1u);
  EXPECT_THAT(tables(plan({})), ::testing::Not(::testing::Contains("table4")));
  EXPECT_THAT(skipped_, ElementsAre("flickr is not there and left out of table2, table4, table5, "
                                    "consensus, fig-time, fig-tsne",
                                    "pubmed is not there and left out of table2, table3, "
                                    "consensus, fig-time",
                                    "table4 is left out: no data set of it is there"));
  unsetenv("SCRL_DATA");
  EXPECT_THAT(error({}, ErrorKind::kData), HasSubstr("set SCRL_DATA to the folder"));
}

// What the two tables share is trained once: equal settings make equal cells.
TEST_F(ReproducePlanTest, TablesShareCells) {
  const auto all = plan({.tables = {"table2", "table4", "table5"}});
  const std::vector<DataFacts> flickr = {{"flickr", "flickr", "0123456789", 20, {20}}};
  const auto names = [&](const CompareRequest& r) {
    std::vector<std::string> out;
    for (const CompareCell& cell : plan_comparison(r, flickr).cells) out.push_back(cell.name);
    return out;
  };
  const auto two = names(all[0]), four = names(all[1]), five = names(all[2]);
  EXPECT_EQ(two[0], five[0]);   // scrl
  EXPECT_EQ(two[0], four[1]);   // B = 27 is what the authors have
  EXPECT_EQ(two[1], five[2]);   // scrl default
  EXPECT_EQ(two[1], four[4]);   // one per class
  EXPECT_NE(five[0], five[1]);  // no L_ss
}

CellOutcome outcome(double accuracy) {
  TrainResult result{.method = "scrl", .dataset = "acm", .test_nodes = 10};
  for (int seed = 0; seed < 2; ++seed) {
    SeedResult r;
    r.seed = seed;
    r.test = {accuracy + seed, accuracy - 10};
    r.oracle = {accuracy + 5, accuracy};
    result.seeds.push_back(r);
  }
  return {.status = Status::kDone, .training = result, .program = "1", .seconds = 1};
}

Comparison reproduced(const std::string& table, const DataFacts& data) {
  const Experiment e = experiments_named({table}).front();
  CompareRequest r{.rows = e.rows,
                   .protocols = e.protocols,
                   .settings = {{"seeds", "2", ""}},
                   .table = e.name,
                   .title = e.title,
                   .notes = e.notes,
                   .bench_epochs = e.timing ? 4 : 0,
                   .gain = e.gain,
                   .program = "1"};
  Comparison c{.plan = plan_comparison(r, {data}), .folder = "f"};
  c.outcomes.resize(c.plan.cells.size());
  return c;
}

TEST(PaperTablesTest, PaperOracleVal) {
  Comparison c = reproduced("table5", {"x", "acm", "0123456789", 20, {20, 60}});
  c.outcomes[0] = outcome(90);
  c.outcomes[1] = outcome(80.25);
  c.outcomes[2] = {
      .status = Status::kFailed, .kind = ErrorKind::kDiverged, .failure = "it is\nlost"};
  const std::vector<CompareTable> t = paper_tables(c);
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t[0].title, "Table 5, with and without self-supervision: acm, 20 labels per class");
  EXPECT_THAT(t[0].header, ElementsAre("method", "ACC paper", "ACC oracle† (2)", "ACC val (2)",
                                       "F1 paper", "F1 oracle† (2)", "F1 val (2)"));
  const auto texts = [](const std::vector<CompareTable::Field>& row) {
    std::vector<std::string> out;
    for (const auto& field : row) out.push_back(field.text + (field.best ? "*" : ""));
    return out;
  };
  EXPECT_THAT(texts(t[0].rows[0]), ElementsAre("scrl", "91.82", "95.00 ± 0.00", "90.50 ± 0.71*",
                                               "91.79", "90.00 ± 0.00", "80.00 ± 0.00*"));
  EXPECT_THAT(texts(t[0].rows[1]),
              ElementsAre("scrl, no L_ss", "90.24", "85.25 ± 0.00", "80.75 ± 0.71", "90.20",
                          "80.25 ± 0.00", "70.25 ± 0.00"));
  EXPECT_THAT(texts(t[0].rows[2]), ElementsAre("scrl default", "91.82", "failed", "failed", "91.79",
                                               "failed", "failed"));
  EXPECT_THAT(texts(t[0].rows[3]),
              ElementsAre("scrl default, no L_ss", "90.24", "-", "-", "90.20", "-", "-"));
  EXPECT_THAT(t[0].notes, ElementsAre("scrl default failed: it is lost"));
  EXPECT_EQ(t[1].rows[0][1].text, "92.82");
  const auto lines = caption(c);
  EXPECT_THAT(lines, ::testing::Contains("5 of 8 trainings are still to do."));
  EXPECT_THAT(lines, ::testing::Contains(HasSubstr("(diagnostic, not a result)")));
  EXPECT_THAT(comparison_markdown(c), HasSubstr("# Table 5, with and without self-supervision\n"));
  EXPECT_THAT(comparison_latex(c), HasSubstr("scrl, no L\\_ss & 90.24 & 85.25 $\\pm$ 0.00"));
  EXPECT_THAT(comparison_csv(c),
              HasSubstr("acm,20,scrl-paper,\"scrl, no L_ss\",val,validation nodes,done,"
                        "2,80.75,0.70710678"));
  EXPECT_THAT(comparison_csv(c), HasSubstr(",90.24,90.2,false,"));
  const Json j = comparison_json(c);
  EXPECT_EQ(j["table"], "table5");
  EXPECT_EQ(j["rows"][1]["paper"]["accuracy"], 90.24);
  EXPECT_EQ(j["rows"][1]["variant"], "scrl, no L_ss");
}

TEST(PaperTablesTest, DigitsAndColumnsAreThoseOfThePaper) {
  const auto few = paper_tables(reproduced("table3", {"x", "citeseer", "0123456789", 20, {3}}));
  EXPECT_THAT(few[0].header, ElementsAre("method", "ACC paper", "ACC oracle† (2)", "ACC val (2)",
                                         "ACC fixed (2)"));
  EXPECT_EQ(few[0].rows[0][1].text, "19.7");
  const auto figure = paper_tables(reproduced("fig-k", {"x", "acm", "0123456789", 20, {20}}));
  EXPECT_THAT(figure[0].header, ElementsAre("method", "ACC oracle† (2)", "ACC val (2)"));
  EXPECT_EQ(figure[0].rows.size(), 16u);
}

CellOutcome outcome_of(const std::vector<double>& accuracies) {
  CellOutcome o = outcome(0);
  o.training->seeds.clear();
  for (std::size_t seed = 0; seed < accuracies.size(); ++seed) {
    SeedResult r;
    r.seed = static_cast<int>(seed);
    r.test = {accuracies[seed], 0};
    o.training->seeds.push_back(r);
  }
  return o;
}

TEST(GainTableTest, DifferencesSeedBySeed) {
  Comparison c = reproduced("consensus", {"x", "acm", "0123456789", 20, {3, 20, 40}});
  c.outcomes[0] = outcome_of({80, 82, 84}), c.outcomes[1] = outcome_of({78, 81, 81});
  c.outcomes[2] = outcome_of({80, 82, 84}), c.outcomes[3] = outcome_of({82, 81, 85});
  c.outcomes[4] = outcome_of({80, 82, 84});
  const std::vector<CompareTable> t = all_tables(c);
  ASSERT_EQ(t.size(), 1u);
  EXPECT_EQ(t[0].title, "Gain by the consensus");
  EXPECT_EQ(t[0].header[3], "scrl default, no L_ss");
  const auto gain = [&](std::size_t row) {
    return t[0].rows[row][1].text + ": " + t[0].rows[row][4].text + ", p " + t[0].rows[row][5].text;
  };
  EXPECT_EQ(gain(0), "3: +2.00 ± 1.00, p 0.074");  // differences 2, 1, 3: t = 2 sqrt(3)
  EXPECT_EQ(gain(1), "20: -0.67 ± 1.53, p 0.529");
  EXPECT_EQ(gain(2), "40: -, p -");  // one of the two is not trained yet
  EXPECT_TRUE(t[0].rows[0][2].best);
  EXPECT_TRUE(t[0].rows[1][3].best);
}

TEST(TimeTablesTest, OneTableOfAllMeasurements) {
  Comparison c = reproduced("fig-time", {"x", "flickr", "0123456789", 20, {20}});
  const Spread spread{.median = 2.25, .p25 = 2, .p75 = 3, .min = 1};
  c.outcomes[0] = {.status = Status::kDone,
                   .times = EpochTimes{.epoch_ms = spread, .step_ms = spread},
                   .program = "1",
                   .peak_mb = 7};
  c.outcomes[3] = {.status = Status::kFailed, .failure = "no memory"};
  const CompareTable t = time_table(c);
  ASSERT_EQ(t.rows.size(), 4u);
  EXPECT_EQ(t.rows[0][2].text, "65.9");
  EXPECT_EQ(t.rows[0][3].text, "2.2");
  EXPECT_EQ(t.rows[0][4].text, "2.0 to 3.0");
  EXPECT_EQ(t.rows[1][3].text, "-");
  EXPECT_EQ(t.rows[3][2].text, "122.8");
  EXPECT_EQ(t.rows[3][3].text, "failed");
  EXPECT_THAT(t.notes, ElementsAre("flickr, grace failed: no memory"));
  EXPECT_THAT(caption(c), ::testing::Contains("2 of 4 measurements are still to do."));
  EXPECT_THAT(comparison_csv(c), HasSubstr("flickr,scrl-paper,scrl,done,65.9,2.25,2,3,2.25,"));
  EXPECT_EQ(comparison_json(c)["rows"][0]["paper_ms"], 65.9);
  EXPECT_THAT(comparison_latex(c), HasSubstr("flickr & grace & 122.8 & failed"));
}

}  // namespace
}  // namespace scrl
