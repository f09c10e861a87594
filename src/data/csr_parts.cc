#include "data/csr_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "data/credible.h"

namespace scrl {
namespace {

void check_parts(const CsrParts& parts, const std::string& name) {
  const auto require = [&](bool ok, const auto&... what) {
    if (!ok) fail(ErrorKind::kData, name, ": ", what...);
  };
  const Index entries = static_cast<Index>(parts.indices.size());
  const Index offsets = static_cast<Index>(parts.indptr.size());
  require(parts.rows >= 0 && parts.rows <= kMaxNodes && parts.cols >= 0 && parts.cols <= kMaxNodes,
          "shape: ", parts.rows, "x", parts.cols, " is out of range");
  require(offsets == parts.rows + 1, "indptr: expected ", parts.rows + 1, " offsets, found ",
          offsets);
  require(static_cast<Index>(parts.data.size()) == entries, "data: expected ", entries,
          " values like indices, found ", parts.data.size());
  require(parts.indptr.front() == 0 && parts.indptr.back() == entries,
          "indptr: expected to run from 0 to ", entries, ", found ", parts.indptr.front(), " to ",
          parts.indptr.back());
  require(std::is_sorted(parts.indptr.begin(), parts.indptr.end()),
          "indptr: expected ascending offsets");
  check_credible(parts.cols, "columns", entries, name);
}

}  // namespace

Csr csr_from_parts(CsrParts parts, const std::string& name) {
  check_parts(parts, name);
  Csr out{.rows = parts.rows, .cols = parts.cols};
  out.row_ptr.resize(parts.rows + 1);
  out.col.reserve(parts.indices.size());
  out.val.reserve(parts.indices.size());
  std::vector<std::pair<Index, float>> row;
  for (Index i = 0; i < parts.rows; ++i) {
    row.clear();
    for (Index e = parts.indptr[i]; e < parts.indptr[i + 1]; ++e) {
      row.emplace_back(parts.indices[e], parts.data[e]);
    }
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t e = 0; e < row.size();) {
      const Index column = row[e].first;
      if (column < 0 || column >= parts.cols) {
        fail(ErrorKind::kData, name, ": row ", i, ": column ", column,
             " out of range, expected 0..", parts.cols - 1);
      }
      float sum = 0;
      for (; e < row.size() && row[e].first == column; ++e) sum += row[e].second;
      if (!std::isfinite(sum)) {
        fail(ErrorKind::kData, name, ": row ", i, ": expected a finite value, found ", sum);
      }
      if (sum == 0) continue;
      out.col.push_back(static_cast<NodeId>(column));
      out.val.push_back(sum);
    }
    out.row_ptr[i + 1] = out.nnz();
  }
  return out;
}

}  // namespace scrl
