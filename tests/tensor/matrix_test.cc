#include "tensor/matrix.h"

#include <gtest/gtest.h>

#include <numeric>

namespace scrl {
namespace {

constexpr Layout kLayouts[] = {Layout::kRows, Layout::kPanels};
constexpr Index kWidths[] = {0, 1, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100};

std::vector<float> counted(Index count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

TEST(MatrixTest, RowsAreAlignedAndPaddingIsZero) {
  for (const Index cols : {0, 1, 15, 16, 17, 100}) {
    Matrix m(3, cols);
    EXPECT_EQ(m.stride() % kLane, 0);
    EXPECT_GE(m.stride(), cols);
    m.fill(2.5f);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.row(i)) % 64, 0u);
      for (Index j = 0; j < m.stride(); ++j) EXPECT_EQ(m.row(i)[j], j < cols ? 2.5f : 0.0f);
    }
  }
}

TEST(MatrixTest, PackedValuesComeBack) {
  Matrix m(2, 3);
  m.assign_packed(std::vector<float>{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(m(1, 0), 4);
  EXPECT_EQ(m.packed(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_THROW(m.assign_packed(std::vector<float>(5)), Error);
  EXPECT_THROW(Matrix(-1, 2), Error);
}

// The formula of matrix.h, spelled out once more.
TEST(MatrixTest, ElementsLieWhereTheLayoutSays) {
  Matrix panels(3, 70, Layout::kPanels), rows(3, 70);
  EXPECT_EQ(panels.layout(), Layout::kPanels);
  EXPECT_EQ(panels.stride(), 96);
  EXPECT_EQ(panels.at(0, 31) - panels.data(), 31);
  EXPECT_EQ(panels.at(1, 0) - panels.data(), 32);
  EXPECT_EQ(panels.at(0, 32) - panels.data(), 3 * 32);
  EXPECT_EQ(panels.at(2, 69) - panels.data(), 2 * 3 * 32 + 2 * 32 + 5);
  EXPECT_EQ(rows.layout(), Layout::kRows);
  EXPECT_EQ(rows.stride(), 80);
  EXPECT_EQ(rows.at(2, 69) - rows.data(), 2 * 80 + 69);
  for (const Matrix* m : {&panels, &rows}) {
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 70; ++j) {
        ASSERT_EQ(m->at(i, j) - m->data(),
                  j / kPanel * m->panel_step() + i * m->row_step() + j % kPanel);
      }
      for (Index j = 0; j < m->stride(); j += kLane)
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m->at(i, j)) % 64, 0u);
    }
  }
}

TEST(MatrixTest, BothLayoutsHoldTheSameValues) {
  for (const Index cols : kWidths) {
    for (const Layout layout : kLayouts) {
      SCOPED_TRACE(cat(cols, layout == Layout::kPanels ? " in panels" : " in rows"));
      Matrix m(5, cols, layout);
      EXPECT_EQ(m.packed(), std::vector<float>(static_cast<std::size_t>(5 * cols)));
      const std::vector<float> values = counted(5 * cols);
      m.assign_packed(values);
      EXPECT_EQ(m.packed(), values);
      for (Index i = 0; i < 5; ++i) {
        for (Index j = 0; j < m.stride(); ++j)
          ASSERT_EQ(*m.at(i, j), j < cols ? static_cast<float>(i * cols + j + 1) : 0.0f);
      }
      m.fill(2.5f);
      for (Index i = 0; i < 5; ++i) {
        for (Index j = 0; j < m.stride(); ++j)
          ASSERT_EQ(*m.at(i, j), j < cols ? 2.5f : 0.0f) << i << "," << j;
      }
      EXPECT_THROW(m.assign_packed(counted(5 * cols + 1)), Error);
    }
  }
}

TEST(MatrixTest, OnlyASinglePanelHasWholeRows) {
  for (const Index cols : kWidths) {
    SCOPED_TRACE(cols);
    Matrix m(2, cols, Layout::kPanels);
    if (cols > kPanel) {
      EXPECT_EQ(m.layout(), Layout::kPanels);
      EXPECT_THROW(m.row(1), Error);
      EXPECT_THROW(std::as_const(m).row_span(0), Error);
    } else {
      // Not to be told from a matrix in rows, so what takes those takes it.
      const Matrix rows(2, cols);
      EXPECT_EQ(m.layout(), Layout::kRows);
      EXPECT_EQ(m.stride(), rows.stride());
      EXPECT_EQ(m.row(1), m.at(1, 0));
    }
  }
}

}  // namespace
}  // namespace scrl
