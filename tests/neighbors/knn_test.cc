#include "neighbors/knn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

struct Shape {
  Index rows, cols;
  double density;
  bool binary;
};

Csr random_rows(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<NodeId> row, column;
  std::vector<float> value;
  for (Index i = 0; i < shape.rows; ++i) {
    for (Index j = 0; j < shape.cols; ++j) {
      if (rng.uniform() >= shape.density) continue;
      row.push_back(static_cast<NodeId>(i));
      column.push_back(static_cast<NodeId>(j));
      value.push_back(shape.binary ? 1.0f : static_cast<float>(rng.normal()));
    }
  }
  return csr_from_triplets(shape.rows, shape.cols, row, column, value, Dup::kSum);
}

// Dense dot products, all pairs sorted: slow and obviously right. Binary rows compare in whole
// numbers, as dot_a^2 |x_b|^2 against dot_b^2 |x_a|^2.
class Oracle {
 public:
  explicit Oracle(const Csr& X) : x_(X.rows, std::vector<double>(X.cols)), squares_(X.rows) {
    for (Index i = 0; i < X.rows; ++i) {
      for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e) x_[i][X.col[e]] = X.val[e];
      squares_[i] = dot(i, i);
    }
  }
  std::vector<NodeId> nearest(Index i, int k) const {
    std::vector<std::pair<NodeId, double>> all;  // id, dot
    for (Index j = 0; j < static_cast<Index>(x_.size()); ++j) {
      if (const double d = dot(i, j); j != i && d > 0) all.emplace_back(j, d);
    }
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
      const double left = a.second * a.second * squares_[b.first];
      const double right = b.second * b.second * squares_[a.first];
      return left != right ? left > right : a.first < b.first;
    });
    std::vector<NodeId> ids;
    for (const auto& [id, d] : all) ids.push_back(id);
    ids.resize(k, -1);
    return ids;
  }

 private:
  double dot(Index i, Index j) const {
    double sum = 0;
    for (std::size_t f = 0; f < x_[i].size(); ++f) sum += x_[i][f] * x_[j][f];
    return sum;
  }
  std::vector<std::vector<double>> x_;
  std::vector<double> squares_;
};

// Dense shapes take the blocked search, the last two the inverted one.
const Shape kShapes[] = {{100, 30, 0.3, true},     {97, 40, 0.2, false}, {33, 5, 0.5, true},
                         {150, 60, 0.05, true},    {1, 3, 1.0, true},    {200, 2000, 0.004, true},
                         {160, 2000, 0.004, false}};

// Of many equal rows only a few are searched, which must not be seen.
TEST(KnnTest, EqualRowsGiveWhatASearchAmongAllOfThemGives) {
  const Csr few = random_rows({60, 8, 0.4, false}, 9);
  Csr X{.rows = 1500, .cols = few.cols};
  Rng rng(4);
  for (Index i = 0; i < X.rows; ++i) {
    // A few rows have many copies, others one or two.
    const auto from = static_cast<Index>(60 * rng.uniform() * rng.uniform() * rng.uniform());
    const auto cols = few.row_cols(from);
    const auto vals = few.row_vals(from);
    X.col.insert(X.col.end(), cols.begin(), cols.end());
    X.val.insert(X.val.end(), vals.begin(), vals.end());
    X.row_ptr.push_back(X.nnz());
  }
  std::vector<NodeId> every(static_cast<std::size_t>(X.rows));
  std::iota(every.begin(), every.end(), NodeId{0});
  for (const int k : {1, 7, 40}) {
    const Neighbours all = nearest_of(X, k, every), reduced = nearest(X, k);
    EXPECT_EQ(reduced.id, all.id) << k;
    EXPECT_EQ(reduced.similarity, all.similarity) << k;
  }
}

TEST(KnnTest, AgreesWithBruteForce) {
  std::uint64_t seed = 1;
  for (const Shape& shape : kShapes) {
    const Csr X = random_rows(shape, ++seed);
    const Oracle oracle(X);
    for (const int k : {1, 4, 9}) {
      const Neighbours got = nearest(X, k);
      ASSERT_EQ(got.id.size(), static_cast<std::size_t>(shape.rows * k));
      for (Index i = 0; i < shape.rows; ++i) {
        const std::vector<NodeId> row(got.id.begin() + i * k, got.id.begin() + (i + 1) * k);
        ASSERT_EQ(row, oracle.nearest(i, k))
            << "row " << i << " of " << shape.rows << "x" << shape.cols << ", k = " << k;
      }
    }
  }
}

TEST(KnnTest, TheSameBitsForAnyNumberOfThreads) {
  for (const Shape& shape : {Shape{700, 50, 0.2, false}, Shape{700, 5000, 0.002, false}}) {
    const Csr X = random_rows(shape, 11);
    set_threads(1);
    const Neighbours one = nearest(X, 5);
    for (const int count : {2, 3, 7}) {
      set_threads(count);
      const Neighbours many = nearest(X, 5);
      EXPECT_EQ(many.id, one.id) << count;
      EXPECT_EQ(many.similarity, one.similarity) << count;
    }
    set_threads(0);
  }
}

TEST(KnnTest, BothDirectionsOfAPairSeeTheSameSimilarity) {
  const Shape shape{120, 60, 0.3, false};
  const Neighbours all = nearest(random_rows(shape, 5), 119);
  std::vector<float> matrix(120 * 120);
  for (Index i = 0; i < 120; ++i) {
    for (int n = 0; n < 119; ++n) {
      const NodeId j = all.id[i * 119 + n];
      if (j >= 0) matrix[i * 120 + j] = all.similarity[i * 119 + n];
    }
  }
  for (Index i = 0; i < 120; ++i) {
    for (Index j = 0; j < 120; ++j) EXPECT_EQ(matrix[i * 120 + j], matrix[j * 120 + i]);
  }
}

// sqrt(2) appears as 1/sqrt(2), 2/sqrt(8) and 3/sqrt(18): equal cosines that floating-point square
// roots would tell apart.
TEST(KnnTest, EqualFractionsAreTies) {
  const auto row_with = [](Csr& x, Index shared, Index own, NodeId& fresh) {
    for (NodeId f = 0; f < shared; ++f) x.col.push_back(f);
    for (Index n = 0; n < own; ++n) x.col.push_back(fresh++);
    x.val.resize(x.col.size(), 1.0f);
    x.row_ptr.push_back(x.nnz());
    ++x.rows;
  };
  Csr X{.cols = 100};
  NodeId fresh = 3;
  row_with(X, 3, 15, fresh);  // 3 of 18
  row_with(X, 2, 6, fresh);   // 2 of 8
  row_with(X, 3, 0, fresh);   // the row that asks
  row_with(X, 1, 1, fresh);   // 1 of 2
  const Neighbours got = nearest(X, 3);
  EXPECT_THAT(std::vector(got.id.begin() + 6, got.id.begin() + 9), ElementsAre(0, 1, 3));
  EXPECT_THAT(got.similarity[6], FloatEq(3 / std::sqrt(18.0f * 3)));
}

TEST(KnnTest, EmptyRowsHaveNoNeighboursAndAreNobodys) {
  Csr X{.rows = 4, .cols = 2};
  X.row_ptr = {0, 1, 1, 2, 3};
  X.col = {0, 0, 1};
  X.val = {2.0f, 1.0f, 1.0f};
  const Neighbours got = nearest(X, 2);
  EXPECT_THAT(got.id, ElementsAre(2, -1, -1, -1, 0, -1, -1, -1));
  EXPECT_THAT(got.similarity, ElementsAre(1, 0, 0, 0, 1, 0, 0, 0));
}

TEST(KnnTest, OppositeRowsAreNotNeighboursAndHugeValuesDoNotOverflow) {
  Csr X{.rows = 3, .cols = 2};
  const float huge = std::numeric_limits<float>::max(), tiny = 1e-38f;
  X.row_ptr = {0, 2, 4, 6};
  X.col = {0, 1, 0, 1, 0, 1};
  X.val = {huge, huge, tiny, tiny, -1.0f, -1.0f};
  const Neighbours got = nearest(X, 2);
  EXPECT_THAT(got.id, ElementsAre(1, -1, 0, -1, -1, -1));
  EXPECT_FLOAT_EQ(got.similarity[0], 1.0f);
}

TEST(KnnTest, AnEmptyMatrixAndABadKAreHandled) {
  EXPECT_TRUE(nearest(Csr{}, 3).id.empty());
  EXPECT_THROW(nearest(Csr{}, 0), Error);
  EXPECT_THROW(nearest(Csr{}, kMaxNeighbours + 1), Error);
}

TEST(KnnTest, SomeRowsGetWhatTheyGetAmongAll) {
  const std::vector<NodeId> queries{150, 3, 3, 199, 0};
  for (const Shape& shape : {Shape{200, 30, 0.3, false}, Shape{200, 2000, 0.004, true}}) {
    const Csr X = random_rows(shape, 21);
    const Neighbours all = nearest(X, 4), some = nearest_of(X, 4, queries);
    ASSERT_EQ(some.nodes, 5);
    for (Index n = 0; n < 5; ++n) {
      for (int r = 0; r < 4; ++r) {
        EXPECT_EQ(some.id[n * 4 + r], all.id[queries[n] * 4 + r]);
        EXPECT_EQ(some.similarity[n * 4 + r], all.similarity[queries[n] * 4 + r]);
      }
    }
  }
}

// Every row has the same feature, so all pairs must be looked at.
TEST(KnnTest, WorkGrowsWithTheSquareAndPassesTheLimit) {
  const auto work = [](Index rows) {
    Csr X{.rows = rows, .cols = 1};
    for (Index i = 0; i < rows; ++i) X.row_ptr.push_back(i + 1);
    X.col.assign(rows, 0);
    X.val.assign(rows, 1.0f);
    return exact_work(X);
  };
  EXPECT_NEAR(work(128000) / work(64000), 4, 0.01);
  EXPECT_LT(work(20000), kWorkOfAMinute / 100);
  EXPECT_GT(work(5000000), kWorkOfAMinute);
}

}  // namespace
}  // namespace scrl
