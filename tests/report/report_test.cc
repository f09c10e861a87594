#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "report/report_blob.h"
#include "report/report_html.h"
#include "report/report_layout.h"
#include "report/report_run.h"
#include "report/report_views.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportHtmlTest, EscapesWhatIsMarkup) {
  EXPECT_EQ(html::escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(html::bdi("<i>"), "<bdi>&lt;i&gt;</bdi>");
  const std::vector<std::vector<std::string>> rows = {{"a", "b"}, {"c", "d"}};
  EXPECT_THAT(html::table("<i>", rows), Not(HasSubstr("<i>")));
}

TEST(ReportHtmlTest, Numbers) {
  EXPECT_EQ(html::number(12.345, 2), "12.35");
  EXPECT_EQ(html::number(std::numeric_limits<double>::quiet_NaN(), 2), "–");
  EXPECT_EQ(html::count(999), "999");
  EXPECT_EQ(html::count(1234567), "1\u202f234\u202f567");
  EXPECT_EQ(html::count(-1000), "-1\u202f000");
}

TEST(ReportBlobTest, ArraysAreAlignedAndNamed) {
  ReportBlob blob;
  EXPECT_EQ(blob.add(std::vector<std::uint8_t>{1, 2, 3}).dump(),
            R"({"type":"u8","at":0,"count":3})");
  EXPECT_EQ(blob.add(std::vector<float>{1}).dump(), R"({"type":"f32","at":8,"count":1})");
  EXPECT_EQ(blob.add_text("abc")["at"], 16);
}

// A model of two views whose parts are known: z_t = (2), z_f = (1), three classes.
TEST(ReportViewsTest, ShareOfTheWinningLogit) {
  Model model;
  const auto node = [&](Index rows, std::vector<float> values) {
    Matrix m(rows, static_cast<Index>(values.size()) / rows);
    m.assign_packed(values);
    return model.tape.constant(std::move(m));
  };
  model.embedding = node(3, {2, 1, 2, 1, 0, 0});
  model.view_scores = {node(3, {1, 0, 0, 1, 1, 0}), node(3, {1, 0, 1, 0, 0, 1})};
  model.params.push_back(std::make_unique<Param>("W", 2, 3));
  // Row of the topology 3 0 0 (mean 1), of the features 6 0 -3 (mean 1).
  model.params[0]->value.assign_packed(std::vector<float>{3, 0, 0, 6, 0, -3});
  const auto facts = view_facts(model, {0, 1, 0});
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->prototypes, 2);
  EXPECT_NEAR(facts->agreement, 100.0 / 3, 1e-9);
  ASSERT_EQ(facts->topology_share.size(), 3u);
  EXPECT_FLOAT_EQ(facts->topology_share[0], 4.0f / 9);  // 2 (3-1) against 1 (6-1)
  EXPECT_FLOAT_EQ(facts->topology_share[1], 0.5f);      // both speak against class 1
  EXPECT_FLOAT_EQ(facts->topology_share[2], 0.5f);      // an empty node
  model.view_scores.clear();
  EXPECT_FALSE(view_facts(model, {0, 1, 0}).has_value());
}

TEST(ReportLayoutTest, FramesFollowTheEpochsAndFillTheirSquare) {
  const TempFolder folder;
  Matrix Z(40, 3);
  for (Index i = 0; i < 40; ++i) {
    Z(i, 0) = static_cast<float>(i % 2 == 0 ? 5 : -5) + 0.01f * static_cast<float>(i);
    Z(i, 1) = static_cast<float>(i % 5);
  }
  for (const int epoch : {0, 3, 9}) write_snapshot(folder.path(), epoch, Z);
  for (const Layout2d kind : {Layout2d::kPca, Layout2d::kTsne}) {
    LayoutOptions o{.kind = kind};
    o.tsne.iterations = 50;
    std::size_t told = 0;
    const auto frames = layout_frames(list_snapshots(folder.path()), Z, 3, o,
                                      [&](std::size_t, std::size_t all) { told += all == 3; });
    ASSERT_EQ(frames.size(), 3u) << name_of(kind);
    EXPECT_EQ(told, 3u);
    EXPECT_EQ(frames[0].epoch, 0);
    EXPECT_EQ(frames[1].epoch, 3);
    EXPECT_TRUE(frames[1].chosen);
    EXPECT_FALSE(frames[0].chosen || frames[2].chosen);
    for (const LayoutFrame& f : frames) {
      ASSERT_EQ(f.coordinates.size(), 80u);
      const auto [low, high] = std::minmax_element(f.coordinates.begin(), f.coordinates.end());
      EXPECT_EQ(*low, 0);
      EXPECT_EQ(*high, 65535);
    }
  }
}

TEST(ReportRunTest, CommandNamesWhatIsNotADefault) {
  const RunConfig plain({{"method", "gcn", ""}});
  EXPECT_EQ(repeat_command(plain, "demo", "demo"), "scrl train demo -m gcn");
  const RunConfig other({{"method", "scrl", ""}, {"weight_decay", "0.5", ""}, {"seeds", "3", ""}});
  EXPECT_EQ(repeat_command(other, "/my data/it's", "x"),
            "scrl train '/my data/it'\\''s' -m scrl --seeds 3 --weight-decay 0.5");
}

}  // namespace
}  // namespace scrl
