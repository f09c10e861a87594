#include "embedding2d/embedding_quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "neighbors/knn_recall.h"
#include "support/clouds.h"
#include "support/errors.h"

namespace scrl {
namespace {

Matrix line(const std::vector<float>& at) {
  Matrix out(static_cast<Index>(at.size()), 2);
  for (std::size_t i = 0; i < at.size(); ++i) out(static_cast<Index>(i), 0) = at[i];
  return out;
}

TEST(EmbeddingQuality, TheSamePointsAreWithoutFault) {
  const Matrix X = cloud(60, 2, 3, 3, 1);
  const EmbeddingQuality q = embedding_quality(X, X, 5, sample_rows(60, 60));
  EXPECT_EQ(q.trustworthiness, 1);
  EXPECT_EQ(q.recall, 1);
}

// Places 0 1 2 3 4 become 0 1 2 9 4, so 3 is now last: the only false neighbour is 4's, which was 3
// and is 2, of rank 2 (excess 1), and 3's, which was 2 (tie, the smaller) and is 4 (rank 2, excess
// 1). 1 - 2 * 2 / (5 * 1 * (10 - 3 - 1)) = 1 - 4/30.
TEST(EmbeddingQuality, ByHand) {
  const Matrix X = line({0, 1, 2, 3, 4}), map = line({0, 1, 2, 9, 4});
  const EmbeddingQuality q = embedding_quality(X, map, 1, sample_rows(5, 5));
  EXPECT_NEAR(q.trustworthiness, 1 - 4.0 / 30, 1e-12);
  EXPECT_NEAR(q.recall, 3.0 / 5, 1e-12);
}

TEST(EmbeddingQuality, ASampleEstimatesAll) {
  const Matrix X = cloud(800, 10, 4, 2, 2);
  Matrix map(800, 2);  // the first two numbers of ten
  for (Index i = 0; i < 800; ++i) map(i, 0) = X(i, 0), map(i, 1) = X(i, 1);
  const EmbeddingQuality all = embedding_quality(X, map, 10, sample_rows(800, 800));
  const EmbeddingQuality some = embedding_quality(X, map, 10, sample_rows(800, 200));
  EXPECT_LT(all.trustworthiness, 0.95);
  EXPECT_NEAR(some.trustworthiness, all.trustworthiness, 0.02);
  EXPECT_NEAR(some.recall, all.recall, 0.03);
  set_threads(1);
  EXPECT_EQ(embedding_quality(X, map, 10, sample_rows(800, 800)).trustworthiness,
            all.trustworthiness);
  set_threads(0);
}

TEST(EmbeddingQuality, SparseRowsAreComparedByCosine) {
  Csr X;  // directions 0, 10, 20, ... degrees of different lengths
  X.cols = 2;
  Matrix map(9, 2);
  for (Index i = 0; i < 9; ++i) {
    const double angle = static_cast<double>(i) * M_PI / 18;
    X.col.insert(X.col.end(), {0, 1});
    X.val.push_back(static_cast<float>((1 + i % 3) * std::cos(angle)));
    X.val.push_back(static_cast<float>((1 + i % 3) * std::sin(angle) + (i == 0 ? 1e-6 : 0)));
    X.row_ptr.push_back(X.nnz());
    map(i, 0) = static_cast<float>(i * i);
  }
  X.rows = 9;
  const EmbeddingQuality q = embedding_quality(X, map, 2, sample_rows(9, 9));
  EXPECT_GT(q.recall, 0.6);
  EXPECT_GT(q.trustworthiness, 0.9);
}

TEST(EmbeddingQuality, RefusesTooManyNeighbours) {
  EXPECT_THAT(error_of([] { embedding_quality(Matrix(8, 3), Matrix(8, 2), 4, sample_rows(8, 8)); },
                       ErrorKind::kRun),
              ::testing::HasSubstr("below half of 8 points, got 4"));
}

}  // namespace
}  // namespace scrl
