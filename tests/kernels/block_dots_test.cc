#include "kernels/block_dots.h"

#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using BlockDotsTest = EveryLevel;
SCRL_EVERY_LEVEL(BlockDotsTest);

// Equal to the last bit: nearest neighbours must not depend on the processor.
TEST_P(BlockDotsTest, EqualsTheScalarTwinToTheBit) {
  const Index n = kernels::kDotBlock;
  const Csr X = random_csr(40, 90, 0.2, 1);
  const Matrix block = random_matrix(90, n, 2), limits = random_matrix(1, n, 3, 0.5f, 4.0f);
  Matrix got(1, n), want(1, n);
  int above = 0;
  for (Index i = 0; i < X.rows; ++i) {
    const bool any = kernels::block_dots(X.row_cols(i), X.row_vals(i), block.data(), 0.7f,
                                         limits.data(), got.data());
    EXPECT_EQ(any, reference::block_dots(X.row_cols(i), X.row_vals(i), block.data(), 0.7f,
                                         limits.data(), want.data()));
    EXPECT_EQ(got.packed(), want.packed()) << "row " << i;
    above += any;
  }
  EXPECT_GT(above, 0);
  EXPECT_LT(above, X.rows);
}

}  // namespace
}  // namespace scrl
