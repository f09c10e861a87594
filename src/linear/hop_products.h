// linear/hop_products.h: the rows [s_0 X, s_1 A X, ..., s_K A^K X, 1] of some nodes. Internal to
// src/linear.
//
// They are as wide as K + 1 copies of X and nearly dense. Products with them need none of them:
//   X v_0 + A (X v_1 + A (X v_2 + ...)), each v_k scaled by s_k,
// costs as much as K products with the graph and K + 1 with the features, and memory for nodes
// times columns of v. Where rows themselves are needed, for few nodes, they are summed one by one.
#pragma once
#include <span>
#include <vector>

#include "linear/softmax_newton.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl::linear {

// Features and an operator on the nodes, each with its transpose. REQUIRES: they outlive the user.
struct HopGraph {
  const Csr *X = nullptr, *Xt = nullptr;
  const Csr *A = nullptr, *At = nullptr;  // null: hop 0 is all there is
  Precision gathers = Precision::kFloat32;
};

// Rows of A^hop X, one for each of `nodes`.
Matrix hop_rows(const HopGraph& graph, std::span<const NodeId> nodes, int hop);

// 1 over the root mean square of the lengths of these rows; 1 if all are 0.
double hop_scale(const Matrix& rows);

class HopProducts : public RowProducts {
 public:
  // One scale for each hop from 0 on.
  HopProducts(const HopGraph& graph, std::span<const NodeId> nodes, std::vector<double> scales);
  Index rows() const override { return static_cast<Index>(nodes_.size()); }
  Index dims() const override { return hops() * graph_.X->cols + 1; }
  void multiply(const Doubles& v, Doubles& u) const override;
  void add_transposed(const Doubles& u, Doubles& v) const override;
  // Roughly: as if the features were spread over these nodes as over all.
  const Doubles& squares() const override { return squares_; }
  const std::vector<double>& scales() const { return scales_; }

 private:
  Index hops() const { return static_cast<Index>(scales_.size()); }

  HopGraph graph_;
  std::vector<NodeId> nodes_;
  std::vector<double> scales_;
  Doubles squares_;
};

}  // namespace scrl::linear
