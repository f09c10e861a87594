#include "kernels/panel_product.h"

#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using PanelProductTest = EveryLevel;
SCRL_EVERY_LEVEL(PanelProductTest);

std::vector<double> random_doubles(Index count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& value : out) value = 2 * rng.uniform() - 1;
  return out;
}

TEST_P(PanelProductTest, EqualsTheScalarTwin) {
  for (const Index m : {0, 1, 5, 6, 7, 12, 40}) {
    for (const Index k : {0, 1, 3, 17, 130}) {
      const auto a = random_doubles(m * k, 1), b = random_doubles(k * kernels::kDoublePanel, 2);
      for (const bool transposed : {false, true}) {
        for (const bool accumulate : {false, true}) {
          auto got = random_doubles(m * kernels::kDoublePanel, 3), want = got;
          const Index row_step = transposed ? 1 : k, step = transposed ? m : 1;
          kernels::panel_product(a.data(), row_step, step, m, k, b.data(), got.data(), accumulate);
          reference::panel_product(a.data(), row_step, step, m, k, b.data(), want.data(),
                                   accumulate);
          for (std::size_t e = 0; e < got.size(); ++e)
            ASSERT_NEAR(got[e], want[e], 1e-13) << m << " " << k << " " << transposed << " " << e;
        }
      }
    }
  }
}

TEST_P(PanelProductTest, KeepsDoublePrecision) {
  const double a[] = {1.0, 1e-12};
  std::vector<double> b(2 * kernels::kDoublePanel, 1.0), c(kernels::kDoublePanel);
  kernels::panel_product(a, 2, 1, 1, 2, b.data(), c.data());
  for (const double value : c) EXPECT_EQ(value, 1.0 + 1e-12);
}

}  // namespace
}  // namespace scrl
