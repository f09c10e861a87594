// Products in which the row decides about the matrix; formulas in kernels.h.
//
// Rows of a group are brought together, multiplied as one small product (gemm_plan.h), and put
// back. Many groups have a single row and a few have hundreds: forward cuts large groups into
// chunks, the gradient of the matrices begins with the largest group.
#include "kernels/grouped_gemm.h"

#include <algorithm>
#include <numeric>

#include "kernels/entry.h"
#include "kernels/gemm_plan.h"
#include "kernels/products.h"

namespace scrl::kernels {
namespace {

constexpr Index kChunkRows = 84;  // a multiple of the rows of a register block, 14 or 6
constexpr Index kChunksPerTask = 4;
struct LeftRows;
struct RightRows;
struct Results;

// The given rows of x, one below the other.
template <class Tag>
const float* together(const Matrix& x, std::span<const NodeId> rows) {
  float* const out = scratch<float, Tag>(static_cast<Index>(rows.size()) * x.stride());
  float* to = out;
  for (const NodeId i : rows) to = std::copy_n(x.row(i), x.stride(), to);
  return out;
}

void check_groups(const char* kernel, const RowGroups& g, const Matrix& x, const Matrix& W) {
  check(g.node_count == x.rows(), kernel, ": groups are of ", g.node_count, " rows, got ", x.rows(),
        "x", x.cols());
  check(g.count() > 0 && W.rows() % g.count() == 0, kernel, ": W must hold ", g.count(),
        " matrices of equal height, got ", W.rows(), "x", W.cols());
}

}  // namespace

RowGroups row_groups(std::span<const std::int32_t> group_of_row, Index groups) {
  RowGroups out;
  out.node_count = static_cast<Index>(group_of_row.size());
  out.first.assign(static_cast<std::size_t>(groups + 1), 0);
  for (const std::int32_t g : group_of_row) {
    check(g >= -1 && g < groups, "row_groups: group ", g, " is not one of -1 to ", groups - 1);
    if (g >= 0) ++out.first[g + 1];
  }
  std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
  out.rows.resize(static_cast<std::size_t>(out.first.back()));
  std::vector<Index> next(out.first.begin(), out.first.end() - 1);
  for (Index i = 0; i < out.node_count; ++i) {
    const std::int32_t g = group_of_row[i];
    (g < 0 ? out.outside.emplace_back() : out.rows[next[g]++]) = static_cast<NodeId>(i);
  }
  for (Index g = 0; g < groups; ++g) {
    for (Index at = out.first[g]; at < out.first[g + 1]; at += kChunkRows)
      out.chunks.push_back({g, at, std::min(at + kChunkRows, out.first[g + 1])});
  }
  out.by_size.resize(static_cast<std::size_t>(groups));
  std::iota(out.by_size.begin(), out.by_size.end(), Index{0});
  std::stable_sort(out.by_size.begin(), out.by_size.end(),
                   [&](Index a, Index b) { return out.members(a).size() > out.members(b).size(); });
  return out;
}

void grouped_gemm(const RowGroups& groups, const Matrix& x, Op tw, const Matrix& W, Matrix& out,
                  bool accumulate) {
  check_groups("grouped_gemm", groups, x, W);
  const Index height = W.rows() / groups.count();
  const Index k = tw == Op::kN ? height : W.cols(), n = tw == Op::kN ? W.cols() : height;
  check(x.cols() == k && out.rows() == x.rows() && out.cols() == n, "grouped_gemm: x is ", x.rows(),
        "x", x.cols(), " and a matrix of W, as used, ", k, "x", n, ", so out must be ", x.rows(),
        "x", n, " and x have ", k, " columns, got ", out.rows(), "x", out.cols());
  check(&x != &out, "grouped_gemm: x and out must be two matrices");
  if (!accumulate)
    for (const NodeId i : groups.outside) std::fill_n(out.row(i), out.stride(), 0.0f);
  if (k == 0 || n == 0) return;
  parallel_for(static_cast<Index>(groups.chunks.size()), kChunksPerTask, [&](Index b, Index e) {
    for (Index c = b; c < e; ++c) {
      const auto& chunk = groups.chunks[c];
      const auto rows = std::span(groups.rows).subspan(chunk.begin, chunk.end - chunk.begin);
      const Index ld = out.stride();
      float* const result = scratch<float, Results>(kChunkRows * ld);
      gemm_block({together<LeftRows>(x, rows), x.stride(), false},
                 {W.row(chunk.group * height), W.stride(), tw == Op::kT},
                 static_cast<Index>(rows.size()), n, k, result, ld, /*accumulate=*/false);
      const float* from = result;
      for (const NodeId i : rows) {
        float* const to = out.row(i);
        for (Index j = 0; j < n; ++j) to[j] = (accumulate ? to[j] : 0.0f) + from[j];
        from += ld;
      }
    }
  });
}

void grouped_gemm_gradient(const RowGroups& groups, const Matrix& x, const Matrix& dout, Matrix& dW,
                           bool accumulate) {
  check_groups("grouped_gemm_gradient", groups, x, dW);
  const Index height = dW.rows() / groups.count();
  check(x.cols() == height && dout.rows() == x.rows() && dout.cols() == dW.cols(),
        "grouped_gemm_gradient: x is ", x.rows(), "x", x.cols(), " and dout ", dout.rows(), "x",
        dout.cols(), ", so dW must hold ", x.cols(), "x", dout.cols(), " matrices, got ", height,
        "x", dW.cols());
  if (dW.size() == 0) return;
  parallel_for(groups.count(), 1, [&](Index number, Index) {
    const Index g = groups.by_size[number];
    const std::span<const NodeId> rows = groups.members(g);
    float* const to = dW.row(g * height);
    if (rows.empty()) {
      if (!accumulate) std::fill_n(to, height * dW.stride(), 0.0f);
      return;
    }
    gemm_block({together<LeftRows>(x, rows), x.stride(), true},
               {together<RightRows>(dout, rows), dout.stride(), false}, height, dW.cols(),
               static_cast<Index>(rows.size()), to, dW.stride(), accumulate);
  });
}

}  // namespace scrl::kernels
