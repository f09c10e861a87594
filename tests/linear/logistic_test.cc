#include "linear/logistic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "linear/features.h"
#include "points.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Gradient of the objective of class c in double, written out; the last entry is that of the bias.
std::vector<double> gradient(const LinearClassifier& head, const Labelled& data, Index c,
                             double C) {
  const Index h = data.Z.cols();
  std::vector<double> out;
  for (Index j = 0; j < h; ++j) out.push_back(head.W(j, c));
  out.push_back(head.b(0, c));
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    double score = head.b(0, c);
    for (Index j = 0; j < h; ++j) score += double{data.Z(data.rows[i], j)} * head.W(j, c);
    const double y = data.labels[i] == c ? 1 : -1, slope = -C * y / (1 + std::exp(y * score));
    for (Index j = 0; j < h; ++j) out[j] += slope * data.Z(data.rows[i], j);
    out[h] += slope;
  }
  return out;
}

double length(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

// A row z = 0 leaves the bias alone: with p rows of the class and q others,
//   b - C p / (1 + e^b) + C q / (1 + e^-b) = 0.
TEST(LogisticTest, BiasAloneSolvesItsEquation) {
  const Labelled data{Matrix(5, 1), {0, 1, 2, 3, 4}, {0, 0, 0, 0, 1}};
  const LinearClassifier head = logistic_one_vs_rest(data.Z, data.rows, data.labels, 2, 3.0);
  const double b = head.b(0, 0);
  EXPECT_NEAR(b - 3.0 * 4 / (1 + std::exp(b)) + 3.0 / (1 + std::exp(-b)), 0, 1e-6);
  EXPECT_GT(b, 0.5);
  EXPECT_FLOAT_EQ(head.b(0, 1), -head.b(0, 0));
  EXPECT_EQ(head.W(0, 0), 0.0f);
}

// Two points +-1, one per class: by symmetry b = 0 and w = 2 C / (1 + e^w); C = (1 + e) / 2: w = 1.
TEST(LogisticTest, TwoPointsHaveAKnownWeight) {
  const Matrix Z = matrix_of(2, 1, {1.0f, -1.0f});
  const std::vector<NodeId> rows = {0, 1};
  const std::vector<std::int32_t> labels = {0, 1};
  const LinearClassifier head = logistic_one_vs_rest(Z, rows, labels, 2, (1 + std::exp(1.0)) / 2);
  EXPECT_NEAR(head.W(0, 0), 1.0, 1e-6);
  EXPECT_NEAR(head.W(0, 1), -1.0, 1e-6);
  EXPECT_NEAR(head.b(0, 0), 0.0, 1e-6);
}

// More rows than columns, fewer, and as many; columns that are equal or zero; small and large C.
TEST(LogisticTest, TheGradientVanishesAtTheSolution) {
  for (const auto& [count, columns] :
       {std::pair<Index, Index>{60, 7}, {20, 50}, {12, 11}, {1, 3}}) {
    for (const double C : {1.0 / 1024, 1.0, 512.0}) {
      Labelled data = blobs(count, columns, 3, 1.0, 4);
      if (columns > 6) {
        for (Index i = 0; i < count; ++i) data.Z(i, 2) = 0, data.Z(i, 5) = data.Z(i, 4);
      }
      const LinearClassifier head = logistic_one_vs_rest(data.Z, data.rows, data.labels, 3, C);
      for (Index c = 0; c < std::min<Index>(3, count); ++c) {
        const LinearClassifier nothing{Matrix(columns, 3), Matrix(1, 3)};
        EXPECT_LT(length(gradient(head, data, c, C)), 1e-5 * length(gradient(nothing, data, c, C)))
            << count << "x" << columns << ", C " << C << ", class " << c;
      }
    }
  }
}

TEST(LogisticTest, RowsAreThoseNamed) {
  Labelled data = blobs(40, 5, 2, 2.0, 5);
  const LinearClassifier all = logistic_one_vs_rest(data.Z, data.rows, data.labels, 2, 1.0);
  Matrix larger(100, 5);
  larger.fill(77.0f);
  for (std::size_t i = 0; i < 40; ++i) {
    data.rows[i] = static_cast<NodeId>(99 - 2 * i);
    for (Index j = 0; j < 5; ++j) larger(data.rows[i], j) = data.Z(static_cast<Index>(i), j);
  }
  const LinearClassifier named = logistic_one_vs_rest(larger, data.rows, data.labels, 2, 1.0);
  EXPECT_EQ(named.W.packed(), all.W.packed());
  EXPECT_EQ(named.b.packed(), all.b.packed());
}

TEST(LogisticTest, AClassWithoutLabelsIsNeverPredicted) {
  Labelled data = blobs(30, 4, 3, 2.0, 6);
  for (std::int32_t& y : data.labels) y = y == 0 ? 1 : y == 1 ? 3 : 4;  // 0, 2 and 5 are absent
  const LinearClassifier head = logistic_one_vs_rest(data.Z, data.rows, data.labels, 6, 1.0);
  Matrix far = blobs(200, 4, 1, 0, 7).Z;
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < 4; ++j) far(i, j) *= 1e6f;
  std::vector<NodeId> every(200);
  std::iota(every.begin(), every.end(), NodeId{0});
  for (const std::int32_t absent : {0, 2, 5}) {
    EXPECT_EQ(head.b(0, absent), kAbsentScore);
    EXPECT_EQ(head.W(1, absent), 0.0f);
    EXPECT_THAT(predict(head, far, every), Not(Contains(absent)));
  }
  EXPECT_THAT(predict(head, far, every), Contains(4));
}

TEST(LogisticTest, ASingleClassIsAlwaysPredicted) {
  const Labelled data = blobs(6, 3, 1, 1.0, 8);
  const LinearClassifier head =
      logistic_one_vs_rest(data.Z, data.rows, std::vector<std::int32_t>(6, 1), 3, 1.0);
  EXPECT_THAT(predict(head, data.Z, data.rows), ElementsAre(1, 1, 1, 1, 1, 1));
}

TEST(LogisticTest, PredictTakesTheLargestScoreAndTheSmallerClassOnTies) {
  const LinearClassifier head{matrix_of(2, 3, {1, 0, 0, 0, 1, 0}), matrix_of(1, 3, {0, 0, 0.5f})};
  const Matrix Z = matrix_of(4, 2, {2, 1, 1, 2, 0, 0, 3, 3});
  const std::vector<NodeId> rows = {3, 2, 1, 0};
  EXPECT_THAT(predict(head, Z, rows), ElementsAre(0, 2, 1, 0));
  EXPECT_TRUE(predict(head, Z, {}).empty());
}

TEST(LogisticTest, TheSameBitsForAnyNumberOfThreads) {
  const Labelled data = blobs(150, 40, 20, 0.5, 9);  // two panels of classes
  set_threads(1);
  const LinearClassifier one = logistic_one_vs_rest(data.Z, data.rows, data.labels, 20, 8.0);
  for (const int count : {2, 3}) {
    set_threads(count);
    const LinearClassifier many = logistic_one_vs_rest(data.Z, data.rows, data.labels, 20, 8.0);
    EXPECT_EQ(many.W.packed(), one.W.packed());
    EXPECT_EQ(many.b.packed(), one.b.packed());
  }
  set_threads(0);
}

TEST(LogisticTest, BadInputIsRefused) {
  Labelled data = blobs(4, 2, 2, 1.0, 10);
  EXPECT_THAT(error_of([&] { logistic_one_vs_rest(data.Z, {}, {}, 2, 1.0); }),
              HasSubstr("no labelled rows"));
  EXPECT_THAT(error_of([&] { logistic_one_vs_rest(data.Z, data.rows, data.labels, 1, 1.0); }),
              HasSubstr("row 1 has label 1, expected a class from 0 to 0"));
  EXPECT_THAT(error_of([&] { logistic_one_vs_rest(data.Z, data.rows, data.labels, 2, 0.0); },
                       ErrorKind::kRun),
              HasSubstr("C must be a number above 0"));
  data.Z(2, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_of([&] { logistic_one_vs_rest(data.Z, data.rows, data.labels, 2, 1.0); },
                       ErrorKind::kDiverged),
              HasSubstr("column 1 of row 2"));
  data.rows[0] = 4;
  EXPECT_THAT(error_of([&] { logistic_one_vs_rest(data.Z, data.rows, data.labels, 2, 1.0); },
                       ErrorKind::kRun),
              HasSubstr("row 4"));
}

// The basis is orthonormal, and rows written in it have the lengths and products they had.
TEST(FeaturesTest, TurningKeepsProductsAndNeedsNoMoreDimensionsThanRows) {
  for (const auto& [count, columns] : {std::pair<Index, Index>{9, 30}, {50, 6}}) {
    Labelled data = blobs(count, columns, 2, 1.0, 11);
    for (Index j = 0; j < columns; ++j) data.Z(3, j) = data.Z(1, j);  // one dimension less
    const linear::Features f = linear::make_features(data.Z, data.rows);
    EXPECT_EQ(f.dims, count < columns ? count - 1 : columns + 1);
    for (Index a = 0; a < f.dims; ++a) {
      for (Index b = 0; b < f.dims; ++b) {
        double product = 0;
        for (Index j = 0; j < f.columns; ++j)
          product += f.basis[a * f.columns + j] * f.basis[b * f.columns + j];
        EXPECT_NEAR(product, a == b ? 1 : 0, 1e-12);
      }
    }
    for (Index i = 0; i < count; ++i) {
      double want = 1, got = 0;
      for (Index j = 0; j < columns; ++j) want += double{data.Z(i, j)} * data.Z(0, j);
      for (Index d = 0; d < f.dims; ++d) got += f.x[i * f.dims + d] * f.x[d];
      EXPECT_NEAR(got, want, 1e-10);
    }
  }
}

}  // namespace
}  // namespace scrl
