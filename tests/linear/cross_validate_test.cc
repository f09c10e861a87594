#include "linear/cross_validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "points.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(CrossValidateTest, CandidatesArePowersOfTwo) {
  EXPECT_EQ(candidate_C(0), std::ldexp(1.0, -10));
  EXPECT_EQ(candidate_C(10), 1.0);
  EXPECT_EQ(candidate_C(kCandidates - 1), 512.0);
}

TEST(CrossValidateTest, AsManyFoldsAsTheSmallestClassHasLabels) {
  const auto folds = [](std::vector<std::int32_t> labels) { return fold_count(labels, 4); };
  EXPECT_EQ(folds({0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2}), 5);
  EXPECT_EQ(folds({0, 0, 0, 0, 0, 0, 2, 2, 2}), 3);
  EXPECT_EQ(folds({0, 0, 3, 3}), 2);
  EXPECT_EQ(folds({0, 0, 0, 0, 0, 3}), 0);
}

TEST(CrossValidateTest, FoldsHoldAnEvenShareOfEveryClass) {
  std::vector<std::int32_t> labels;
  for (const int count : {7, 23, 5, 12})
    labels.insert(labels.end(), static_cast<std::size_t>(count),
                  static_cast<std::int32_t>(labels.empty() ? 0 : labels.back() + 1));
  const auto folds = stratified_folds(labels, 4, 5, 1);
  std::vector<int> of_class(20), total(5);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ASSERT_GE(folds[i], 0);
    ASSERT_LT(folds[i], 5);
    ++of_class[labels[i] * 5 + folds[i]];
    ++total[folds[i]];
  }
  for (int f = 0; f < 5; ++f) {
    EXPECT_THAT(of_class[f], ::testing::AnyOf(1, 2));
    EXPECT_THAT(of_class[5 + f], ::testing::AnyOf(4, 5));
    EXPECT_EQ(of_class[10 + f], 1);
    EXPECT_THAT(total[f], ::testing::AnyOf(9, 10));
  }
  EXPECT_EQ(stratified_folds(labels, 4, 5, 1), folds);
  EXPECT_NE(stratified_folds(labels, 4, 5, 2), folds);
}

// The same accuracies from one fit per fold and candidate on the other folds alone.
TEST(CrossValidateTest, EqualsFitsWithoutTheHeldOutRows) {
  const Labelled data = blobs(75, 9, 3, 0.5, 2);
  const auto folds = stratified_folds(data.labels, 3, 5, 3);
  const auto got = cross_validate(data.Z, data.rows, data.labels, 3, folds);
  ASSERT_THAT(got, SizeIs(kCandidates));
  for (const int number : {0, 7, 13, 19}) {
    double sum = 0;
    for (int f = 0; f < 5; ++f) {
      std::vector<NodeId> rest, held;
      std::vector<std::int32_t> rest_labels, held_labels;
      for (std::size_t i = 0; i < folds.size(); ++i) {
        (folds[i] == f ? held : rest).push_back(data.rows[i]);
        (folds[i] == f ? held_labels : rest_labels).push_back(data.labels[i]);
      }
      const auto predicted = predict(
          logistic_one_vs_rest(data.Z, rest, rest_labels, 3, candidate_C(number)), data.Z, held);
      double right = 0;
      for (std::size_t i = 0; i < held.size(); ++i) right += predicted[i] == held_labels[i];
      sum += right / static_cast<double>(held.size());
    }
    EXPECT_NEAR(got[static_cast<std::size_t>(number)], sum / 5, 1e-12) << number;
  }
}

TEST(CrossValidateTest, TheBestIsTakenAndOfEqualsTheSmallest) {
  const Labelled data = blobs(75, 9, 3, 0.5, 2);
  const auto found =
      cross_validate(data.Z, data.rows, data.labels, 3, stratified_folds(data.labels, 3, 5, 3));
  const auto best = std::max_element(found.begin(), found.end()) - found.begin();
  EXPECT_EQ(choose_C(data.Z, data.rows, data.labels, 3, 3), candidate_C(static_cast<int>(best)));
  const Labelled easy = blobs(60, 4, 2, 100.0, 4);  // all candidates are right
  EXPECT_EQ(choose_C(easy.Z, easy.rows, easy.labels, 2, 1), candidate_C(0));
}

TEST(CrossValidateTest, ASingleLabelInAClassFixesC) {
  Labelled data = blobs(20, 4, 2, 1.0, 5);
  data.labels[0] = 2;
  EXPECT_EQ(choose_C(data.Z, data.rows, data.labels, 3, 1), 1.0);
  const LinearClassifier head = logistic_cv(data.Z, data.rows, data.labels, 3, 1);
  EXPECT_EQ(head.W.packed(),
            logistic_one_vs_rest(data.Z, data.rows, data.labels, 3, 1.0).W.packed());
}

TEST(CrossValidateTest, AbsentClassesAreTolerated) {
  Labelled data = blobs(30, 4, 2, 1.0, 6);
  for (std::int32_t& y : data.labels) y = 2 * y + 1;
  const double C = choose_C(data.Z, data.rows, data.labels, 5, 1);
  const LinearClassifier head = logistic_cv(data.Z, data.rows, data.labels, 5, 1);
  EXPECT_EQ(head.b(0, 0), kAbsentScore);
  EXPECT_EQ(head.W.packed(), logistic_one_vs_rest(data.Z, data.rows, data.labels, 5, C).W.packed());
}

TEST(CrossValidateTest, TheSameForAnyNumberOfThreads) {
  const Labelled data = blobs(120, 50, 6, 0.3, 7);
  const auto folds = stratified_folds(data.labels, 6, 5, 1);
  set_threads(1);
  const auto one = cross_validate(data.Z, data.rows, data.labels, 6, folds);
  const auto head = logistic_cv(data.Z, data.rows, data.labels, 6, 1).W.packed();
  for (const int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(cross_validate(data.Z, data.rows, data.labels, 6, folds), one);
    EXPECT_EQ(logistic_cv(data.Z, data.rows, data.labels, 6, 1).W.packed(), head);
  }
  set_threads(0);
}

TEST(CrossValidateTest, BadInputIsRefused) {
  const Labelled data = blobs(4, 2, 2, 1.0, 8);
  EXPECT_THAT(error_of([&] { choose_C(data.Z, {}, {}, 2, 1); }), HasSubstr("no labelled rows"));
  const std::vector<std::int32_t> few = {0, 1}, gap = {0, 2, 0, 2};
  EXPECT_THROW(cross_validate(data.Z, data.rows, data.labels, 2, few), Error);
  EXPECT_THROW(cross_validate(data.Z, data.rows, data.labels, 2, gap), Error);
}

}  // namespace
}  // namespace scrl
