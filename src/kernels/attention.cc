// Graph attention over the entries of a sparse pattern: shapes and threads. Formulas in kernels.h,
// the arithmetic in attention_rows.cc.
#include "kernels/attention.h"

#include <algorithm>
#include <bit>

#include "kernels/attention_rows.h"
#include "kernels/entry.h"

namespace scrl::kernels {
namespace {

constexpr Index kEntriesPerChunk = 2048;
struct Gathered;
struct Upstream;

Index rows_per_chunk(const Csr& A) {
  return std::max<Index>(1, kEntriesPerChunk * A.rows / std::max<Index>(1, A.nnz() + A.rows));
}

// Rows of x feature by feature, as the bodies want them; x itself where the two are the same.
template <class Tag>
const float* by_feature(const Matrix& x, const AttentionTask& a) {
  if (a.heads == 1 || a.features == 1) return x.row(0);
  float* const out = scratch<float, Tag>(x.rows() * a.length);
  parallel_for(x.rows(), row_grain(x), [&](Index begin, Index end) {
    std::fill(out + begin * a.length, out + end * a.length, 0.0f);
    for (Index i = begin; i < end; ++i) {
      const float* from = x.row(i);
      float* const to = out + i * a.length;
      for (Index k = 0; k < a.heads; ++k) {
        for (Index c = 0; c < a.features; ++c, ++from) to[c * a.slots + k] = *from;
      }
    }
  });
  return out;
}

AttentionTask checked_task(const Csr& A, const Matrix& s, const Matrix& t, const Matrix& g,
                           std::size_t weights) {
  const Index heads = s.cols();
  check(heads > 0 && g.cols() % heads == 0, "attention: g has ", g.cols(),
        " columns, which must be a multiple of the heads, the columns of s, got ", heads);
  check(s.rows() == A.rows && t.rows() == A.cols && g.rows() == A.cols && t.cols() == heads,
        "attention: A is ", A.rows, "x", A.cols, ", so s must be ", A.rows, "x", heads, ", t ",
        A.cols, "x", heads, " and g must have ", A.cols, " rows, got ", s.rows(), "x", s.cols(),
        ", ", t.rows(), "x", t.cols(), " and ", g.rows(), "x", g.cols());
  check(static_cast<Index>(weights) == attention_floats(A, heads), "attention: ", A.nnz(),
        " entries and ", heads, " heads need ", attention_floats(A, heads), " weights, got ",
        weights);
  AttentionTask task{};
  task.A = &A, task.s = &s, task.t = &t;
  task.heads = heads, task.features = g.cols() / heads, task.slots = attention_slots(heads);
  task.length = (task.slots * task.features + kLane - 1) / kLane * kLane;
  task.rate = {0, 1.0f};
  return task;
}

}  // namespace

Index attention_slots(Index heads) {
  if (heads > kLane) return (heads + kLane - 1) / kLane * kLane;
  return static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(heads)));
}

Index attention_floats(const Csr& A, Index heads) {
  return A.nnz() * attention_slots(heads) + kLane;
}

void attention(const Csr& A, const Matrix& s, const Matrix& t, const Matrix& g, float p,
               const Rng* rng, std::span<float> weights, Matrix& out) {
  AttentionTask task = checked_task(A, s, t, g, weights.size());
  check(out.rows() == A.rows && out.cols() == g.cols(), "attention: out must be ", A.rows, "x",
        g.cols(), ", got ", out.rows(), "x", out.cols());
  if (g.cols() == 0 || A.rows == 0) return;
  if (rng) task.rng = rng, task.rate = dropout_rate(p);
  task.x = by_feature<Gathered>(g, task);
  task.weights = weights.data(), task.out = &out;
  parallel_for(A.rows, rows_per_chunk(A),
               [&](Index begin, Index end) { attention_rows(task, begin, end); });
}

void attention_backward(const Csr& A, const Csr& At, std::span<const Index> from, const Matrix& s,
                        const Matrix& t, const Matrix& g, float p, std::span<float> weights,
                        const Matrix& dout, std::span<float> slopes,
                        const AttentionGradients& gradients) {
  AttentionTask task = checked_task(A, s, t, g, weights.size());
  check(dout.rows() == A.rows && dout.cols() == g.cols(), "attention_backward: dout must be ",
        A.rows, "x", g.cols(), ", got ", dout.rows(), "x", dout.cols());
  check(slopes.size() == weights.size() && static_cast<Index>(from.size()) == A.nnz() &&
            At.nnz() == A.nnz() && At.rows == A.cols && At.cols == A.rows,
        "attention_backward: the transpose, its positions or the slopes do not belong to A");
  if (g.cols() == 0 || A.rows == 0) return;
  task.rate = dropout_rate(p);
  task.x = by_feature<Gathered>(g, task);
  task.u = by_feature<Upstream>(dout, task);
  task.weights = weights.data(), task.slopes = slopes.data();
  task.ds = gradients.ds, task.add_ds = gradients.add_ds;
  if (gradients.ds || gradients.dt) {
    parallel_for(A.rows, rows_per_chunk(A),
                 [&](Index begin, Index end) { attention_slopes(task, begin, end); });
  }
  AttentionTask columns = task;
  columns.A = &At, columns.from = from.data(), columns.x = task.u;
  columns.dt = gradients.dt, columns.add_dt = gradients.add_dt;
  columns.out = gradients.dg, columns.add_out = gradients.add_dg;
  parallel_for(At.rows, rows_per_chunk(At),
               [&](Index begin, Index end) { attention_columns(columns, begin, end); });
}

}  // namespace scrl::kernels
