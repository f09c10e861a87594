#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using AttractionTest = EveryLevel;
SCRL_EVERY_LEVEL(AttractionTest);

struct Forces {
  std::vector<float> x, y;
};

template <class Kernel>
Forces forces(const Csr& P, const Matrix& places, const Kernel& kernel) {
  Forces out{std::vector<float>(static_cast<std::size_t>(P.rows), 9.0f), {}};
  out.y = out.x;
  const std::vector<float> x(places.row(0), places.row(0) + P.rows),
      y(places.row(1), places.row(1) + P.rows);
  kernel(P, x, y, out.x, out.y);
  return out;
}

TEST_P(AttractionTest, EqualsTheReference) {
  for (const Index n : {1, 2, 7, 40, 600}) {
    SCOPED_TRACE(n);
    const Csr P = random_csr(n, n, n < 100 ? 0.9 : 0.2, 1);  // rows of every length, some empty
    const Matrix places = random_matrix(2, n, 2, -5, 5);
    const Forces got = forces(P, places, [](auto&&... a) { kernels::attraction(a...); });
    const Forces expected = forces(P, places, [](auto&&... a) { reference::attraction(a...); });
    for (Index i = 0; i < n; ++i) {
      ASSERT_NEAR(got.x[i], expected.x[i], 2e-5) << i;
      ASSERT_NEAR(got.y[i], expected.y[i], 2e-5) << i;
    }
  }
}

TEST_P(AttractionTest, ThreadsDoNotChangeTheBits) {
  const Csr P = random_csr(2000, 2000, 0.03, 3);
  const Matrix places = random_matrix(2, 2000, 4, -5, 5);
  const auto kernel = [](auto&&... a) { kernels::attraction(a...); };
  set_threads(1);
  const Forces alone = forces(P, places, kernel);
  for (const int count : {2, 3}) {
    set_threads(count);
    const Forces together = forces(P, places, kernel);
    EXPECT_EQ(together.x, alone.x);
    EXPECT_EQ(together.y, alone.y);
  }
}

TEST_P(AttractionTest, SizesMustFit) {
  const Csr P = random_csr(5, 5, 0.5, 1);
  std::vector<float> five(5), four(4);
  expect_error([&] { kernels::attraction(P, five, four, five, five); }, {"attraction", "5", "4"});
}

}  // namespace
}  // namespace scrl
