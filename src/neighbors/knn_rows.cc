#include "neighbors/knn_rows.h"

#include <algorithm>

namespace scrl::knn {

Rows prepare(const CsrView& from) {
  Rows rows{.x = own_copy(from)};
  const Csr& X = rows.x;
  rows.squares.resize(X.rows);
  rows.inverse_norm.resize(X.rows);
  rows.ones = true;
  for (Index i = 0; i < X.rows; ++i) {
    float largest = 0;
    for (const float v : X.row_vals(i)) largest = std::max(largest, std::abs(v));
    if (largest == 0) {
      rows.ones &= X.row_nnz(i) == 0;
      continue;
    }
    const int exponent = std::ilogb(largest);
    double squares = 0;
    for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e) {
      const float v = std::scalbn(X.val[e], -exponent);
      rows.x.val[e] = v;
      rows.ones &= v == 1;
      squares += static_cast<double>(v) * v;
    }
    rows.ones &= squares < std::numeric_limits<std::int16_t>::max();
    rows.squares[i] = squares;
    rows.inverse_norm[i] = static_cast<float>(1 / std::sqrt(squares));
  }
  return rows;
}

Rows reordered(const Rows& rows, std::span<const NodeId> order) {
  Rows out{.x = {.rows = static_cast<Index>(order.size()), .cols = rows.x.cols},
           .ones = rows.ones,
           .name = {order.begin(), order.end()}};
  out.x.row_ptr.reserve(order.size() + 1);
  for (const NodeId i : order) {
    out.x.row_ptr.push_back(out.x.row_ptr.back() + rows.x.row_nnz(i));
    out.squares.push_back(rows.squares[i]);
    out.inverse_norm.push_back(rows.inverse_norm[i]);
  }
  out.x.col.reserve(static_cast<std::size_t>(out.x.row_ptr.back()));
  out.x.val.reserve(out.x.col.capacity());
  for (const NodeId i : order) {
    const auto columns = rows.x.row_cols(i);
    const auto values = rows.x.row_vals(i);
    out.x.col.insert(out.x.col.end(), columns.begin(), columns.end());
    out.x.val.insert(out.x.val.end(), values.begin(), values.end());
  }
  return out;
}

}  // namespace scrl::knn
