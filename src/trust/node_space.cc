#include "trust/node_space.h"

#include <algorithm>

#include "base/rng.h"
#include "graph/adjacency.h"
#include "kernels/products.h"
#include "kernels/rows.h"
#include "neighbors/lsa.h"

namespace scrl {
namespace {

constexpr Index kRank = 48;
constexpr std::uint32_t kDirections = 1;  // stream of random directions

Matrix reduced_features(const Dataset& data, std::uint64_t seed) {
  if (data.features.nnz() == 0) {
    Matrix out(data.nodes, kRank);
    const Rng rng(seed, Purpose::kClusters, kDirections);
    for (Index i = 0; i < out.rows(); ++i)
      for (Index j = 0; j < kRank; ++j)
        out(i, j) = rng.uniform_at(static_cast<std::uint64_t>(i * kRank + j)) - 0.5f;
    return out;
  }
  const Csr rows = lsa_rows(data.features, kRank);
  Matrix out(data.nodes, rows.cols);
  for (Index i = 0; i < rows.rows; ++i)
    for (Index e = rows.row_ptr[i]; e < rows.row_ptr[i + 1]; ++e) out(i, rows.col[e]) = rows.val[e];
  return out;
}

void append_unit_rows(const Matrix& x, Matrix& out, Index first) {
  Matrix unit(x.rows(), x.cols());
  std::vector<float> norms;
  kernels::l2_normalize_rows(x, unit, norms);
  for (Index i = 0; i < x.rows(); ++i) std::copy_n(unit.row(i), x.cols(), out.row(i) + first);
}

}  // namespace

Matrix node_space(const Dataset& data, std::uint64_t seed) {
  const Csr P = normalized(adjacency(data.nodes, data.edges, Dup::kBinary), Norm::kRw);
  Matrix x = reduced_features(data, seed), next(x.rows(), x.cols());
  Matrix out(x.rows(), 3 * x.cols());
  for (Index hop = 0;; ++hop) {
    append_unit_rows(x, out, hop * x.cols());
    if (hop == 2) break;
    kernels::spmm(P, x, next);
    std::swap(x, next);
  }
  std::vector<float> norms;
  Matrix unit(out.rows(), out.cols());
  kernels::l2_normalize_rows(out, unit, norms);
  return unit;
}

}  // namespace scrl
