// A graph that loses edges in training, and products with it.
//
// The view has the pattern of A without its loops, plus I. In training, entry e of that pattern is
// dropped if element e of the flat array of kernels/dropout.h is; loops always stay. A dropped
// entry remains in the pattern with the value 0.
#include <cmath>

#include "autograd/graph_steps.h"
#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/layers.h"
#include "kernels/products.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;

// The pattern of A + I, all values 1.
Csr with_loops(const Csr& A) {
  Csr out{.rows = A.rows, .cols = A.cols};
  out.row_ptr.reserve(A.row_ptr.size());
  out.col.reserve(A.col.size() + static_cast<std::size_t>(A.rows));
  for (Index i = 0; i < A.rows; ++i) {
    const NodeId self = static_cast<NodeId>(i);
    const std::span<const NodeId> columns = A.row_cols(i);
    std::size_t c = 0;
    for (; c < columns.size() && columns[c] < self; ++c) out.col.push_back(columns[c]);
    out.col.push_back(self);
    for (; c < columns.size(); ++c)
      if (columns[c] != self) out.col.push_back(columns[c]);
    out.row_ptr.push_back(out.nnz());
  }
  out.val.assign(out.col.size(), 1.0f);
  return out;
}

}  // namespace

class EdgeDropView {
 public:
  EdgeDropView(const Csr& A, float p, Precision gathers, std::uint32_t site) : p_(p), site_(site) {
    whole_.gathers = gathers;
    whole_.A = with_loops(A);
    whole_.At = transpose(whole_.A);
    scale_.resize(static_cast<std::size_t>(A.rows));
    normalize(whole_.A.val);
    whole_.transpose_values(whole_.A.val, whole_.At.val);
    if (p == 0.0f) return;
    values_.resize(whole_.A.val.size());
    transposed_.resize(whole_.A.val.size());
  }

  explicit EdgeDropView(SparseOperand rows) : p_(0), site_(0), whole_(std::move(rows)) {}

  Index nodes() const { return whole_.A.rows; }
  float rate() const { return p_; }
  const SparseOperand& whole() const { return whole_; }  // nothing dropped

  void multiply(const Pass& pass, const Matrix& X, const Matrix* known, Matrix& out) {
    if (whole_.of_new_nodes) return scrl::multiply(whole_, X, known, out, false);
    kernels::spmm(whole_.A, values(pass), X, out, false, whole_.gathers);
  }
  void multiply_transposed(const Pass& pass, const Matrix& X, Matrix& out, bool add) {
    kernels::spmm(whole_.At, transposed(pass), X, out, add, whole_.gathers);
  }

 private:
  bool dropping(const Pass& pass) const { return pass.training && p_ > 0.0f; }

  const std::vector<float>& values(const Pass& pass) {
    if (!dropping(pass)) return whole_.A.val;
    if (drawn_ && pass.epoch == epoch_ && pass.seed == seed_) return values_;
    std::fill(values_.begin(), values_.end(), 1.0f);
    kernels::dropout(values_, p_, Rng(pass.seed, Purpose::kDropout, site_, pass.epoch), values_);
    normalize(values_);
    drawn_ = true, transposed_drawn_ = false;
    epoch_ = pass.epoch, seed_ = pass.seed;
    return values_;
  }

  const std::vector<float>& transposed(const Pass& pass) {
    if (!dropping(pass)) return whole_.At.val;
    const std::vector<float>& now = values(pass);
    if (!transposed_drawn_) whole_.transpose_values(now, transposed_);
    transposed_drawn_ = true;
    return transposed_;
  }

  // From 0 where dropped, else not, to the values of D^-1/2 (kept + I) D^-1/2.
  void normalize(std::vector<float>& v) {
    const Csr& A = whole_.A;
    parallel_for(A.rows, kRowsPerChunk, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        Index degree = 0;
        for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
          degree += A.col[e] == i || v[e] != 0.0f;
        scale_[i] = 1.0 / std::sqrt(static_cast<double>(degree));
      }
    });
    parallel_for(A.rows, kRowsPerChunk, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
          if (A.col[e] == i || v[e] != 0.0f)
            v[e] = static_cast<float>(scale_[i] * scale_[A.col[e]]);
    });
  }

  float p_;
  std::uint32_t site_;
  SparseOperand whole_;
  std::vector<double> scale_;  // D^-1/2
  std::vector<float> values_, transposed_;
  bool drawn_ = false, transposed_drawn_ = false;  // for epoch_ and seed_
  std::uint32_t epoch_ = 0;
  std::uint64_t seed_ = 0;
};

std::shared_ptr<EdgeDropView> edge_drop_view(Tape& tape, const Csr& A, float p, Precision gathers) {
  check(A.rows == A.cols, "edge_drop_view: expected a square matrix, got ", A.rows, "x", A.cols);
  check(p >= 0.0f && p < 1.0f, "edge_drop_view: dropout rate must be in [0, 1), got ", p);
  return std::make_shared<EdgeDropView>(A, p, gathers, p > 0.0f ? tape.new_dropout_site() : 0);
}

std::shared_ptr<EdgeDropView> edge_drop_view(SparseOperand rows) {
  return std::make_shared<EdgeDropView>(std::move(rows));
}

Var spmm(const std::shared_ptr<EdgeDropView>& view, Var X) {
  const Index n = view->nodes();
  check(X.rows() == n, "edge_drop_spmm: the view is ", n, "x", n, ", so X must have ", n,
        " rows, got ", X.rows(), "x", X.cols());
  const double entries = static_cast<double>(view->whole().A.nnz());
  const double width = static_cast<double>(X.cols());
  const bool random = view->rate() > 0.0f;
  const Var out = X.tape().record(
      "edge_drop_spmm", {X}, n, X.cols(),
      [view, X](const Pass& pass, Matrix& to) { view->multiply(pass, X.value(), X.known(), to); },
      [view, X](const Pass& pass, const Matrix&, const Matrix& dout) {
        auto [dX, add] = X.sink();
        view->multiply_transposed(pass, dout, dX, add);
      },
      random);
  Node& node = *out.node();
  node.forward_cost.flops = 2 * entries * width;
  node.forward_cost.streamed += entries * (sizeof(float) + sizeof(NodeId));
  node.forward_cost.gathered = entries * width * gathered_bytes(view->whole().gathers);
  node.backward_cost = node.forward_cost;
  node.sparse.operand = &view->whole();
  return out;
}

}  // namespace scrl
