#include "linear/features.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/panel_product.h"

namespace scrl::linear {
namespace {

constexpr double kNothingNew = 1e-9;
constexpr int kTurns = 3;            // towards principal axes; they need not be exact
constexpr Index kMostTurned = 1024;  // beyond, a turn costs more than it saves
constexpr Index kMostTurnedGram = 512;
constexpr double kNothingLeft = 1e-10;  // of the largest square of a row
constexpr double kShift = 1e-7;         // of the trace: keeps axes without features in the basis

using Doubles = std::vector<double>;

Doubles zeros(Index count) { return Doubles(static_cast<std::size_t>(count)); }

// Eight sums side by side: a fixed order that a compiler may still vectorise.
double dot(const double* a, const double* b, Index n) {
  double sums[8] = {};
  Index i = 0;
  for (; i + 8 <= n; i += 8)
    for (Index s = 0; s < 8; ++s) sums[s] += a[i + s] * b[i + s];
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// A B for A (m,k) as in kernels::panel_product, and B (k,n) with element (l,j) at
// b[l * b_row + j * b_step].
Doubles multiply(const double* a, Index row_step, Index step, Index m, Index k, const double* b,
                 Index b_row, Index b_step, Index n) {
  constexpr Index kPanelWidth = kernels::kDoublePanel;
  Doubles out = zeros(m * n);
  parallel_for(n, kPanelWidth, [&](Index begin, Index end) {
    Doubles panel = zeros(k * kPanelWidth), result = zeros(m * kPanelWidth);
    for (Index l = 0; l < k; ++l)
      for (Index j = begin; j < end; ++j)
        panel[l * kPanelWidth + j - begin] = b[l * b_row + j * b_step];
    kernels::panel_product(a, row_step, step, m, k, panel.data(), result.data());
    for (Index i = 0; i < m; ++i)
      for (Index j = begin; j < end; ++j) out[i * n + j] = result[i * kPanelWidth + j - begin];
  });
  return out;
}

// Orthogonal iteration on x^T x, from its rows by descending diagonal: dims x dims.
Doubles principal_axes(const Doubles& x, Index rows, Index dims) {
  Doubles gram = multiply(x.data(), 1, dims, dims, rows, x.data(), dims, 1, dims);
  double trace = 0;
  for (Index j = 0; j < dims; ++j) trace += gram[j * dims + j];
  for (Index j = 0; j < dims; ++j) gram[j * dims + j] += kShift * trace;
  std::vector<Index> order(static_cast<std::size_t>(dims));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return gram[a * dims + a] > gram[b * dims + b]; });
  Doubles axes = zeros(dims * dims);
  for (Index j = 0; j < dims; ++j)
    std::copy_n(gram.data() + order[j] * dims, dims, axes.data() + j * dims);
  for (int turn = 1;; ++turn) {
    if (orthonormalize(axes, dims, dims) < dims) return {};
    if (turn == kTurns) return axes;
    axes = multiply(axes.data(), dims, 1, dims, dims, gram.data(), dims, 1, dims);
  }
}

}  // namespace

Index orthonormalize(Doubles& a, Index count, Index length) {
  Index kept = 0;
  for (Index i = 0; i < count; ++i) {
    double* row = a.data() + kept * length;
    if (kept != i) std::copy_n(a.data() + i * length, length, row);
    const double before = std::sqrt(dot(row, row, length));
    for (int pass = 0; pass < 2; ++pass) {  // the second removes what rounding left
      for (Index q = 0; q < kept; ++q) {
        const double* other = a.data() + q * length;
        const double along = dot(row, other, length);
        for (Index j = 0; j < length; ++j) row[j] -= along * other[j];
      }
    }
    const double after = std::sqrt(dot(row, row, length));
    if (!(after > kNothingNew * before)) continue;
    for (Index j = 0; j < length; ++j) row[j] /= after;
    ++kept;
  }
  a.resize(static_cast<std::size_t>(kept * length));
  return kept;
}

Doubles gram(const Matrix& Z, double scale) {
  constexpr Index kPanelWidth = kernels::kDoublePanel, kColumns = 512;
  const Index n = Z.rows();
  Doubles out = zeros(n * n), part = zeros(n * kColumns);
  for (Index first = 0; first < Z.cols(); first += kColumns) {
    const Index count = std::min(kColumns, Z.cols() - first);
    parallel_for(n, 64, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index j = 0; j < count; ++j) part[i * kColumns + j] = scale * Z(i, first + j);
    });
    parallel_for(n, kPanelWidth, [&](Index begin, Index end) {  // columns; rows from the diagonal
      Doubles panel = zeros(count * kPanelWidth), sums = zeros((n - begin) * kPanelWidth);
      for (Index l = 0; l < count; ++l)
        for (Index j = begin; j < end; ++j)
          panel[l * kPanelWidth + j - begin] = part[j * kColumns + l];
      kernels::panel_product(part.data() + begin * kColumns, kColumns, 1, n - begin, count,
                             panel.data(), sums.data());
      for (Index i = begin; i < n; ++i)
        for (Index j = begin; j < end; ++j)
          out[i * n + j] += sums[(i - begin) * kPanelWidth + j - begin];
    });
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) out[i * n + j] = out[j * n + i];
  return out;
}

// Cholesky with the largest remaining square as the next pivot.
Coordinates coordinates(Doubles gram, Index rows) {
  Doubles left = zeros(rows), columns;  // column after column of the factor
  for (Index i = 0; i < rows; ++i) {
    left[i] = gram[i * rows + i];
    if (!std::isfinite(left[i]))
      fail(ErrorKind::kDiverged, "logistic head: features are not finite numbers");
  }
  const double largest = rows > 0 ? *std::max_element(left.begin(), left.end()) : 0;
  Index dims = 0;
  for (; dims < rows; ++dims) {
    const Index pivot = std::max_element(left.begin(), left.end()) - left.begin();
    if (!(left[pivot] > kNothingLeft * largest)) break;
    Doubles next(gram.begin() + pivot * rows, gram.begin() + (pivot + 1) * rows);
    for (Index c = 0; c < dims; ++c) {
      const double* column = columns.data() + c * rows;
      const double along = column[pivot];
      for (Index i = 0; i < rows; ++i) next[i] -= along * column[i];
    }
    const double length = std::sqrt(left[pivot]);
    for (Index i = 0; i < rows; ++i) {
      next[i] /= length;
      left[i] -= next[i] * next[i];
    }
    left[pivot] = 0;
    columns.insert(columns.end(), next.begin(), next.end());
  }
  Coordinates out{.dims = dims, .x = zeros(rows * dims)};
  for (Index c = 0; c < dims; ++c)
    for (Index i = 0; i < rows; ++i) out.x[i * dims + c] = columns[c * rows + i];
  if (dims <= kMostTurnedGram) {
    const Doubles axes = principal_axes(out.x, rows, dims);
    if (!axes.empty())
      out.x = multiply(out.x.data(), dims, 1, rows, dims, axes.data(), 1, dims, dims);
  }
  return out;
}

Features make_features(const Matrix& Z, std::span<const NodeId> rows) {
  Features out;
  out.rows = static_cast<Index>(rows.size());
  out.columns = Z.cols() + 1;
  const Index n = out.rows, columns = out.columns;
  Doubles raw = zeros(n * columns);
  for (Index i = 0; i < n; ++i) {
    check(rows[i] >= 0 && rows[i] < Z.rows(), "logistic head: row ", rows[i],
          " of an embedding with ", Z.rows(), " rows");
    for (Index j = 0; j < Z.cols(); ++j) {
      raw[i * columns + j] = Z(rows[i], j);
      if (!std::isfinite(Z(rows[i], j))) {
        fail(ErrorKind::kDiverged, "logistic head: column ", j, " of row ", rows[i],
             " of the embedding is not a finite number; the model that made it has diverged");
      }
    }
    raw[i * columns + Z.cols()] = 1;
  }

  if (n < columns) {
    out.basis = raw;
    out.dims = orthonormalize(out.basis, n, columns);
    out.x = multiply(raw.data(), columns, 1, n, columns, out.basis.data(), 1, columns, out.dims);
  } else {
    out.dims = columns;
    out.basis = zeros(columns * columns);
    for (Index j = 0; j < columns; ++j) out.basis[j * columns + j] = 1;
    out.x = std::move(raw);
  }
  const Index dims = out.dims;
  if (dims <= kMostTurned) {
    const Doubles axes = principal_axes(out.x, n, dims);
    if (!axes.empty()) {
      out.x = multiply(out.x.data(), dims, 1, n, dims, axes.data(), 1, dims, dims);
      out.basis = multiply(axes.data(), dims, 1, dims, dims, out.basis.data(), columns, 1, columns);
    }
  }
  out.squares = zeros(dims);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < dims; ++j) out.squares[j] += out.x[i * dims + j] * out.x[i * dims + j];
  return out;
}

}  // namespace scrl::linear
