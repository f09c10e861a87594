#include "draw/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace scrl {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> out;
  for (const Tick& t : axis.ticks) out.push_back(t.text);
  return out;
}

TEST(AxisTest, NiceSteps) {
  EXPECT_THAT(texts(linear_axis(0, 100)), ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_THAT(texts(linear_axis(88.3, 91.9)), ElementsAre("88", "89", "90", "91", "92"));
  EXPECT_THAT(texts(linear_axis(-0.3, 0.2)),
              ElementsAre("-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2"));
  EXPECT_THAT(texts(linear_axis(0.01, 0.049, 4)),
              ElementsAre("0.01", "0.02", "0.03", "0.04", "0.05"));
  EXPECT_THAT(texts(linear_axis(0, 7500, 4)), ElementsAre("0", "2000", "4000", "6000", "8000"));
}

TEST(AxisTest, EnclosesAnyRange) {
  for (const double low : {-1234.5, -1.0, 0.0, 1e-7, 0.3, 99.99})
    for (const double span : {0.0, 1e-6, 0.004, 0.1, 1.0, 3.7, 250.0, 1e6})
      for (const int most : {2, 4, 6, 10}) {
        const Axis a = linear_axis(low, low + span, most);
        EXPECT_LE(a.low, low + 1e-6 * span) << low << " " << span;
        EXPECT_GE(a.high, low + span * (1 - 1e-6)) << low << " " << span;
        EXPECT_LT(a.low, a.high);
        EXPECT_GE(a.ticks.size(), 2u);
        EXPECT_LE(a.ticks.size(), static_cast<std::size_t>(most) + 1);
        EXPECT_EQ(a.ticks.front().value, a.low);
        EXPECT_EQ(a.ticks.back().value, a.high);
      }
}

TEST(AxisTest, Logarithmic) {
  EXPECT_THAT(texts(log_axis(3, 784)), ElementsAre("1", "10", "100", "1000"));
  EXPECT_THAT(texts(log_axis(10, 100)), ElementsAre("10", "20", "50", "100"));
  EXPECT_THAT(texts(log_axis(0.25, 0.25)), ElementsAre("0.1", "0.2", "0.5", "1"));
  EXPECT_THAT(texts(log_axis(1, 1)), ElementsAre("1", "2", "5", "10"));
  EXPECT_NEAR(log_axis(1, 100).place(10, 0, 1), 0.5, 1e-12);
  EXPECT_EQ(log_axis(1, 100).place(0.5, 0, 1), 0);
}

TEST(AxisTest, OwnValues) {
  const Axis a = value_axis({3, 5, 10, 15, 30});
  EXPECT_THAT(texts(a), ElementsAre("3", "5", "10", "15", "30"));
  EXPECT_GT(a.place(3, 0, 100), 0);
  EXPECT_LT(a.place(30, 0, 100), 100);
  EXPECT_NEAR(a.place(16.5, 200, 100), 150, 1e-9);  // from bottom to top
  EXPECT_EQ(value_axis({2}).place(2, 0, 1), 0.5);
}

}  // namespace
}  // namespace scrl
