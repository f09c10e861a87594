#include "data/dataset.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "support/errors.h"

namespace scrl {
namespace {

Dataset sample() {
  Dataset d;
  d.name = "sample";
  d.nodes = 4;
  d.ids = {"a", "b", "c", "d"};
  d.edges = {.source = {0, 1}, .target = {1, 2}, .weight = {1, 2}};
  d.features = {.rows = 4, .cols = 3, .row_ptr = {0, 1, 1, 2, 2}, .col = {0, 2}, .val = {1, 2}};
  d.labels = {0, 1, 0, 1};
  d.classes = {"x", "y"};
  d.splits = {{.labels_per_class = 1, .train = {0, 1}, .val = {3}, .test = {2}}};
  d.knn_files[5] = {.source = {0}, .target = {3}};
  return d;
}

using Change = std::function<void(Dataset&)>;

TEST(FingerprintTest, EveryPartCounts) {
  const std::vector<Change> changes = {
      [](Dataset& d) { d.nodes = 5; },
      [](Dataset& d) { d.ids[0] += "z"; },
      [](Dataset& d) {
        d.ids = {"ab", "", "c", "d"};
      },
      [](Dataset& d) { d.ids.clear(); },
      [](Dataset& d) { std::swap(d.edges.source, d.edges.target); },
      [](Dataset& d) { d.edges.weight[1] = 3; },
      [](Dataset& d) { d.edges.weight.clear(); },
      [](Dataset& d) { d.features.cols = 4; },
      [](Dataset& d) { d.features.row_ptr[2] = 2; },
      [](Dataset& d) { d.features.col[1] = 1; },
      [](Dataset& d) { d.features.val[1] = 3; },
      [](Dataset& d) { d.labels[3] = 0; },
      [](Dataset& d) { d.classes[1] += "z"; },
      [](Dataset& d) { d.splits[0].labels_per_class = 2; },
      [](Dataset& d) { std::swap(d.splits[0].val, d.splits[0].test); },
      [](Dataset& d) { d.splits.clear(); },
      [](Dataset& d) { d.knn_files[6] = d.knn_files[5]; },
      [](Dataset& d) { d.knn_files[5].target[0] = 2; },
  };
  std::set<std::string> seen = {fingerprint(sample())};
  for (const Change& change : changes) {
    Dataset d = sample();
    change(d);
    seen.insert(fingerprint(d));
  }
  EXPECT_EQ(seen.size(), changes.size() + 1);
}

TEST(FingerprintTest, NameSourceAndWeightsOfOneDoNotCount) {
  Dataset a = sample(), b = sample();
  a.edges.weight = {1, 1};
  b.edges.weight.clear();
  b.name = "other";
  b.source = "elsewhere";
  EXPECT_EQ(fingerprint(a), fingerprint(b));
  EXPECT_EQ(fingerprint(a).size(), 32u);
}

// A fingerprint is stored with results; it must never change between versions and machines.
TEST(FingerprintTest, IsStable) {
  EXPECT_EQ(fingerprint(sample()), "4d3a9ac15cf18ae629afeb6254f2eff8");
}

TEST(ValidateTest, EachContradictionHasItsMessage) {
  validate(sample());
  const std::vector<std::pair<Change, std::string>> cases = {
      {[](Dataset& d) { d.nodes = 0; }, "sample: expected 1..2147483646 nodes, found 0"},
      {[](Dataset& d) { d.ids.pop_back(); }, "sample: expected 4 node ids, found 3"},
      {[](Dataset& d) { d.features.col[1] = 3; },
       "sample: features: row 2: column 3 out of range, expected 0..2"},
      {[](Dataset& d) { d.features.rows = 3, d.features.row_ptr.pop_back(); },
       "sample: features: expected 4 rows, found 3"},
      {[](Dataset& d) { d.labels.pop_back(); }, "sample: labels: expected 4, found 3"},
      {[](Dataset& d) { d.labels[1] = 2; },
       "sample: label of node b: expected a class number 0..1, found 2"},
      {[](Dataset& d) { d.edges.weight.pop_back(); },
       "sample: edges: sources, targets and weights differ in number"},
      {[](Dataset& d) { d.edges.target[1] = 4; },
       "sample: edges: edge 1: expected a node number 0..3, found 4"},
      {[](Dataset& d) { d.knn_files[5].source[0] = -1; },
       "sample: knn/c5: edge 0: expected a node number 0..3, found -1"},
      {[](Dataset& d) {
         d.edges.weight = {0x1p127f, 1};
       },
       "sample: edges: the weights at node a add up to 1.7014118346046923e+38, expected at most "
       "1e+38; multiply all weights by a small number"},
      {[](Dataset& d) { d.ids[1] = "a"; }, "sample: node id \"a\" stands for two"},
      {[](Dataset& d) { d.ids[1] = "\x1b[2J"; },
       "sample: node id \"?[2J\": expected UTF-8 without control characters"},
      {[](Dataset& d) { d.classes[1] = "\xff"; },
       "sample: class \"?\": expected UTF-8 without control characters"},
      {[](Dataset& d) { d.classes[1] = "x"; }, "sample: class \"x\" stands for two"},
      {[](Dataset& d) { d.knn_files[-1] = d.knn_files[5]; },
       "sample: knn/c-1: expected k of at least 1"},
      {[](Dataset& d) { d.splits[0].labels_per_class = -1; },
       "sample: split -1: expected a number of labels per class of at least 0"},
      {[](Dataset& d) { d.splits[0].test[0] = 4; },
       "sample: split 1 test: expected a node number 0..3, found 4"},
      {[](Dataset& d) {
         d.splits[0].test = {2, 2};
       },
       "sample: split 1 test: node c is listed twice"},
      {[](Dataset& d) { d.splits[0].test = {1}; },
       "sample: split 1 test: node b is also in the train part"},
      {[](Dataset& d) { d.splits[0].val = {2}; },
       "sample: split 1 test: node c is also in the val part"},
      {[](Dataset& d) { d.splits[0].train = {}; },
       "sample: split 1 train: expected nodes, found none"},
      {[](Dataset& d) { d.labels[1] = kUnlabelled; },
       "sample: split 1 train: node b has no label and can be neither learnt from nor scored; "
       "leave it out, it is predicted all the same"},
  };
  for (const auto& [change, message] : cases) {
    Dataset d = sample();
    change(d);
    EXPECT_EQ(error_of([&] { validate(d); }), message);
  }
}

}  // namespace
}  // namespace scrl
