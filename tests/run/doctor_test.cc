// Each finding appears where its mistake is made, and not in sound data.
#include "run/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/config.h"
#include "run/inspect.h"

namespace scrl {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Dataset demo() { return load_dataset("demo:nodes=300", {.use_cache = false}); }

std::vector<std::string> findings(const Dataset& data) {
  return diagnose(data, RunConfig({}).graph, std::nullopt);
}

// A column behind the others; value(i) of node i.
template <class Value>
void add_column(Dataset& d, Value value) {
  Csr out{.rows = d.features.rows, .cols = d.features.cols + 1};
  for (Index i = 0; i < d.nodes; ++i) {
    const auto columns = d.features.row_cols(i);
    const auto values = d.features.row_vals(i);
    out.col.insert(out.col.end(), columns.begin(), columns.end());
    out.val.insert(out.val.end(), values.begin(), values.end());
    if (const float v = value(i); v != 0) {
      out.col.push_back(static_cast<NodeId>(d.features.cols));
      out.val.push_back(v);
    }
    out.row_ptr.push_back(out.nnz());
  }
  d.features = std::move(out);
}

TEST(DoctorTest, SoundDataHaveNoFinding) { EXPECT_THAT(findings(demo()), testing::IsEmpty()); }

TEST(DoctorTest, AColumnThatIsTheLabel) {
  Dataset d = demo();
  add_column(d, [&](Index i) { return static_cast<float>(d.labels[i]); });
  EXPECT_THAT(findings(d), Contains(HasSubstr("feature column 600 determines the label: its value "
                                              "alone gives the class of 100 %")));
  // A measurement that differs for every node determines nothing.
  d = demo();
  add_column(d, [](Index i) { return static_cast<float>(i) + 0.5f; });
  EXPECT_THAT(findings(d), Not(Contains(HasSubstr("determines"))));
  // Nor does a column that is right for half of the nodes.
  d = demo();
  add_column(d, [&](Index i) { return i % 2 ? static_cast<float>(d.labels[i]) : 0.0f; });
  EXPECT_THAT(findings(d), Not(Contains(HasSubstr("determines"))));
}

TEST(DoctorTest, AOneHotLabelAmongTheColumns) {
  Dataset d = demo();
  for (std::int32_t c = 0; c < 3; ++c)
    add_column(d, [&](Index i) { return d.labels[i] == c ? 1.0f : 0.0f; });
  EXPECT_THAT(findings(d),
              Contains(HasSubstr("feature column 600, 601, 602 is set for the nodes of "
                                 "one class (amber)")));
}

TEST(DoctorTest, EdgesThatCountFromOne) {
  Dataset d = demo();
  d.ids.clear();
  for (NodeId i = 1; i + 1 < d.nodes; ++i) {
    d.edges.source.push_back(i);
    d.edges.target.push_back(i + 1);
  }
  for (auto* ends : {&d.edges.source, &d.edges.target})
    for (NodeId& node : *ends) node = node == 0 ? 1 : node;
  EXPECT_THAT(findings(d), Contains(HasSubstr("node 0 is the only one without an edge")));
  d.edges.source.push_back(0);
  d.edges.target.push_back(1);
  EXPECT_THAT(findings(d), Not(Contains(HasSubstr("node 0"))));
}

TEST(DoctorTest, ColumnsThatCountFromOne) {
  Dataset d = demo();
  d.features = {.rows = d.nodes, .cols = 10};
  for (Index i = 0; i < d.nodes; ++i) {
    d.features.col.push_back(static_cast<NodeId>(1 + i % 9));
    d.features.val.push_back(1);
    d.features.row_ptr.push_back(i + 1);
  }
  EXPECT_THAT(findings(d), Contains(HasSubstr("feature column 0 is the only empty one")));
}

TEST(DoctorTest, ConstantAndRepeatedColumns) {
  Dataset d = demo();
  add_column(d, [](Index) { return 2.0f; });
  add_column(d, [](Index i) { return i % 7 == 0 ? 1.0f : 0.0f; });
  add_column(d, [](Index i) { return i % 7 == 0 ? 1.0f : 0.0f; });
  const auto found = findings(d);
  EXPECT_THAT(found, Contains(HasSubstr("1 feature column is the same for all nodes (600)")));
  EXPECT_THAT(found, Contains(HasSubstr("1 feature column repeats an earlier one (602)")));
}

TEST(DoctorTest, EqualNodesMakeHubs) {
  Dataset d = demo();
  Csr out{.rows = d.nodes, .cols = d.features.cols};
  for (Index i = 0; i < d.nodes; ++i) {
    const Index from = i < 60 ? 0 : i;
    out.col.insert(out.col.end(), d.features.row_cols(from).begin(),
                   d.features.row_cols(from).end());
    out.val.insert(out.val.end(), d.features.row_vals(from).begin(),
                   d.features.row_vals(from).end());
    out.row_ptr.push_back(out.nnz());
  }
  d.features = std::move(out);
  EXPECT_THAT(findings(d), Contains(HasSubstr("60 nodes have the same features as more than k = 15 "
                                              "others (60 of them those of node n0000)")));
  const Inspection whole = inspect(d, RunConfig({}).graph);
  EXPECT_THAT(whole.warnings, Contains(HasSubstr("hubs of up to")));
}

TEST(DoctorTest, ClassesOfUnequalSize) {
  Dataset d = demo();
  for (Index i = 0; i < d.nodes; ++i)
    if (d.labels[i] > 1 && i % 20 != 0) d.labels[i] = 0;
  EXPECT_THAT(findings(d), Contains(HasSubstr("which is the accuracy of predicting it everywhere; "
                                              "judge by macro-F1 (--metric macro-f1)")));
  d = demo();
  for (Index i = 0; i < d.nodes; ++i)
    if (d.labels[i] == 5 && i % 10 != 0) d.labels[i] = 4;
  EXPECT_THAT(findings(d), Contains(HasSubstr("--metric macro-f1 counts all classes alike")));
}

TEST(DoctorTest, DataWithoutLabelsOrFeatures) {
  Dataset d = demo();
  d.classes.clear();
  d.labels.assign(d.labels.size(), kUnlabelled);
  EXPECT_THAT(findings(d), testing::IsEmpty());
  d.features = {.rows = d.nodes};
  d.features.row_ptr.assign(static_cast<std::size_t>(d.nodes) + 1, 0);
  EXPECT_THAT(findings(d), testing::ElementsAre(HasSubstr("there are no features")));
}

}  // namespace
}  // namespace scrl
