// head_dots and attention by value, written out densely; gradients are in ops_test.cc.
#include "base/error.h"
#include "edge_ops.h"

namespace scrl {
namespace {

struct Heads {
  SparseOperand A;
  Param s, t, g;
  Heads(Index n, Index degree, Index heads, Index f)
      : A(sparse_operand(random_pattern(n, degree, true))),
        s("s", n, heads),
        t("t", n, heads),
        g("g", n, heads * f) {
    fill_random(s.value, 1, -2.0f, 2.0f), fill_random(t.value, 2, -2.0f, 2.0f);
    fill_random(g.value, 3);
  }
  Var record(Tape& tape, float p) {
    return attention(A, tape.param(s), tape.param(t), tape.param(g), p);
  }
};

// softmax_j of leaky_relu(s_i + t_j) over the row, as a dense row.
std::vector<double> shares(const Heads& h, Index i, Index k) {
  std::vector<double> out(static_cast<std::size_t>(h.A.A.cols), 0.0);
  double sum = 0;
  for (const NodeId j : h.A.A.row_cols(i)) {
    const double x = h.s.value(i, k) + h.t.value(j, k);
    sum += out[j] = std::exp(x > 0 ? x : 0.2 * x);
  }
  for (double& v : out) v /= sum;
  return out;
}

TEST(AttentionTest, HeadDotsAreDotProductsPerHead) {
  Param g("g", 6, 12), a("a", 3, 4);
  fill_random(g.value, 1), fill_random(a.value, 2);
  Tape t;
  const Var out = replay(t, head_dots(t.param(g), t.param(a)));
  ASSERT_EQ(out.cols(), 3);
  for (Index i = 0; i < 6; ++i)
    for (Index k = 0; k < 3; ++k) {
      double sum = 0;
      for (Index c = 0; c < 4; ++c) sum += g.value(i, k * 4 + c) * a.value(k, c);
      EXPECT_NEAR(out.value()(i, k), sum, 1e-6);
    }
}

TEST(AttentionTest, EvaluationIsTheSoftmaxWrittenOut) {
  for (const auto& [n, heads, f] :
       {std::tuple<Index, Index, Index>{1, 1, 1}, {30, 1, 5}, {30, 8, 8}, {25, 3, 2}}) {
    SCOPED_TRACE(cat(n, " ", heads, " ", f));
    Heads h(n, 4, heads, f);
    Tape t;
    const Var out = replay(t, h.record(t, 0.6f));
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < heads; ++k) {
        const std::vector<double> share = shares(h, i, k);
        for (Index c = 0; c < f; ++c) {
          double sum = 0;
          for (Index j = 0; j < n; ++j) sum += share[j] * h.g.value(j, k * f + c);
          EXPECT_NEAR(out.value()(i, k * f + c), sum, 1e-5) << i << " " << k << " " << c;
        }
      }
  }
}

TEST(AttentionTest, TrainingDropsNormalisedWeightsAnewEveryEpoch) {
  const Index n = 200;
  Heads h(n, 20, 2, n);  // g = [I | I], so that out holds the weights themselves
  h.g.value.fill(0.0f);
  for (Index j = 0; j < n; ++j) h.g.value(j, j) = h.g.value(j, n + j) = 1.0f;
  Tape t;
  const Var out = h.record(t, 0.6f);
  const Matrix first = replay(t, out, {.training = true, .seed = 1, .epoch = 1}).value();
  Index dropped = 0, all = 0;
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < 2; ++k) {
      const std::vector<double> share = shares(h, i, k);
      for (const NodeId j : h.A.A.row_cols(i)) {
        const float w = first(i, k * n + j);
        ++all, dropped += w == 0.0f;
        EXPECT_NEAR(w, w == 0.0f ? 0.0 : share[j] / 0.4, 1e-5);
      }
    }
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(all), 0.6, 0.02);
  const std::vector<float> other =
      replay(t, out, {.training = true, .seed = 1, .epoch = 2}).value().packed();
  EXPECT_NE(first.packed(), other);
  EXPECT_EQ(first.packed(),
            replay(t, out, {.training = true, .seed = 1, .epoch = 1}).value().packed());
}

TEST(AttentionTest, ThreadsDoNotChangeTheBits) {
  for (const auto& [heads, f] : {std::pair<Index, Index>{8, 8}, {1, 7}}) {
    Heads h(2000, 15, heads, f);
    Param a("a", heads, f);
    fill_random(a.value, 9);
    Tape t;
    const Var g = t.param(h.g);
    const Var out = attention(h.A, t.param(h.s) + head_dots(g, t.param(a)), t.param(h.t), g, 0.6f);
    Matrix target(2000, heads * f);
    fill_random(target, 10);
    expect_same_bits_for_threads(t, soft_nll(t.constant(target), out), {&h.s, &h.t, &h.g, &a});
  }
}

TEST(AttentionTest, ErrorsNameShapes) {
  Heads h(10, 2, 2, 3);
  Param odd("odd", 10, 5), a("a", 2, 4);
  Tape t;
  const auto message = [](const std::function<void()>& f) -> std::string {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { attention(h.A, t.param(h.s), t.param(h.t), t.param(odd), 0.0f); }),
            "attention: s has 2 columns, one per head, so g must have a multiple of it, got 5");
  EXPECT_EQ(message([&] { head_dots(t.param(odd), t.param(a)); }),
            "head_dots: a is 2x4, so g must have 8 columns, got 10x5");
  EXPECT_EQ(message([&] { h.record(t, 1.0f); }),
            "attention: dropout rate must be in [0, 1), got 1");
}

}  // namespace
}  // namespace scrl
