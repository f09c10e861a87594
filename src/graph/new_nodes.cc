#include "graph/new_nodes.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "graph/two_hop.h"

namespace scrl {
namespace {

double inverse_root(double degree) { return degree > 0 ? 1 / std::sqrt(degree) : 0; }

// Row sums of both parts together.
std::vector<double> row_sums(const NewEdges& e) {
  std::vector<double> out(static_cast<std::size_t>(e.own.rows), 0.0);
  for (Index i = 0; i < e.own.rows; ++i) {
    for (const float w : e.known.row_vals(i)) out[i] += w;
    for (const float w : e.own.row_vals(i)) out[i] += w;
  }
  return out;
}

// value(i, j, w) for every entry of a part.
template <class Value>
void for_entries(Csr& part, const Value& value) {
  for (Index i = 0; i < part.rows; ++i)
    for (Index e = part.row_ptr[i]; e < part.row_ptr[i + 1]; ++e)
      part.val[e] = static_cast<float>(value(i, part.col[e], part.val[e]));
}

// The entries without loops and zeros, all 1.
NewEdges pattern(const NewEdges& edges) {
  NewEdges out{.known = {.rows = edges.known.rows, .cols = edges.known.cols},
               .own = without_loops(edges.own)};
  for (Index i = 0; i < edges.known.rows; ++i) {
    for (Index e = edges.known.row_ptr[i]; e < edges.known.row_ptr[i + 1]; ++e)
      if (edges.known.val[e] != 0) out.known.col.push_back(edges.known.col[e]);
    out.known.row_ptr.push_back(out.known.nnz());
  }
  out.known.val.assign(out.known.col.size(), 1.0f);
  return out;
}

double neighbours(const Csr& A, Index i) {
  double count = 0;
  for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) count += A.col[e] != i && A.val[e] != 0;
  return count;
}

// D^-1/2 of a node that new ones are joined to, 1 for one that had no neighbours.
double reach(double degree) { return degree == 0 ? 1 : inverse_root(degree); }

}  // namespace

NewEdges adjacency(NewEdges edges, Dup dup) {
  if (dup == Dup::kBinary)
    for (Csr* part : {&edges.known, &edges.own}) std::ranges::fill(part->val, 1.0f);
  edges.own = undirected(edges.own);
  return edges;
}

NewEdges propagation(NewEdges edges, Norm norm, double self, std::span<const double> degree) {
  edges.own = plus_identity(edges.own);
  const std::vector<double> sums = row_sums(edges);
  std::vector<double> scale(sums.size(), 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i] > 0) scale[i] = norm == Norm::kRw ? 1 / sums[i] : 1 / std::sqrt(sums[i]);
  const bool sym = norm == Norm::kSym;
  for_entries(edges.known, [&](Index i, NodeId j, float w) {
    return (1 - self) * scale[i] * (sym ? inverse_root(degree[j]) : 1.0) * w;
  });
  for_entries(edges.own, [&](Index i, NodeId j, float w) {
    return (1 - self) * scale[i] * (sym ? scale[j] : 1.0) * w + (i == j ? self : 0.0);
  });
  return edges;
}

NewEdges scaled_laplacian(const NewEdges& edges, const Csr& A, double largest_eigenvalue) {
  const double factor = largest_eigenvalue > 0 ? 2 / largest_eigenvalue : 1.0;
  NewEdges out = edges;
  for_entries(out.own, [](Index i, NodeId j, float w) { return i == j ? 0.0f : w; });
  std::vector<double> scale = row_sums(out);
  for (double& s : scale) s = inverse_root(s);
  out.own = plus_identity(out.own);  // a loop for every node
  for_entries(out.known, [&](Index i, NodeId j, float w) {
    double sum = 0;
    for (Index e = A.row_ptr[j]; e < A.row_ptr[j + 1]; ++e)
      if (A.col[e] != j) sum += A.val[e];
    return -factor * scale[i] * reach(sum) * w;
  });
  for_entries(out.own, [&](Index i, NodeId j, float w) {
    return i == j ? factor - 1 : -factor * scale[i] * scale[j] * w;
  });
  return out;
}

NewEdges sym_normalized_pattern(const NewEdges& edges, const Csr& A) {
  NewEdges out = edges;
  for (Csr* part : {&out.known, &out.own}) std::ranges::fill(part->val, 1.0f);
  for_entries(out.own, [](Index i, NodeId j, float w) { return i == j ? 0.0f : w; });
  std::vector<double> scale = row_sums(out);
  for (double& s : scale) s = 1 / std::sqrt(s + 1);
  out.own = plus_identity(out.own);
  for_entries(out.known, [&](Index i, NodeId j, float) {
    double degree = 1;
    for (const NodeId c : A.row_cols(j)) degree += c != j;
    return scale[i] / std::sqrt(degree);
  });
  for_entries(out.own, [&](Index i, NodeId j, float) { return scale[i] * scale[j]; });
  return out;
}

NewEdges sym_normalized_without_loops(const NewEdges& edges, const Csr& A) {
  NewEdges out = pattern(edges);
  std::vector<double> scale = row_sums(out);
  for (double& s : scale) s = inverse_root(s);
  for_entries(out.known,
              [&](Index i, NodeId j, float) { return scale[i] * reach(neighbours(A, j)); });
  for_entries(out.own, [&](Index i, NodeId j, float) { return scale[i] * scale[j]; });
  return out;
}

NewTwoHop two_hop(const NewEdges& edges, const Csr& A, std::span<const double> known_scale) {
  NewTwoHop out{.walk = pattern(edges), .back = {}, .rest = {}};
  const NewEdges& N = out.walk;
  const Index n = A.rows, count = N.own.rows;
  const std::vector<double> degree = row_sums(N);
  std::vector<double> scale(degree.size(), 0.0);
  // B_ij = sum over neighbours k of i that have j as a neighbour of 1 / D_k, for neighbours j of i
  // and i itself; `place` tells where in the row of `rest` node j is, new ones after known ones.
  std::vector<double> removed;
  std::vector<Index> place(static_cast<std::size_t>(n + count), -1);
  Csr& rest_known = out.rest.known;
  Csr& rest_own = out.rest.own;
  rest_known = {.rows = count, .cols = n};
  rest_own = {.rows = count, .cols = count};
  for (Index i = 0; i < count; ++i) {
    std::vector<NodeId> own(N.own.row_cols(i).begin(), N.own.row_cols(i).end());
    own.insert(std::ranges::lower_bound(own, static_cast<NodeId>(i)), static_cast<NodeId>(i));
    const auto known = N.known.row_cols(i);
    removed.assign(known.size() + own.size(), 0.0);
    for (std::size_t e = 0; e < known.size(); ++e) place[known[e]] = static_cast<Index>(e);
    for (std::size_t e = 0; e < own.size(); ++e)
      place[n + own[e]] = static_cast<Index>(known.size() + e);
    double left = static_cast<double>(N.own.row_nnz(i));  // the sum of row i of B
    for (const NodeId k : known) {
      const double degree_k = neighbours(A, k);
      if (degree_k == 0) continue;  // nobody is two hops away behind it
      const double share = 1 / degree_k;
      ++left;
      for (Index e = A.row_ptr[k]; e < A.row_ptr[k + 1]; ++e)
        if (const Index at = place[A.col[e]]; at >= 0 && A.col[e] != k && A.val[e] != 0)
          removed[at] += share;
    }
    for (const NodeId k : N.own.row_cols(i)) {
      const double share = 1 / degree[k];
      for (const NodeId j : N.known.row_cols(k))
        if (place[j] >= 0) removed[place[j]] += share;
      for (const NodeId j : N.own.row_cols(k))
        if (place[n + j] >= 0) removed[place[n + j]] += share;
    }
    for (const double r : removed) left -= r;
    if (left > 0.5 / static_cast<double>(n + count)) scale[i] = 1 / std::sqrt(left);
    rest_known.col.insert(rest_known.col.end(), known.begin(), known.end());
    rest_own.col.insert(rest_own.col.end(), own.begin(), own.end());
    for (std::size_t e = 0; e < removed.size(); ++e)
      (e < known.size() ? rest_known : rest_own).val.push_back(static_cast<float>(removed[e]));
    rest_known.row_ptr.push_back(rest_known.nnz());
    rest_own.row_ptr.push_back(rest_own.nnz());
    for (const NodeId j : known) place[j] = -1;
    for (const NodeId j : own) place[n + j] = -1;
  }
  for_entries(rest_known,
              [&](Index i, NodeId j, float b) { return -scale[i] * b * known_scale[j]; });
  for_entries(rest_own, [&](Index i, NodeId j, float b) { return -scale[i] * b * scale[j]; });
  out.back = N;
  for_entries(out.back.known,
              [&](Index k, NodeId j, float) { return known_scale[j] / std::sqrt(degree[k]); });
  for_entries(out.back.own,
              [&](Index k, NodeId j, float) { return scale[j] / std::sqrt(degree[k]); });
  for_entries(out.walk.known,
              [&](Index i, NodeId k, float) { return scale[i] * reach(neighbours(A, k)); });
  for_entries(out.walk.own,
              [&](Index i, NodeId k, float) { return scale[i] / std::sqrt(degree[k]); });
  return out;
}

}  // namespace scrl
