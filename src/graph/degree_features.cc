#include "graph/degree_features.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/error.h"

namespace scrl {
namespace {

Index degree(const Csr& A, Index i) {
  Index count = 0;
  for (const NodeId j : A.row_cols(i)) count += j != i;
  return count;
}

}  // namespace

DegreeGroups degree_groups(const Csr& A) {
  std::map<Index, std::int32_t> number;
  for (Index i = 0; i < A.rows; ++i)
    if (const Index d = degree(A, i); d > 0) number[d] = 0;
  DegreeGroups out;
  for (auto& [d, group] : number) group = static_cast<std::int32_t>(out.groups++);
  for (Index i = 0; i < A.rows; ++i) {
    const Index d = degree(A, i);
    out.of_node.push_back(d > 0 ? number[d] : -1);
  }
  return out;
}

Csr neighbour_mean(const Csr& A) {
  check(A.rows == A.cols, "neighbour_mean: expected a square matrix, got ", A.rows, "x", A.cols);
  Csr out{.rows = A.rows, .cols = A.cols};
  out.row_ptr.assign(static_cast<std::size_t>(A.rows) + 1, 0);
  for (Index i = 0; i < A.rows; ++i) {
    const Index d = degree(A, i);
    for (const NodeId j : A.row_cols(i)) {
      if (j == i) continue;
      out.col.push_back(j);
      out.val.push_back(1.0f / static_cast<float>(d));
    }
    if (d == 0) {
      out.col.push_back(static_cast<NodeId>(i));
      out.val.push_back(1.0f);
    }
    out.row_ptr[i + 1] = out.nnz();
  }
  return out;
}

Csr degree_features(const Csr& A, const DegreeGroups& groups, const Csr& X) {
  std::vector<std::vector<NodeId>> members(static_cast<std::size_t>(groups.groups));
  for (Index i = 0; i < A.rows; ++i)
    if (groups.of_node[i] >= 0) members[groups.of_node[i]].push_back(static_cast<NodeId>(i));

  constexpr NodeId kNone = -1;
  std::vector<NodeId> column(static_cast<std::size_t>(X.cols),
                             kNone);  // of a feature, in this group
  std::vector<double> sum(static_cast<std::size_t>(X.cols), 0.0);
  std::vector<NodeId> used, group_used;
  std::vector<std::vector<std::pair<NodeId, float>>> rows(static_cast<std::size_t>(A.rows));
  Index columns = 0;
  for (const std::vector<NodeId>& nodes : members) {
    for (const NodeId i : nodes) {
      const double share = 1.0 / static_cast<double>(degree(A, i));
      for (const NodeId j : A.row_cols(i)) {
        if (j == i) continue;
        for (Index e = X.row_ptr[j]; e < X.row_ptr[j + 1]; ++e) {
          const NodeId f = X.col[e];
          if (sum[f] == 0) used.push_back(f);
          sum[f] += share * X.val[e];
        }
      }
      auto& row = rows[i];
      row.reserve(used.size());
      for (const NodeId f : used) {
        if (sum[f] == 0) continue;  // counted already, or cancelled out
        if (column[f] == kNone) {
          check(columns < std::numeric_limits<NodeId>::max(),
                "degree_features: more pairs of degree and feature than a column number holds");
          column[f] = static_cast<NodeId>(columns++);
          group_used.push_back(f);
        }
        row.emplace_back(column[f], static_cast<float>(sum[f]));
        sum[f] = 0;
      }
      used.clear();
      std::sort(row.begin(), row.end());
    }
    for (const NodeId f : group_used) column[f] = kNone;
    group_used.clear();
  }
  Csr out{.rows = A.rows, .cols = columns};
  out.row_ptr.assign(static_cast<std::size_t>(A.rows) + 1, 0);
  for (Index i = 0; i < A.rows; ++i) {
    for (const auto& [c, v] : rows[i]) {
      out.col.push_back(c);
      out.val.push_back(v);
    }
    out.row_ptr[i + 1] = out.nnz();
    rows[i] = {};
  }
  return out;
}

}  // namespace scrl
