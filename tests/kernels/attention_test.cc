#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using AttentionTest = EveryLevel;
SCRL_EVERY_LEVEL(AttentionTest);

struct Problem {
  Csr A, At;
  std::vector<Index> from;
  Matrix s, t, g, dout;
  Problem(Csr pattern, Index heads, Index f)
      : A(std::move(pattern)),
        At(transpose(A)),
        from(transpose_positions(A, At)),
        s(random_matrix(A.rows, heads, 1, -3.0f, 3.0f)),
        t(random_matrix(A.cols, heads, 2, -3.0f, 3.0f)),
        g(random_matrix(A.cols, heads * f, 3)),
        dout(random_matrix(A.rows, heads * f, 4)) {}
  std::vector<float> numbers() const {
    return std::vector<float>(static_cast<std::size_t>(kernels::attention_floats(A, s.cols())));
  }
};

struct Gradients {
  Matrix ds, dt, dg;
  Gradients(const Problem& p, bool filled)
      : ds(p.s.rows(), p.s.cols()), dt(p.t.rows(), p.t.cols()), dg(p.g.rows(), p.g.cols()) {
    if (!filled) return;
    ds = random_matrix(ds.rows(), ds.cols(), 5), dt = random_matrix(dt.rows(), dt.cols(), 6);
    dg = random_matrix(dg.rows(), dg.cols(), 7);
  }
  kernels::AttentionGradients to(bool add) { return {&ds, &dt, &dg, add, add, add}; }
};

void compare(const Problem& q, float p, bool add) {
  const Rng rng(9, Purpose::kDropout, 4, 2);
  const Rng* const drawn = p > 0.0f ? &rng : nullptr;
  std::vector<float> weights = q.numbers(), expected_weights = q.numbers(), slopes = q.numbers();
  Matrix out = random_matrix(q.A.rows, q.g.cols(), 8), expected = out;
  kernels::attention(q.A, q.s, q.t, q.g, p, drawn, weights, out);
  reference::attention(q.A, q.s, q.t, q.g, p, drawn, expected_weights, expected);
  expect_near(out, expected, 2e-5);
  expect_zero_padding(out);
  const Index slots = kernels::attention_slots(q.s.cols());
  for (Index e = 0; e < q.A.nnz(); ++e)
    for (Index k = 0; k < q.s.cols(); ++k)
      ASSERT_NEAR(weights[e * slots + k], expected_weights[e * slots + k], 2e-6) << e << "," << k;
  Gradients own(q, add), twin(q, add);
  kernels::attention_backward(q.A, q.At, q.from, q.s, q.t, q.g, p, weights, q.dout, slopes,
                              own.to(add));
  reference::attention_backward(q.A, q.s, q.t, q.g, p, expected_weights, q.dout, twin.to(add));
  expect_near(own.ds, twin.ds, 3e-5);
  expect_near(own.dt, twin.dt, 3e-5);
  expect_near(own.dg, twin.dg, 3e-5);
  for (const Matrix* m : {&own.ds, &own.dt, &own.dg}) expect_zero_padding(*m);
}

TEST_P(AttentionTest, EqualsTheReference) {
  const std::pair<Index, Index> shapes[] = {{1, 1},  {1, 3},  {1, 16}, {1, 40}, {2, 5},
                                            {3, 7},  {4, 4},  {5, 1},  {8, 8},  {8, 3},
                                            {8, 23}, {16, 2}, {17, 3}, {33, 2}};
  for (const auto& [heads, f] : shapes) {
    for (const float p : {0.0f, 0.6f}) {
      SCOPED_TRACE(cat("heads=", heads, " f=", f, " p=", p));
      // Rows without entries, and more rows than columns: A need not be symmetric.
      compare(Problem(random_csr(45, 37, 0.3, 10), heads, f), p, p > 0.0f);
    }
  }
}

TEST_P(AttentionTest, OneNodeAndNoEntries) {
  Csr loop;
  loop.rows = loop.cols = 1, loop.row_ptr = {0, 1}, loop.col = {0}, loop.val = {1.0f};
  compare(Problem(loop, 8, 8), 0.0f, false);
  compare(Problem(loop, 1, 3), 0.5f, false);
  Csr none;
  none.rows = none.cols = 3, none.row_ptr = {0, 0, 0, 0};
  compare(Problem(none, 2, 3), 0.5f, true);
  compare(Problem(none, 2, 3), 0.0f, false);
  compare(Problem(Csr(), 2, 3), 0.0f, false);
}

TEST_P(AttentionTest, LargeScoresDoNotOverflow) {
  Problem q(random_csr(20, 20, 0.5, 11), 8, 8);
  q.s = random_matrix(20, 8, 12, 100.0f, 500.0f);
  q.t = random_matrix(20, 8, 13, -300.0f, 300.0f);
  compare(q, 0.0f, false);
}

TEST_P(AttentionTest, NotANumberIsNotHidden) {
  Problem q(random_csr(20, 20, 0.9, 14), 1, 4);
  q.t(3, 0) = NAN;
  const Rng rng(9, Purpose::kDropout);
  std::vector<float> weights = q.numbers();
  Matrix out(20, 4);
  kernels::attention(q.A, q.s, q.t, q.g, 0.5f, &rng, weights, out);
  Index rows = 0;
  for (Index i = 0; i < 20; ++i) {
    const auto columns = q.A.row_cols(i);
    const bool reached = std::find(columns.begin(), columns.end(), 3) != columns.end();
    EXPECT_EQ(std::isnan(out(i, 0)), reached) << i;
    rows += reached;
  }
  EXPECT_GT(rows, 5);
}

TEST_P(AttentionTest, ThreadsDoNotChangeTheBits) {
  for (const auto& [heads, f] : {std::pair<Index, Index>{8, 8}, {1, 9}, {3, 4}}) {
    const Problem q(random_csr(3000, 3000, 0.01, 15), heads, f);
    const Rng rng(9, Purpose::kDropout);
    for (const int wanted : {0, 1, 2, 3}) {
      expect_thread_independent([&] {
        std::vector<float> weights = q.numbers(), slopes = q.numbers();
        Matrix out(3000, heads * f);
        kernels::attention(q.A, q.s, q.t, q.g, 0.6f, &rng, weights, out);
        Gradients d(q, true);
        kernels::attention_backward(q.A, q.At, q.from, q.s, q.t, q.g, 0.6f, weights, q.dout, slopes,
                                    d.to(true));
        return wanted == 0 ? out : wanted == 1 ? d.ds : wanted == 2 ? d.dt : d.dg;
      });
    }
  }
}

TEST_P(AttentionTest, WrongShapes) {
  const Problem q(random_csr(5, 4, 0.5, 16), 2, 3);
  std::vector<float> weights = q.numbers(), few(3);
  Matrix out(5, 6);
  expect_error([&] { kernels::attention(q.A, q.t, q.t, q.g, 0.0f, nullptr, weights, out); },
               {"attention", "s must be 5x2", "got 4x2"});
  expect_error([&] { kernels::attention(q.A, q.s, q.t, q.t, 0.0f, nullptr, weights, out); },
               {"out must be 5x2", "got 5x6"});
  expect_error([&] { kernels::attention(q.A, q.s, q.t, q.g, 0.0f, nullptr, few, out); }, {"got 3"});
}

}  // namespace
}  // namespace scrl
