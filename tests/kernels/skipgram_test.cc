#include "kernels/skipgram.h"

#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using SkipgramTest = EveryLevel;
SCRL_EVERY_LEVEL(SkipgramTest);

using kernels::StepTargets;

// Rows come up repeatedly, which a caller avoids and the kernel allows.
StepTargets random_targets(Index count, Index rows, std::uint64_t seed) {
  Rng rng(seed);
  StepTargets out;
  for (Index k = 0; k < count; ++k) {
    out.row[k] = static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(rows)));
    out.total[k] = static_cast<float>(1 + rng.below(3));
    out.positive[k] = std::min(out.total[k], static_cast<float>(rng.below(3)));
  }
  out.count = static_cast<std::uint32_t>(count);
  return out;
}

StepTargets labelled(const std::vector<std::pair<std::uint32_t, int>>& rows) {
  StepTargets out;
  for (const auto& [row, label] : rows) {
    out.row[out.count] = row;
    out.positive[out.count] = static_cast<float>(label);
    out.total[out.count++] = 1.0f;
  }
  return out;
}

TEST_P(SkipgramTest, StepEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const Index count : {0, 1, 3, 4, 5, 12, 16, 17, 33, 256}) {
      SCOPED_TRACE(cat("h=", h, " count=", count));
      Matrix v = random_matrix(1, h, 1), expected_v = v;
      Matrix table = random_matrix(9, h, 2), expected_table = table;
      const auto targets = random_targets(count, 9, 3);
      const float loss =
          kernels::skipgram_step(v.row(0), table.row(0), v.stride(), targets, 0.05f, true);
      const float expected = reference::skipgram_step(expected_v.row(0), expected_table.row(0),
                                                      v.stride(), targets, 0.05f, true);
      expect_near(v, expected_v, 2e-5);
      expect_near(table, expected_table, 2e-5);
      expect_zero_padding(v);
      expect_zero_padding(table);
      EXPECT_NEAR(loss, expected, 1e-5 * (1.0 + expected));
    }
  }
}

// The gradient is that of the loss the same function returns.
TEST_P(SkipgramTest, StepFollowsTheGradientOfItsLoss) {
  const Matrix v = random_matrix(1, 20, 4);
  const Matrix table = random_matrix(6, 20, 5);
  StepTargets targets = labelled({{0, 1}, {3, 0}, {5, 1}, {1, 0}});
  targets.total[2] = 3.0f;  // positive for one of three pairs
  const auto loss_of = [&](Matrix x, Matrix w) {
    return double{kernels::skipgram_step(x.row(0), w.row(0), x.stride(), targets, 0.0f, true)};
  };
  Matrix new_v = v, new_table = table;
  kernels::skipgram_step(new_v.row(0), new_table.row(0), v.stride(), targets, 1.0f, false);
  const float h = 1e-2f;
  for (Index j = 0; j < 20; ++j) {
    Matrix up = v, down = v;
    up(0, j) += h, down(0, j) -= h;
    const double slope = (loss_of(up, table) - loss_of(down, table)) / (2.0 * h);
    EXPECT_NEAR(new_v(0, j) - v(0, j), -slope, 2e-3);
    for (Index i = 0; i < 6; ++i) {
      Matrix more = table, less = table;
      more(i, j) += h, less(i, j) -= h;
      const double down_hill = (loss_of(v, more) - loss_of(v, less)) / (2.0 * h);
      EXPECT_NEAR(new_table(i, j) - table(i, j), -down_hill, 2e-3) << i;
    }
  }
}

TEST_P(SkipgramTest, HugeProductsStayFinite) {
  Matrix v(1, 16), table(2, 16);
  v.fill(100.0f);
  for (Index j = 0; j < 16; ++j) table(0, j) = 100.0f, table(1, j) = -100.0f;
  const StepTargets wrong = labelled({{0, 0}, {1, 1}});  // at +160000 and at -160000
  const float loss = kernels::skipgram_step(v.row(0), table.row(0), 16, wrong, 0.01f, true);
  EXPECT_FLOAT_EQ(loss, 160.0f);  // each taken as 80
  EXPECT_FLOAT_EQ(v(0, 3), 98.0f);
  EXPECT_FLOAT_EQ(table(0, 3), 99.0f);
  EXPECT_FLOAT_EQ(table(1, 3), -99.0f);
}

TEST_P(SkipgramTest, MergeEqualsTheReference) {
  for (const Index h : kWidths) {
    Matrix base = random_matrix(1, h, 6), expected = base;
    const Matrix copies = random_matrix(5, h, 7);
    const std::vector<const float*> rows = {copies.row(0), copies.row(2), copies.row(4)};
    kernels::skipgram_merge(base.row(0), rows, 0.4f, base.stride());
    reference::skipgram_merge(expected.row(0), rows, 0.4f, base.stride());
    expect_near(base, expected, 1e-6);
    expect_zero_padding(base);
  }
}

TEST_P(SkipgramTest, TooMuchIsRefused) {
  Matrix v(1, 16), table(1, 16);
  StepTargets many;
  many.count = 257;
  expect_error([&] { kernels::skipgram_step(v.row(0), table.row(0), 16, many, 0.1f, false); },
               {"skipgram_step", "257", "256"});
  expect_error(
      [&] { kernels::skipgram_step(v.row(0), table.row(0), 8, StepTargets(), 0.1f, false); },
      {"rows of 8"});
}

}  // namespace
}  // namespace scrl
