// The graph that loses edges, against its dense form; gradients are in ops_test.cc.
#include "base/error.h"
#include "edge_ops.h"

namespace scrl {
namespace {

// Symmetric, with a few loops that the view must ignore.
Csr graph(Index n, Index edges) {
  Rng rng(31);
  std::vector<NodeId> row, column;
  for (Index e = 0; e < edges; ++e) {
    const auto draw = [&] { return static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(n))); };
    const NodeId i = draw(), j = e % 50 == 0 ? i : draw();
    row.insert(row.end(), {i, j}), column.insert(column.end(), {j, i});
  }
  Csr A = csr_from_triplets(n, n, row, column, {}, Dup::kBinary);
  for (float& v : A.val) v = 7.0f;  // values mean nothing
  return A;
}

Matrix identity(Index n) {
  Matrix out(n, n);
  for (Index i = 0; i < n; ++i) out(i, i) = 1.0f;
  return out;
}

bool has(const Csr& A, Index i, Index j) {
  const auto columns = A.row_cols(i);
  return std::find(columns.begin(), columns.end(), static_cast<NodeId>(j)) != columns.end();
}

TEST(EdgeDropViewTest, EvaluationIsTheNormalisedGraphWithLoops) {
  for (const float p : {0.0f, 0.4f}) {
    const Csr A = graph(40, 90);
    Tape t;
    const Matrix S = replay(t, spmm(edge_drop_view(t, A, p), t.constant(identity(40)))).value();
    const auto degree = [&](Index i) {
      return 1.0 + static_cast<double>(A.row_nnz(i)) - (has(A, i, i) ? 1.0 : 0.0);
    };
    for (Index i = 0; i < 40; ++i)
      for (Index j = 0; j < 40; ++j)
        EXPECT_NEAR(S(i, j), i == j || has(A, i, j) ? 1.0 / std::sqrt(degree(i) * degree(j)) : 0.0,
                    1e-6);
  }
}

TEST(EdgeDropViewTest, TrainingDropsDirectedEdgesAndCountsDegreesAnew) {
  const Index n = 150;
  const Csr A = graph(n, 3000);
  Tape t;
  const Var out = spmm(edge_drop_view(t, A, 0.3f), t.constant(identity(n)));
  const Matrix S = replay(t, out, {.training = true, .seed = 4, .epoch = 1}).value();
  std::vector<double> degree(static_cast<std::size_t>(n), 0.0);
  double kept = 0, all = 0, one_sided = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (S(i, j) != 0) degree[i] += 1;
      if (i == j || !has(A, i, j)) continue;
      ++all, kept += S(i, j) != 0, one_sided += (S(i, j) == 0) != (S(j, i) == 0);
    }
  EXPECT_NEAR(kept / all, 0.7, 0.02);
  EXPECT_NEAR(one_sided / all, 0.42, 0.03);  // 2 * 0.3 * 0.7: the two directions are independent
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const bool stays = i == j || S(i, j) != 0;
      EXPECT_NEAR(S(i, j), stays ? 1.0 / std::sqrt(degree[i] * degree[j]) : 0.0, 1e-6);
      EXPECT_TRUE(i == j || has(A, i, j) || S(i, j) == 0.0f);
    }
}

TEST(EdgeDropViewTest, ProductsOfAPassShareTheEdgesAndAnotherEpochHasOthers) {
  const Csr A = graph(60, 300);
  Tape t;
  const auto view = edge_drop_view(t, A, 0.5f), other = edge_drop_view(t, A, 0.5f);
  const Var I = t.constant(identity(60));
  const Var a = spmm(view, I), b = spmm(view, I), c = spmm(other, I);
  const Plan plan = t.plan({a, b, c});
  const auto at = [&](bool training, std::uint64_t seed, std::uint32_t epoch) {
    t.forward(plan, {.training = training, .seed = seed, .epoch = epoch});
    return a.value().packed();
  };
  const std::vector<float> first = at(true, 1, 1);
  EXPECT_EQ(first, b.value().packed());
  EXPECT_NE(first, c.value().packed());
  EXPECT_NE(first, at(true, 1, 2));
  EXPECT_NE(first, at(true, 2, 1));
  EXPECT_NE(first, at(false, 1, 1));
  EXPECT_EQ(first, at(true, 1, 1));
}

TEST(EdgeDropViewTest, EvaluationBetweenPassesDoesNotDisturbTheGradient) {
  const Csr A = graph(60, 300);
  Param X("X", 60, 5);
  fill_random(X.value, 1);
  Tape t;
  Matrix weights(60, 5);
  fill_random(weights, 2);
  const auto view = edge_drop_view(t, A, 0.5f);
  const Var product = spmm(view, spmm(view, t.param(X)));
  const Var loss = soft_nll(t.constant(weights), product);
  const Plan plan = t.plan({loss});
  const auto gradient = [&](std::uint32_t epoch) {
    const Pass pass{.training = true, .seed = 1, .epoch = epoch};
    t.forward(plan, pass);
    t.backward(plan, pass, loss);
    return X.grad.packed();
  };
  const std::vector<float> before = gradient(3);
  t.forward(plan, {});
  EXPECT_NE(before, gradient(4));
  EXPECT_EQ(before, gradient(3));
}

TEST(EdgeDropViewTest, IsolatedNodesKeepTheirLoop) {
  Csr A;
  A.rows = A.cols = 1, A.row_ptr = {0, 0};
  Param X("X", 1, 3);
  fill_random(X.value, 1);
  Tape t;
  const Var out = spmm(edge_drop_view(t, A, 0.9f), t.param(X));
  EXPECT_EQ(replay(t, out, {.training = true, .seed = 1, .epoch = 1}).value().packed(),
            X.value.packed());
}

TEST(EdgeDropViewTest, ThreadsDoNotChangeTheBits) {
  const Csr A = graph(3000, 40000);
  Param X("X", 3000, 20);
  fill_random(X.value, 1);
  Matrix weights(3000, 20);
  fill_random(weights, 2);
  Tape t;
  const auto view = edge_drop_view(t, A, 0.4f);
  expect_same_bits_for_threads(t, soft_nll(t.constant(weights), spmm(view, spmm(view, t.param(X)))),
                               {&X});
}

TEST(EdgeDropViewTest, WrongArguments) {
  Param X("X", 4, 3);
  Tape t;
  EXPECT_THROW(edge_drop_view(t, Csr{.rows = 2, .cols = 3, .row_ptr = {0, 0, 0}}, 0.1f), Error);
  EXPECT_THROW(edge_drop_view(t, graph(4, 3), 1.0f), Error);
  EXPECT_THROW(spmm(edge_drop_view(t, graph(5, 3), 0.1f), t.param(X)), Error);
}

}  // namespace
}  // namespace scrl
