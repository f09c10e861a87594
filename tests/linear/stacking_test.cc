#include "linear/stacking.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"

namespace scrl {
namespace {

// Log-probabilities that favour class (i + shift) % 3 of row i by `margin`, with noise.
Matrix opinion(Index rows, Index shift, float margin, std::uint64_t seed) {
  const Rng rng(seed, Purpose::kInit, 1);
  Matrix out(rows, 3);
  for (Index i = 0; i < rows; ++i) {
    double total = 0;
    for (Index c = 0; c < 3; ++c) {
      const float noise = rng.uniform_at(static_cast<std::uint64_t>(3 * i + c));
      out(i, c) = noise + (c == (i + shift) % 3 ? margin : 0.0f);
      total += std::exp(out(i, c));
    }
    for (Index c = 0; c < 3; ++c) out(i, c) -= static_cast<float>(std::log(total));
  }
  return out;
}

struct Data {
  std::vector<Matrix> members;
  std::vector<NodeId> rows;
  std::vector<std::int32_t> labels;  // i % 3
  explicit Data(Index n) {
    members.push_back(opinion(n, 0, 2.0f, 1));  // right
    members.push_back(opinion(n, 0, 0.5f, 2));  // right, less sure
    members.push_back(opinion(n, 1, 1.5f, 3));  // wrong
    for (Index i = 0; i < n; ++i)
      rows.push_back(static_cast<NodeId>(i)), labels.push_back(static_cast<std::int32_t>(i % 3));
  }
  std::vector<const Matrix*> pointers() const {
    std::vector<const Matrix*> out;
    for (const Matrix& m : members) out.push_back(&m);
    return out;
  }
  std::vector<double> weights(const StackingOptions& o = {}) const {
    return stack_weights(pointers(), rows, labels, o);
  }
  // The objective, written out plainly.
  double objective(const std::vector<double>& w, double prior) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double total = 0, own = 0;
      for (Index c = 0; c < 3; ++c) {
        double z = 0;
        for (std::size_t k = 0; k < w.size(); ++k) z += w[k] * members[k](rows[i], c);
        total += std::exp(z);
        if (c == labels[i]) own = z;
      }
      sum += std::log(total) - own;
    }
    for (const double v : w) sum += prior / 2 * (v - 1.0 / 3) * (v - 1.0 / 3);
    return sum;
  }
};

TEST(StackingTest, GoodMembersWeighMoreAndWrongOnesNothing) {
  const Data data(300);
  const std::vector<double> w = data.weights();
  EXPECT_GT(w[0], w[1]);
  EXPECT_EQ(w[2], 0);
}

TEST(StackingTest, TheResultIsAMinimum) {
  const Data data(60);
  const double prior = 3;
  const std::vector<double> w = data.weights({.prior = prior});
  const double best = data.objective(w, prior);
  for (std::size_t k = 0; k < w.size(); ++k)
    for (const double step : {-1e-2, 1e-2}) {
      std::vector<double> other = w;
      other[k] = std::max(0.0, other[k] + step);
      if (other[k] == w[k]) continue;  // at the bound
      EXPECT_GT(data.objective(other, prior), best) << k << " " << step;
    }
}

TEST(StackingTest, FewLabelsStayCloseToEvenAndNoneAreEven) {
  const Data none(0), few(3), many(300);
  for (const double w : none.weights()) EXPECT_DOUBLE_EQ(w, 1.0 / 3);
  const auto distance = [](const std::vector<double>& w) {
    double sum = 0;
    for (const double v : w) sum += std::abs(v - 1.0 / 3);
    return sum;
  };
  EXPECT_GT(distance(few.weights()), 0);
  EXPECT_LT(distance(few.weights()), distance(many.weights()) / 2);
}

TEST(StackingTest, TheSameBitsForAnyNumberOfThreads) {
  const Data data(1000);
  set_threads(1);
  const std::vector<double> one = data.weights();
  set_threads(3);
  EXPECT_EQ(data.weights(), one);
  set_threads(0);
}

TEST(StackingTest, ClassWeightsSayWhoseMistakesCount) {
  Data data(30);
  data.members.resize(2);
  data.members[0] = opinion(30, 0, 2.0f, 1);
  data.members[1] = opinion(30, 0, 2.0f, 2);
  for (Index i = 0; i < 30; ++i)  // member 0 is wrong about class 0, member 1 about class 1
    for (Index k = 0; k < 2; ++k)
      if (i % 3 == k)
        for (Index c = 0; c < 3; ++c)
          data.members[static_cast<std::size_t>(k)](i, c) = c == 2 ? 0.0f : -4.0f;
  const std::vector<double> first = data.weights({.class_weights = {1, 0, 0}});
  const std::vector<double> second = data.weights({.class_weights = {0, 1, 0}});
  EXPECT_LT(first[0], first[1]);
  EXPECT_GT(second[0], second[1]);
}

TEST(StackingTest, PooledRowsAreDistributionsAndNobodyHasAVeto) {
  Matrix sure(1, 2), unsure(1, 2), out(1, 2);
  sure(0, 0) = -1e30f, sure(0, 1) = 0;
  unsure(0, 0) = unsure(0, 1) = std::log(0.5f);
  const Matrix* const members[] = {&sure, &unsure};
  const double weights[] = {0.5, 0.5};
  pool_log_probs(members, weights, out);
  EXPECT_NEAR(std::exp(out(0, 0)) + std::exp(out(0, 1)), 1, 1e-6);
  EXPECT_NEAR(out(0, 0), 0.5 * kLeastLogProb, 1e-3);
}

TEST(StackingTest, WrongShapesAreErrors) {
  const Data data(5);
  const std::vector<std::int32_t> labels = {0};
  EXPECT_THROW(stack_weights(data.pointers(), data.rows, labels), Error);
  EXPECT_THROW(stack_weights({}, data.rows, data.labels), Error);
  EXPECT_THROW(stack_weights(data.pointers(), data.rows, data.labels, {.prior = 0}), Error);
}

}  // namespace
}  // namespace scrl
