// Ops by value, against the formula written out; behaviour of dropout, and errors.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "autograd/ops.h"
#include "autograd/small.h"
#include "base/error.h"

namespace scrl {
namespace {

void expect_near(const Matrix& got, const std::function<double(Index, Index)>& want) {
  for (Index i = 0; i < got.rows(); ++i)
    for (Index j = 0; j < got.cols(); ++j)
      EXPECT_NEAR(got(i, j), want(i, j), 1e-5) << i << "," << j;
}

Var run(Tape& t, Var v, Pass pass = {}) {
  t.forward(t.plan({v}), pass);
  return v;
}

TEST(OpValuesTest, ProductValues) {
  Inputs in;
  Tape t;
  const Matrix &X = in.X.value, &W = in.W.value, &Y = in.Y.value;
  expect_near(run(t, matmul(t.param(in.X), t.param(in.W))).value(), [&](Index i, Index j) {
    double s = 0;
    for (Index k = 0; k < 5; ++k) s += X(i, k) * W(k, j);
    return s;
  });
  expect_near(run(t, matmul_transposed(t.param(in.X), t.param(in.Y))).value(),
              [&](Index i, Index j) {
                double s = 0;
                for (Index k = 0; k < 5; ++k) s += X(i, k) * Y(j, k);
                return s;
              });
  const Csr& A = sparse_5x4().A;
  const auto dense_a = [&](Index i, Index j) {
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
      if (A.col[e] == j) return static_cast<double>(A.val[e]);
    return 0.0;
  };
  const auto product = [&](Index i, Index j) {
    double s = 0;
    for (Index k = 0; k < 4; ++k) s += dense_a(i, k) * X(k, j);
    return s;
  };
  expect_near(run(t, spmm(sparse_5x4(), t.param(in.X))).value(), product);
  // (A + A^2 + A^3) X / 3
  static const SparseOperand walk = sparse_operand(csr_from_triplets(
      4, 4, std::vector<NodeId>{0, 1, 1, 2, 3}, std::vector<NodeId>{1, 0, 2, 3, 3}, {}, Dup::kSum));
  Var once = run(t, spmm(walk, t.param(in.X)));
  Var twice = run(t, spmm(walk, once)), thrice = run(t, spmm(walk, twice));
  expect_near(run(t, spmm_powers(walk, t.param(in.X), 3)).value(), [&](Index i, Index j) {
    return (static_cast<double>(once.value()(i, j)) + twice.value()(i, j) + thrice.value()(i, j)) /
           3;
  });
  const std::vector<float> g = {2, -1, 0, 0.5f};
  Matrix gamma(1, 4);
  gamma.assign_packed(g);
  Var sum = run(t, spmm_polynomial(walk, t.param(in.X), t.constant(std::move(gamma))));
  expect_near(sum.value(), [&](Index i, Index j) {
    return g[0] * in.X.value(i, j) + g[1] * once.value()(i, j) + g[2] * twice.value()(i, j) +
           g[3] * thrice.value()(i, j);
  });
  // Without training, dropout on the stored values does nothing.
  expect_near(run(t, dropout_spmm(sparse_5x4(), t.param(in.X), 0.9f)).value(), product);
}

TEST(OpValuesTest, SharpenedMeans) {
  Inputs in;
  Tape t;
  const Var P = run(t, softmax(t.param(in.X))), R = run(t, softmax(t.param(in.Y)));
  const Var Q = run(t, sharpen({P, R}, 0.5f));
  EXPECT_FALSE(Q.needs_grad());
  const auto square = [&](Index i, Index j) {
    const double mean = (static_cast<double>(P.value()(i, j)) + R.value()(i, j)) / 2;
    return mean * mean;
  };
  expect_near(Q.value(), [&](Index i, Index j) {
    double total = 0;
    for (Index k = 0; k < 5; ++k) total += square(i, k);
    return square(i, j) / total;
  });
}

TEST(OpValuesTest, RowValues) {
  Inputs in;
  Tape t;
  const Matrix& X = in.X.value;
  expect_near(run(t, log_softmax(t.param(in.X), 2.0f)).value(), [&](Index i, Index j) {
    double s = 0;
    for (Index k = 0; k < 5; ++k) s += std::exp(2.0 * X(i, k));
    return 2.0 * X(i, j) - std::log(s);
  });
  expect_near(run(t, l2_normalize_rows(t.param(in.X))).value(), [&](Index i, Index j) {
    double s = 0;
    for (Index k = 0; k < 5; ++k) s += X(i, k) * X(i, k);
    return X(i, j) / std::sqrt(s);
  });
  expect_near(run(t, concat_columns({t.param(in.X), t.param(in.Y)})).value(),
              [&](Index i, Index j) { return j < 5 ? X(i, j) : in.Y.value(i, j - 5); });
  expect_near(run(t, gather_rows(t.param(in.X), {2, 2, 0})).value(),
              [&](Index i, Index j) { return X(i == 2 ? 0 : 2, j); });
  expect_near(run(t, bias_relu_dropout(t.param(in.X), t.param(in.b), 0.5f)).value(),
              [&](Index i, Index j) { return std::max(0.0f, X(i, j) + in.b.value(0, j)); });
}

TEST(OpValuesTest, RampGrowsLinearlyAndStays) {
  Inputs in;
  Tape t;
  Var v = ramped(4.0f, 10, t.param(in.X));
  const Plan plan = t.plan({v});
  for (const auto& [epoch, weight] : {std::pair{1u, 0.4f}, {5u, 2.0f}, {10u, 4.0f}, {99u, 4.0f}}) {
    t.forward(plan, {.training = true, .seed = 1, .epoch = epoch});
    EXPECT_FLOAT_EQ(v.value()(1, 2), weight * in.X.value(1, 2)) << epoch;
  }
}

TEST(OpValuesTest, SinkhornRowsSumToOneAndColumnsBalance) {
  Inputs in;
  Tape t;
  const Matrix& Q = run(t, sinkhorn(t.param(in.X), 0.5f, 50)).value();
  for (Index i = 0; i < 4; ++i) {
    double row = 0;
    for (Index j = 0; j < 5; ++j) row += Q(i, j);
    EXPECT_NEAR(row, 1.0, 1e-5);
  }
  for (Index j = 0; j < 5; ++j) {
    double column = 0;
    for (Index i = 0; i < 4; ++i) column += Q(i, j);
    EXPECT_NEAR(column, 4.0 / 5, 1e-3);
  }
}

TEST(OpValuesTest, DropoutKeepsTheMeanAndVariesWithTheEpoch) {
  Param X("X", 400, 50);
  X.value.fill(1.0f);
  Tape t;
  Var d = dropout(t.param(X), 0.25f);
  const Plan plan = t.plan({d});
  t.forward(plan, {.training = true, .seed = 1, .epoch = 1});
  const Matrix first = d.value();
  double sum = 0;
  Index zeros = 0;
  for (const float v : first.packed()) {
    sum += v;
    zeros += v == 0;
  }
  EXPECT_NEAR(sum / 20000, 1.0, 0.02);
  EXPECT_NEAR(static_cast<double>(zeros) / 20000, 0.25, 0.02);
  t.forward(plan, {.training = true, .seed = 1, .epoch = 2});
  EXPECT_NE(first.packed(), d.value().packed());
  t.forward(plan, {.training = true, .seed = 1, .epoch = 1});
  EXPECT_EQ(first.packed(), d.value().packed());
}

TEST(OpValuesTest, ShapeErrorsNameBothShapes) {
  Inputs in;
  Tape t;
  const auto message = [&](const std::function<void()>& f) -> std::string {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { spmm(sparse_5x4(), t.param(in.W)); }),
            "spmm: A is 5x4, so X must have 4 rows, got 5x3");
  EXPECT_EQ(message([&] { matmul(t.param(in.X), t.param(in.Y)); }),
            "matmul: A is 4x5, B is 4x5; the inner sizes differ");
  EXPECT_EQ(message([&] { hidden_matmul(t.param(in.X), t.param(in.b), 0.5f, t.param(in.Y)); }),
            "hidden_matmul: x is 4x5, so the bias must be 1x5 and W must have 5 rows, got 1x5 and "
            "4x5");
  EXPECT_EQ(message([&] { add_bias(t.param(in.W), t.param(in.b)); }),
            "add_bias: x is 5x3, so the bias must be 1x3, got 1x5");
  EXPECT_EQ(message([&] { gather_rows(t.param(in.X), {4}); }),
            "gather_rows: row 4 of a matrix with 4 rows");
  EXPECT_EQ(message([&] {
              nll(t.param(in.X), {0, 1});
            }),
            "nll: logp has 4 rows, got 2 labels; expected the same number, above 0");
  EXPECT_EQ(message([&] {
              nll(t.param(in.X), {0, 1, 2, 3}, {1, 2});
            }),
            "nll: got 2 weights for 5 classes");
  EXPECT_EQ(message([&] { dropout(t.param(in.X), 1.0f); }),
            "dropout: dropout rate must be in [0, 1), got 1");
  EXPECT_EQ(message([&] { t.record("cosine", {}, 1, 1, nullptr, nullptr); }),
            "record: op 'cosine' is not in the list of ops");
}

}  // namespace
}  // namespace scrl
