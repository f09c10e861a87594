#include "tensor/matrix.h"

#include <gtest/gtest.h>

namespace scrl {
namespace {

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

}  // namespace
}  // namespace scrl
