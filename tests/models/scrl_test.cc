// tests/models/scrl_test.cc: the weights of labelled nodes.
#include "models/scrl.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scrl {
namespace {

// `labels` of each class.
Inputs inputs(const SparseOperand& X, const std::vector<int>& labels) {
  Inputs in{.X = X, .classes = static_cast<Index>(labels.size())};
  for (std::size_t c = 0; c < labels.size(); ++c)
    in.train_labels.insert(in.train_labels.end(), static_cast<std::size_t>(labels[c]),
                           static_cast<std::int32_t>(c));
  in.train.resize(in.train_labels.size());
  return in;
}

std::vector<float> weights(const std::vector<int>& labels, double balance) {
  return class_weights(inputs(SparseOperand(), labels), balance);
}

TEST(ScrlTest, NodesOfSmallClassesWeighMore) {
  EXPECT_EQ(weights({7, 7, 7}, 0.5), std::vector<float>({1, 1, 1}));  // to the bit
  EXPECT_EQ(weights({1, 3, 11}, 0), std::vector<float>({1, 1, 1}));
  EXPECT_EQ(weights({1, 4, 16, 7}, 1), std::vector<float>({7, 1.75f, 0.4375f, 1}));
  EXPECT_EQ(weights({1, 4, 16, 0, 9, 6}, 0.5),
            std::vector<float>(
                {std::sqrt(6.0f), std::sqrt(1.5f), std::sqrt(0.375f), 0, std::sqrt(6.0f / 9), 1}));
}

}  // namespace
}  // namespace scrl
