#include "models/mixhop.h"

#include <array>

#include "base/error.h"

namespace scrl {
namespace {

// [Z_0 | A Z_1 | A^2 Z_2] of Z = [Z_0 | Z_1 | Z_2].
Var hop(const SparseOperand& A, Var Z, Index w0, Index w1, Index w2) {
  std::vector<Var> parts;
  if (w0 > 0) parts.push_back(columns(Z, 0, w0));
  if (w1 + w2 > 0) {
    Var once = spmm(A, columns(Z, w0, w1 + w2));
    if (w1 > 0) parts.push_back(columns(once, 0, w1));
    if (w2 > 0) parts.push_back(spmm(A, columns(once, w1, w2)));
  }
  return concat_columns(std::move(parts));
}

}  // namespace

void bind(OptionSet& set, MixhopOptions& o) {
  set.add("hop0", o.hop0, between(0, 65536), "hidden units that see the node itself");
  set.add("hop1", o.hop1, between(0, 65536), "hidden units that see its neighbours");
  set.add("hop2", o.hop2, between(0, 65536), "hidden units that see two hops away");
  set.add("segments0", o.segments0, between(0, 64), "output segments that see the node itself");
  set.add("segments1", o.segments1, between(0, 64), "output segments that see its neighbours");
  set.add("segments2", o.segments2, between(0, 64), "output segments that see two hops away");
  set.add("dropout", o.dropout, between(0, 0.99), "share of hidden units dropped in training");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training");
  set.add("penalty", o.penalty, at_least(0), "weight of the penalty on weights and their columns");
}

Mixhop::Mixhop(const Inputs& in, const MixhopOptions& o) {
  const Index d = in.X.A.cols, M = in.classes, h = o.hop0 + o.hop1 + o.hop2;
  const Index segments = o.segments0 + o.segments1 + o.segments2;
  if (h == 0 || segments == 0)
    fail(ErrorKind::kUsage,
         "mixhop: hop0, hop1, hop2 and segments0, segments1, segments2 must not ", "all be 0");
  // The matrices of the powers side by side; each is drawn as a layer of its own.
  const auto weights = [&](const char* name, Index rows, std::array<Index, 3> widths) {
    Param& p = constant_param(name, rows, widths[0] + widths[1] + widths[2], 0.0f);
    const Rng rng(in.seed, Purpose::kInit, static_cast<std::uint32_t>(params.size() - 1));
    if (in.seed == kDrawNothing) return tape.param(p);
    fill_uniform(p.value, 1.0, rng);
    Index from = 0;
    for (const Index w : widths) {
      const float bound = static_cast<float>(glorot(rows, w));
      for (Index i = 0; i < rows; ++i)
        for (Index j = from; j < from + w; ++j) p.value(i, j) *= bound;
      from += w;
    }
    return tape.param(p);
  };
  Var W = weights("W", d, {o.hop0, o.hop1, o.hop2});
  Var V = weights("V", h, {o.segments0 * M, o.segments1 * M, o.segments2 * M});
  Var offset = tape.param(constant_param("offset", 1, h, 0.0f));
  Var q = tape.param(constant_param("q", 1, segments, 0.0f));

  const SparseOperand& A = *in.A_t;
  Var UW = unit_dropout_spmm(in.X, W, static_cast<float>(o.input_dropout));
  Var mixed = batch_norm(hop(A, UW, o.hop0, o.hop1, o.hop2), offset, 1e-3f);
  Var H = relu_dropout(mixed, static_cast<float>(o.dropout));
  Var O = hop(A, matmul(H, V), o.segments0 * M, o.segments1 * M, o.segments2 * M);
  Var Y = mix_segments(O, q);
  embedding = H;
  classify(in, Y);
  if (in.train.empty()) return;

  const float lambda = static_cast<float>(o.penalty);
  for (const Var& weight : {W, V})
    loss = loss + lambda * (sum_column_norms(weight) + sum_squares(weight));
  loss = loss + 1e-3f / static_cast<float>(segments) * sum_squares(q);
}

}  // namespace scrl
