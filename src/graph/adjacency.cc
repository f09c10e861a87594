#include "graph/adjacency.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"

namespace scrl {
namespace {

// Element-wise maximum of two matrices of one shape; an entry that only one of them has is kept.
Csr merge_max(const Csr& a, const Csr& b) {
  Csr out{.rows = a.rows, .cols = a.cols};
  out.row_ptr.resize(a.rows + 1);
  out.col.reserve(a.col.size());
  out.val.reserve(a.val.size());
  const auto push = [&](NodeId column, float value) {
    out.col.push_back(column);
    out.val.push_back(value);
  };
  for (Index i = 0; i < a.rows; ++i) {
    Index p = a.row_ptr[i], q = b.row_ptr[i];
    const Index p_end = a.row_ptr[i + 1], q_end = b.row_ptr[i + 1];
    while (p < p_end && q < q_end) {
      if (a.col[p] < b.col[q]) {
        push(a.col[p], a.val[p]);
        ++p;
      } else if (a.col[p] > b.col[q]) {
        push(b.col[q], b.val[q]);
        ++q;
      } else {
        push(a.col[p], std::max(a.val[p], b.val[q]));
        ++p, ++q;
      }
    }
    for (; p < p_end; ++p) push(a.col[p], a.val[p]);
    for (; q < q_end; ++q) push(b.col[q], b.val[q]);
    out.row_ptr[i + 1] = out.nnz();
  }
  return out;
}

}  // namespace

Csr undirected(const Csr& A) { return merge_max(A, transpose(A)); }

Csr plus_identity(const Csr& a) {
  Csr out{.rows = a.rows, .cols = a.cols};
  out.row_ptr.resize(a.rows + 1);
  out.col.reserve(a.col.size() + a.rows);
  out.val.reserve(a.val.size() + a.rows);
  for (Index i = 0; i < a.rows; ++i) {
    const auto begin = a.col.begin() + a.row_ptr[i], end = a.col.begin() + a.row_ptr[i + 1];
    const auto at = std::lower_bound(begin, end, static_cast<NodeId>(i));
    const bool loop = at != end && *at == i;
    const Index before = at - begin, split = a.row_ptr[i] + before;
    out.col.insert(out.col.end(), begin, at);
    out.val.insert(out.val.end(), a.val.begin() + a.row_ptr[i], a.val.begin() + split);
    out.col.push_back(static_cast<NodeId>(i));
    out.val.push_back(loop ? a.val[split] + 1.0f : 1.0f);
    out.col.insert(out.col.end(), at + loop, end);
    out.val.insert(out.val.end(), a.val.begin() + split + loop, a.val.begin() + a.row_ptr[i + 1]);
    out.row_ptr[i + 1] = out.nnz();
  }
  return out;
}

Csr adjacency(Index nodes, const Edges& edges, Dup dup) {
  const Csr directed =
      csr_from_triplets(nodes, nodes, edges.source, edges.target, edges.weight, dup);
  for (Index i = 0; i < nodes; ++i) {
    for (Index e = directed.row_ptr[i]; e < directed.row_ptr[i + 1]; ++e) {
      if (!std::isfinite(directed.val[e])) {
        fail(ErrorKind::kData, "edges: the weights from node ", i, " to node ", directed.col[e],
             " add up to ", directed.val[e], ", expected a finite number");
      }
    }
  }
  return undirected(directed);
}

Csr adjacency(const Dataset& data, Dup dup) {
  if (!data.lent_edges) return adjacency(data.nodes, data.edges, dup);
  Csr directed = own_copy(*data.lent_edges);
  if (dup == Dup::kBinary) std::fill(directed.val.begin(), directed.val.end(), 1.0f);
  return undirected(directed);
}

Csr normalized(const Csr& A, Norm norm, std::vector<double>* degrees) {
  check(A.rows == A.cols, "normalized: expected a square matrix, got ", A.rows, "x", A.cols);
  Csr out = plus_identity(A);
  std::vector<double> scale(out.rows);  // D^-1 or D^-1/2
  for (Index i = 0; i < out.rows; ++i) {
    double degree = 0;
    for (const float w : out.row_vals(i)) degree += w;
    if (degrees) degrees->push_back(degree);
    if (degree > 0) scale[i] = norm == Norm::kRw ? 1.0 / degree : 1.0 / std::sqrt(degree);
  }
  for (Index i = 0; i < out.rows; ++i) {
    for (Index e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e) {
      const double s = norm == Norm::kRw ? scale[i] : scale[i] * scale[out.col[e]];
      out.val[e] = static_cast<float>(s * out.val[e]);
    }
  }
  return out;
}

Propagation propagation(const Csr& A, Norm norm, double self) {
  check(self >= 0 && self <= 1, "propagation: self must be from 0 to 1, got ", self);
  Propagation p;
  p.forward = normalized(A, norm, norm == Norm::kSym ? &p.degree : nullptr);
  for (Index i = 0; self > 0 && i < A.rows; ++i) {
    for (Index e = p.forward.row_ptr[i]; e < p.forward.row_ptr[i + 1]; ++e) {
      const double own = p.forward.col[e] == i ? self : 0.0;  // normalized() stores every loop
      p.forward.val[e] = static_cast<float>((1 - self) * p.forward.val[e] + own);
    }
  }
  p.backward = transpose(p.forward);
  return p;
}

}  // namespace scrl
