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

void validate(const CsrView& a, const char* what) {
  const auto require = [&](bool ok, const auto&... parts) {
    if (!ok) fail(ErrorKind::kData, what, ": ", parts...);
  };
  const Index nnz = a.nnz();
  require(a.rows >= 0 && a.rows <= kMaxNodes && a.cols >= 0 && a.cols <= kMaxNodes, "size ", a.rows,
          "x", a.cols, " out of range");
  require(static_cast<Index>(a.row_ptr.size()) == a.rows + 1, "expected ", a.rows + 1,
          " row offsets, found ", a.row_ptr.size());
  require(a.row_ptr[0] == 0 && a.row_ptr[static_cast<std::size_t>(a.rows)] == nnz &&
              a.col.size() == a.val.size(),
          "row offsets, columns and values disagree in number");
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
    const Index begin = a.row_ptr[i], end = a.row_ptr[i + 1];
    require(begin <= end && end <= nnz, "row offsets are not ascending at row ", i);
    Index before = -1;
    for (std::size_t e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
      const Index column = a.col[e];
      require(column >= 0 && column < a.cols, "row ", i, ": column ", column,
              " out of range, expected 0..", a.cols - 1);
      require(before < column, "row ", i, ": columns are not ascending and distinct");
      require(std::isfinite(a.val[e]), "row ", i, ": expected a finite value, found ", a.val[e]);
      before = column;
    }
  }
}

Csr own_copy(const CsrView& a) {
  Csr out{.rows = a.rows, .cols = a.cols};
  out.row_ptr.resize(a.row_ptr.size());
  for (std::size_t i = 0; i < a.row_ptr.size(); ++i) out.row_ptr[i] = a.row_ptr[i];
  out.col.resize(a.col.size());
  for (std::size_t e = 0; e < a.col.size(); ++e) out.col[e] = static_cast<NodeId>(a.col[e]);
  out.val.assign(a.val.begin(), a.val.end());
  return out;
}

}  // namespace scrl
