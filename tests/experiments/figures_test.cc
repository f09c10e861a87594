#include "experiments/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "experiments/figure_layouts.h"
#include "experiments/paper_experiments.h"
#include "run/results.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Status = CellOutcome::Status;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t out = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++out;
  return out;
}

CellOutcome outcome(double first, double second) {
  TrainResult result{.method = "scrl", .dataset = "acm", .test_nodes = 10};
  for (int seed = 0; seed < 2; ++seed) {
    SeedResult r;
    r.seed = seed;
    r.test = {seed == 0 ? first : second, 0};
    result.seeds.push_back(r);
  }
  return {.status = Status::kDone, .training = result, .program = "1", .seconds = 1};
}

Comparison comparison(const std::string& name, const std::vector<DataFacts>& data) {
  const Experiment e = experiments_named({name}).front();
  CompareRequest r{.data = e.data,
                   .rows = e.rows,
                   .protocols = e.protocols,
                   .settings = {{"seeds", "2", ""}},
                   .table = e.name,
                   .title = e.title,
                   .bench_epochs = e.timing ? 4 : 0,
                   .layouts = e.layouts,
                   .program = "1"};
  Comparison c{.plan = plan_comparison(r, data), .folder = "f"};
  c.outcomes.resize(c.plan.cells.size());
  return c;
}

class FiguresTest : public ::testing::Test {
 protected:
  TempFolder folder_;
  CompareStore store_{folder_.path() + "/store"};
};

TEST_F(FiguresTest, LinesOfASweep) {
  Comparison c = comparison("fig-k", {{"acm", "acm", "0123456789", 20, {20, 40}},
                                      {"blogcatalog", "blog<>", "0123456789", 20, {20, 40}}});
  for (std::size_t i = 0; i < c.plan.cells.size(); ++i)
    if (c.plan.cells[i].data == 0) c.outcomes[i] = outcome(90, 90 + c.plan.cells[i].labels / 10.0);
  const std::size_t at_k3 = cell_of(c.plan, 0, 20, 1, Protocol::kVal);
  c.outcomes[at_k3] = {.status = Status::kFailed, .failure = "lost"};
  const std::vector<Figure> figures = figures_of(c, store_);
  ASSERT_EQ(figures.size(), 1u);
  const Figure& f = figures[0];
  EXPECT_EQ(f.name, "fig-k");
  EXPECT_THAT(f.series, ElementsAre("20 labels per class", "40 labels per class"));
  ASSERT_EQ(f.panels.size(), 4u);  // two data sets, published and default settings
  EXPECT_EQ(f.columns, 2u);
  EXPECT_EQ(f.panels[0].title, "acm, published settings");
  EXPECT_EQ(f.panels[3].title, "blog<>, default settings");
  const auto& panel = std::get<LinePanel>(f.panels[0].content);
  ASSERT_EQ(panel.lines.size(), 2u);
  ASSERT_EQ(panel.lines[1].size(), 8u);
  EXPECT_EQ(panel.lines[1][7].x, 9);
  EXPECT_EQ(panel.lines[1][7].y, 92);  // of 90 and 94
  EXPECT_NEAR(panel.lines[1][7].high, 92 + 2.8284271247461903, 1e-9);
  EXPECT_TRUE(std::isnan(panel.lines[0][1].y));
  EXPECT_EQ(panel.y.low, std::get<LinePanel>(f.panels[1].content).y.low);
  const std::string svg = draw(f);
  EXPECT_THAT(svg, HasSubstr("blog&lt;&gt;, default settings"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_EQ(svg, draw(f));
}

TEST_F(FiguresTest, BarsOfTimes) {
  Comparison c = comparison("fig-time", {{"flickr", "flickr", "0123456789", 20, {20}}});
  c.outcomes[0] = {.status = Status::kDone,
                   .times = EpochTimes{.epoch_ms = {.median = 50, .p25 = 40, .p75 = 80}}};
  c.outcomes[3] = {.status = Status::kFailed, .failure = "no memory"};
  const Figure f = figures_of(c, store_).at(0);
  const auto& panel = std::get<BarPanel>(f.panels[0].content);
  EXPECT_THAT(f.series, ElementsAre("scrl", "scrl default", "amgcn", "grace"));
  EXPECT_EQ(panel.bars[0][0].value, 50);
  EXPECT_EQ(panel.bars[0][0].printed, 65.9);
  EXPECT_TRUE(std::isnan(panel.bars[0][1].printed));  // scrl once
  EXPECT_EQ(panel.bars[0][3].missing, "failed");
  EXPECT_TRUE(panel.y.log);
  EXPECT_EQ(panel.y.low, 10);
  EXPECT_EQ(panel.y.high, 1000);
  EXPECT_THAT(draw(f), HasSubstr(">failed</text>"));
}

TEST_F(FiguresTest, MapsOfCells) {
  Comparison c =
      comparison("fig-methods", {{"blogcatalog", "BlogCatalog", "0123456789", 20, {20}}});
  ASSERT_EQ(c.plan.cells.size(), 5u);
  c.outcomes[0] = outcome(71.25, 50);
  c.outcomes[2] = {.status = Status::kFailed, .failure = "lost"};
  const CellLayouts layouts{
      .classes = {"a", "b&c"},
      .labels = {0, 1, 1, kUnlabelled},
      .frames = {{.epoch = 3, .coordinates = {0, 0, 65535, 0, 32768, 65535, 7, 7}}}};
  save_layouts(store_, c.plan.cells[0], layouts);
  const auto read = load_layouts(store_, c.plan.cells[0]);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->frames[0].coordinates, layouts.frames[0].coordinates);
  EXPECT_EQ(read->labels, layouts.labels);
  EXPECT_FALSE(load_layouts(store_, c.plan.cells[1]));
  const Figure f = figures_of(c, store_).at(0);
  EXPECT_EQ(f.name, "fig-methods-blogcatalog");
  ASSERT_EQ(f.panels.size(), 5u);
  EXPECT_EQ(f.panels[0].title, "gcn, accuracy 71.2 %");
  EXPECT_EQ(f.panels[1].title, "amgcn: not trained yet");
  EXPECT_EQ(f.panels[2].title, "grace: failed");
  const std::string svg = draw(f);
  EXPECT_THAT(svg, HasSubstr("\"m0 0z\""));                   // class a
  EXPECT_THAT(svg, HasSubstr("\"m1140 2280zm1140-2280z\""));  // class b&c, from left to right
  EXPECT_THAT(svg, HasSubstr("b&amp;c"));
  store_.write("cells/" + c.plan.cells[0].name + ".layouts", "{\"schema\":1");
  EXPECT_FALSE(load_layouts(store_, c.plan.cells[0]));
}

// 21 classes differ by colour and shape, and every point is where it belongs.
TEST_F(FiguresTest, ManyClasses) {
  PointPanel panel;
  Figure f{.name = "x", .title = "x", .columns = 1, .panels = {}, .series = {}};
  for (int i = 0; i < 21; ++i) {
    panel.labels.push_back(i);
    panel.coordinates.insert(panel.coordinates.end(), {65535, 65535});
    f.series.push_back(cat("class ", i));
  }
  f.panels.push_back({"", panel});
  const std::string svg = draw(f);
  EXPECT_EQ(count(svg, "<path d=\"m2280 2280"), 21u);
  EXPECT_EQ(count(svg, "<path d=\"m2280 2280h30"), 7u);
  EXPECT_EQ(count(svg, "stroke-linecap=\"square\""), 14u);  // the legend too
  EXPECT_EQ(count(svg, ">class "), 21u);
}

TEST_F(FiguresTest, FilesAndThePage) {
  EXPECT_THAT(
      figure_files(comparison("table4", {{"flickr", "flickr", "0123456789", 20, {20}}}).plan),
      ElementsAre());
  const Comparison c = comparison("fig-tsne", {{"acm", "acm", "0123456789", 20, {20}},
                                               {"flickr", "flickr", "0123456789", 20, {20}}});
  EXPECT_THAT(figure_files(c.plan), ElementsAre("fig-tsne-acm.svg", "fig-tsne-flickr.svg"));
  EXPECT_EQ(*c.plan.cells[2].layouts, "0,30,60");
  const std::string page = figures_page({c}, store_);
  EXPECT_EQ(count(page, "<svg "), 2u);
  EXPECT_THAT(page, HasSubstr("<code>scrl reproduce fig-tsne</code>"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace scrl
