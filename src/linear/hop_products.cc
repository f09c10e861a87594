#include "linear/hop_products.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "kernels/products.h"

namespace scrl::linear {
namespace {

constexpr Index kWidth = kernels::kDoublePanel;

Index place(Index count, Index row, Index column) {
  return (column / kWidth * count + row) * kWidth + column % kWidth;
}

// A sum of sparse rows, with the columns that it has so far in the order of their first entry.
class SparseSum {
 public:
  explicit SparseSum(Index columns)
      : values_(static_cast<std::size_t>(columns)), has_(static_cast<std::size_t>(columns)) {}
  void add(double factor, const Csr& rows, Index row) {
    for (Index e = rows.row_ptr[row]; e < rows.row_ptr[row + 1]; ++e) {
      const NodeId j = rows.col[e];
      add(j, factor * rows.val[e]);
    }
  }
  void add(NodeId j, double value) {
    if (!has_[j]) has_[j] = 1, columns_.push_back(j);
    values_[j] += value;
  }
  template <class Use>
  void take(const Use& use) {  // use(column, value) for each; it is empty afterwards
    for (const NodeId j : columns_) {
      use(j, values_[j]);
      values_[j] = 0, has_[j] = 0;
    }
    columns_.clear();
  }

 private:
  Doubles values_;
  std::vector<std::uint8_t> has_;
  std::vector<NodeId> columns_;
};

}  // namespace

Matrix hop_rows(const HopGraph& graph, std::span<const NodeId> nodes, int hop) {
  constexpr Index kGrain = 16;
  Matrix out(static_cast<Index>(nodes.size()), graph.X->cols);
  parallel_for(out.rows(), kGrain, [&](Index begin, Index end) {
    SparseSum here(graph.X->rows), next(graph.X->rows), row(graph.X->cols);
    for (Index i = begin; i < end; ++i) {
      here.add(nodes[i], 1.0);
      for (int k = 0; k < hop; ++k) {
        here.take([&](NodeId j, double weight) { next.add(weight, *graph.A, j); });
        std::swap(here, next);
      }
      here.take([&](NodeId j, double weight) { row.add(weight, *graph.X, j); });
      row.take([&](NodeId j, double value) { out(i, j) = static_cast<float>(value); });
    }
  });
  return out;
}

double hop_scale(const Matrix& rows) {
  double sum = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.cols(); ++j) sum += double{rows(i, j)} * rows(i, j);
  return sum > 0 ? std::sqrt(static_cast<double>(rows.rows()) / sum) : 1;
}

HopProducts::HopProducts(const HopGraph& graph, std::span<const NodeId> nodes,
                         std::vector<double> scales)
    : graph_(graph),
      nodes_(nodes.begin(), nodes.end()),
      scales_(std::move(scales)),
      squares_(static_cast<std::size_t>(dims())) {
  const Index d = graph.X->cols;
  double total = 0;
  for (Index e = 0; e < graph.X->nnz(); ++e) {
    const double square = double{graph.X->val[e]} * graph.X->val[e];
    squares_[graph.X->col[e]] += square;
    total += square;
  }
  const double share = total > 0 ? static_cast<double>(rows()) / total : 0;  // rows of length 1
  for (Index j = 0; j < d; ++j) squares_[j] *= share;
  for (Index k = 1; k < hops(); ++k) std::copy_n(squares_.begin(), d, squares_.begin() + k * d);
  squares_[dims() - 1] = static_cast<double>(rows());
}

void HopProducts::multiply(const Doubles& v, Doubles& u) const {
  const Index d = graph_.X->cols, columns = static_cast<Index>(v.size()) / dims();
  Matrix V(d, columns), H(graph_.X->rows, columns), next(graph_.X->rows, columns);
  for (Index k = hops() - 1; k >= 0; --k) {
    parallel_for(d, 256, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        for (Index c = 0; c < columns; ++c)
          V(j, c) = static_cast<float>(scales_[k] * v[place(dims(), k * d + j, c)]);
    });
    kernels::spmm(*graph_.X, V, next, false, graph_.gathers);
    if (k + 1 < hops()) kernels::spmm(*graph_.A, H, next, true, graph_.gathers);
    std::swap(H, next);
  }
  for (Index i = 0; i < rows(); ++i)
    for (Index c = 0; c < columns; ++c)
      u[place(rows(), i, c)] = H(nodes_[i], c) + v[place(dims(), dims() - 1, c)];
}

void HopProducts::add_transposed(const Doubles& u, Doubles& v) const {
  const Index d = graph_.X->cols, columns = static_cast<Index>(v.size()) / dims();
  Matrix V(d, columns), H(graph_.X->rows, columns), next(graph_.X->rows, columns);
  for (Index i = 0; i < rows(); ++i) {
    for (Index c = 0; c < columns; ++c) {
      H(nodes_[i], c) += static_cast<float>(u[place(rows(), i, c)]);
      v[place(dims(), dims() - 1, c)] += u[place(rows(), i, c)];
    }
  }
  for (Index k = 0; k < hops(); ++k) {
    if (k > 0) {
      kernels::spmm(*graph_.At, H, next, false, graph_.gathers);
      std::swap(H, next);
    }
    kernels::spmm(*graph_.Xt, H, V, false, graph_.gathers);
    parallel_for(d, 256, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        for (Index c = 0; c < columns; ++c) v[place(dims(), k * d + j, c)] += scales_[k] * V(j, c);
    });
  }
}

}  // namespace scrl::linear
