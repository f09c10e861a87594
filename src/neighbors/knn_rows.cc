#include "neighbors/knn_rows.h"

#include <algorithm>

namespace scrl::knn {

Rows prepare(const CsrView& from) {
  Rows rows{.x = own_copy(from)};
  const Csr& X = rows.x;
  rows.squares.resize(X.rows);
  rows.inverse_norm.resize(X.rows);
  for (Index i = 0; i < X.rows; ++i) {
    float largest = 0;
    for (const float v : X.row_vals(i)) largest = std::max(largest, std::abs(v));
    if (largest == 0) continue;
    const int exponent = std::ilogb(largest);
    double squares = 0;
    for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e) {
      const float v = std::scalbn(X.val[e], -exponent);
      rows.x.val[e] = v;
      squares += static_cast<double>(v) * v;
    }
    rows.squares[i] = squares;
    rows.inverse_norm[i] = static_cast<float>(1 / std::sqrt(squares));
  }
  return rows;
}

Rows subset(const Rows& rows, std::span<const NodeId> members) {
  Rows out{.x = {.rows = static_cast<Index>(members.size())}};
  out.name.assign(members.begin(), members.end());
  std::vector<NodeId> column(static_cast<std::size_t>(rows.x.cols));  // used?, then its new number
  Index stored = 0;
  for (const NodeId i : members) {
    for (const NodeId c : rows.x.row_cols(i)) column[c] = 1;
    stored += rows.x.row_nnz(i);
  }
  for (NodeId& c : column) {
    const NodeId used = c;
    c = static_cast<NodeId>(out.x.cols);
    out.x.cols += used;
  }
  out.x.row_ptr.reserve(members.size() + 1);
  out.x.col.reserve(stored);
  out.x.val.reserve(stored);
  for (const NodeId i : members) {
    for (const NodeId c : rows.x.row_cols(i)) out.x.col.push_back(column[c]);
    const auto values = rows.x.row_vals(i);
    out.x.val.insert(out.x.val.end(), values.begin(), values.end());
    out.x.row_ptr.push_back(out.x.nnz());
    out.squares.push_back(rows.squares[i]);
    out.inverse_norm.push_back(rows.inverse_norm[i]);
  }
  return out;
}

}  // namespace scrl::knn
