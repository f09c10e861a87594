#include "tensor/csr.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace scrl {

Csr transpose(const Csr& a) {
  Csr t{.rows = a.cols, .cols = a.rows};
  t.row_ptr.assign(a.cols + 1, 0);
  for (const NodeId c : a.col) ++t.row_ptr[c + 1];
  std::partial_sum(t.row_ptr.begin(), t.row_ptr.end(), t.row_ptr.begin());
  t.col.resize(a.col.size());
  t.val.resize(a.val.size());
  std::vector<Index> at(t.row_ptr.begin(), t.row_ptr.end() - 1);
  for (Index i = 0; i < a.rows; ++i) {
    for (Index e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
      const Index to = at[a.col[e]]++;
      t.col[to] = static_cast<NodeId>(i);
      t.val[to] = a.val[e];
    }
  }
  return t;
}

std::vector<Index> transpose_positions(const Csr& a, const Csr& at) {
  std::vector<Index> from(a.col.size()), next(at.row_ptr.begin(), at.row_ptr.end() - 1);
  for (Index i = 0; i < a.rows; ++i)
    for (Index e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) from[next[a.col[e]]++] = e;
  return from;
}

// Two transposes sort by (row, column) in linear time: the first bucket pass orders by column, the
// second, being stable, by row. Equal cells then lie side by side.
Csr csr_from_triplets(Index rows, Index cols, std::span<const NodeId> row,
                      std::span<const NodeId> column, std::span<const float> value, Dup dup) {
  const Index n = static_cast<Index>(row.size());
  Csr by_column{.rows = cols, .cols = rows};
  by_column.row_ptr.assign(cols + 1, 0);
  for (const NodeId c : column) ++by_column.row_ptr[c + 1];
  std::partial_sum(by_column.row_ptr.begin(), by_column.row_ptr.end(), by_column.row_ptr.begin());
  by_column.col.resize(n);
  by_column.val.resize(n);
  std::vector<Index> at(by_column.row_ptr.begin(), by_column.row_ptr.end() - 1);
  for (Index e = 0; e < n; ++e) {
    const Index to = at[column[e]]++;
    by_column.col[to] = row[e];
    by_column.val[to] = value.empty() ? 1.0f : value[e];
  }
  Csr out = transpose(by_column);
  Index kept = 0;
  for (Index i = 0; i < rows; ++i) {
    const Index begin = out.row_ptr[i], end = out.row_ptr[i + 1];
    out.row_ptr[i] = kept;
    for (Index e = begin; e < end; ++e) {
      if (kept > out.row_ptr[i] && out.col[kept - 1] == out.col[e]) {
        out.val[kept - 1] += out.val[e];
      } else {
        out.col[kept] = out.col[e];
        out.val[kept++] = out.val[e];
      }
    }
  }
  out.row_ptr[rows] = kept;
  out.col.resize(kept);
  out.val.resize(kept);
  if (dup == Dup::kBinary) std::fill(out.val.begin(), out.val.end(), 1.0f);
  return out;
}

Csr unit_rows(const Csr& X) {
  Csr out = X;
  for (Index i = 0; i < X.rows; ++i) {
    double square = 0;
    for (const float v : X.row_vals(i)) square += double{v} * v;
    const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
    for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e)
      out.val[e] = static_cast<float>(out.val[e] * factor);
  }
  return out;
}

void validate(const Csr& a, const char* what) {
  const auto require = [&](bool ok, const auto&... parts) {
    if (!ok) fail(ErrorKind::kData, what, ": ", parts...);
  };
  require(a.rows >= 0 && a.rows <= kMaxNodes && a.cols >= 0 && a.cols <= kMaxNodes, "size ", a.rows,
          "x", a.cols, " out of range");
  require(static_cast<Index>(a.row_ptr.size()) == a.rows + 1, "expected ", a.rows + 1,
          " row offsets, found ", a.row_ptr.size());
  require(a.row_ptr.front() == 0 && a.row_ptr.back() == a.nnz() && a.val.size() == a.col.size(),
          "row offsets, columns and values disagree in number");
  for (Index i = 0; i < a.rows; ++i) {
    require(a.row_ptr[i] <= a.row_ptr[i + 1] && a.row_ptr[i + 1] <= a.nnz(),
            "row offsets are not ascending at row ", i);
    for (Index e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
      require(a.col[e] >= 0 && a.col[e] < a.cols, "row ", i, ": column ", a.col[e],
              " out of range, expected 0..", a.cols - 1);
      require(e == a.row_ptr[i] || a.col[e - 1] < a.col[e], "row ", i,
              ": columns are not ascending and distinct");
      require(std::isfinite(a.val[e]), "row ", i, ": expected a finite value, found ", a.val[e]);
    }
  }
}

}  // namespace scrl
