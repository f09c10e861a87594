#include "trust/suspects.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/dataset.h"

namespace scrl {
namespace {

const std::vector<Setting> kSmall = {
    {"hidden1", "32", "test"}, {"hidden2", "16", "test"}, {"epochs", "30", "test"}};

std::vector<NodeId> first_labelled(const Dataset& data, Index count) {
  std::vector<NodeId> out;
  for (Index i = 0; i < data.nodes && static_cast<Index>(out.size()) < count; ++i)
    if (data.labels[i] != kUnlabelled) out.push_back(static_cast<NodeId>(i));
  return out;
}

TEST(SuspectsTest, FlipsAreOfAnotherClassAndAsManyAsAsked) {
  const Dataset data = load_dataset("demo:nodes=300", {.use_cache = false});
  const std::vector<NodeId> nodes = first_labelled(data, 100);
  std::vector<std::int32_t> labels = data.labels;
  const auto flipped = flip_labels(labels, nodes, data.num_classes(), 0.1, 4);
  EXPECT_EQ(flipped.size(), 10u);
  Index changed = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    changed += labels[i] != data.labels[i];
    EXPECT_LT(labels[i], data.num_classes());
  }
  EXPECT_EQ(changed, 10);
  for (const NodeId i : flipped) EXPECT_NE(labels[static_cast<std::size_t>(i)], data.labels[i]);
}

TEST(SuspectsTest, FlippedLabelsComeFirst) {
  Dataset data = load_dataset("demo:nodes=400", {.use_cache = false});
  const std::vector<NodeId> nodes = first_labelled(data, 150);
  const auto flipped = flip_labels(data.labels, nodes, data.num_classes(), 0.1, 1);
  const auto ranked = rank_suspects({.data = data, .settings = kSmall, .nodes = nodes});
  ASSERT_EQ(ranked.size(), nodes.size());
  std::size_t found = 0;
  for (std::size_t k = 0; k < flipped.size(); ++k)
    found += std::count(flipped.begin(), flipped.end(), ranked[k].node);
  EXPECT_GE(found * 10, flipped.size() * 6);  // by chance one in ten
  for (std::size_t k = 1; k < ranked.size(); ++k)
    EXPECT_TRUE(ranked[k - 1].both > ranked[k].both ||
                (ranked[k - 1].both == ranked[k].both && ranked[k - 1].score >= ranked[k].score));
}

TEST(SuspectsTest, ASingleClassIsAnError) {
  const Dataset data = load_dataset("demo:nodes=300", {.use_cache = false});
  try {
    rank_suspects({.data = data, .nodes = {first_labelled(data, 1)}});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(e.what()).find("two classes"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace scrl
