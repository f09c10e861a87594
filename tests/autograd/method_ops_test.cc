// Values of the ops that single methods are made of, against plain loops; their gradients are in
// ops_test.cc.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

Matrix random_matrix(Index rows, Index cols, std::uint32_t stream, float size = 1.0f) {
  const Rng rng(21, Purpose::kTest, stream);
  Matrix m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      m(i, j) = size * (2.0f * rng.uniform_at(static_cast<std::uint64_t>(i * cols + j)) - 1.0f);
  return m;
}

using Formula = std::function<double(Index, Index)>;

class MethodOpsTest : public ::testing::Test {
 protected:
  static constexpr Index kRows = 3000, kCols = 19;  // several chunks, a part of a vector
  MethodOpsTest() { X.value = random_matrix(kRows, kCols, 1, 3.0f); }
  void TearDown() override { set_threads(0); }

  const Matrix& value(Var v) {
    tape.forward(tape.plan({v}), {});
    return v.value();
  }
  void expect(Var v, const Formula& want, double tolerance = 2e-6) {
    const Matrix& got = value(v);
    for (Index i = 0; i < got.rows(); ++i) {
      for (Index j = 0; j < got.cols(); ++j)
        ASSERT_NEAR(got(i, j), want(i, j), tolerance) << i << "," << j;
      for (Index j = got.cols(); j < got.stride(); ++j) ASSERT_EQ(*got.at(i, j), 0.0f);
    }
  }
  double at(Index i, Index j) const { return X.value(i, j); }
  // Mean over the rows of f(element in column j).
  template <class F>
  std::vector<double> column_mean(const F& f) const {
    std::vector<double> out(kCols);
    for (Index j = 0; j < kCols; ++j)
      for (Index i = 0; i < kRows; ++i) out[static_cast<std::size_t>(j)] += f(at(i, j), j) / kRows;
    return out;
  }

  Tape tape;
  Param X{"X", kRows, kCols};
};

TEST_F(MethodOpsTest, Curves) {
  const Var x = tape.param(X);
  Param slope("slope", 1, 1);
  slope.value(0, 0) = 0.25f;
  expect(elu(x),
         [&](Index i, Index j) { return at(i, j) > 0 ? at(i, j) : std::exp(at(i, j)) - 1; });
  expect(prelu(x, tape.param(slope)),
         [&](Index i, Index j) { return at(i, j) > 0 ? at(i, j) : 0.25 * at(i, j); });
  expect(tanh(x), [&](Index i, Index j) { return std::tanh(at(i, j)); });
  expect(sigmoid(x), [&](Index i, Index j) { return 1 / (1 + std::exp(-at(i, j))); });
}

TEST_F(MethodOpsTest, Columns) {
  const Var x = tape.param(X);
  expect(columns(x, 5, 3), [&](Index i, Index j) { return at(i, 5 + j); });
  EXPECT_EQ(value(columns(x, kCols, 0)).cols(), 0);
  const auto mean = column_mean([](double v, Index) { return v; });
  const auto variance = column_mean([&](double v, Index j) { return std::pow(v - mean[j], 2); });
  expect(center_columns(x), [&](Index i, Index j) { return at(i, j) - mean[j]; });
  expect(column_means(x), [&](Index, Index j) { return mean[j]; });
  Param offset("offset", 1, kCols);
  offset.value = random_matrix(1, kCols, 2);
  expect(batch_norm(x, tape.param(offset), 1e-3f), [&](Index i, Index j) {
    return (at(i, j) - mean[j]) / std::sqrt(variance[j] + 1e-3) + offset.value(0, j);
  });
}

TEST_F(MethodOpsTest, BatchNormOfFarAwayAndOfConstantColumns) {
  for (Index i = 0; i < kRows; ++i) {
    X.value(i, 0) = 1000.0f + (i % 2 == 0 ? 1.0f : -1.0f);
    X.value(i, 1) = 0.1f;
  }
  Param offset("offset", 1, kCols);
  const Matrix& out = value(batch_norm(tape.param(X), tape.param(offset), 1e-3f));
  for (Index i = 0; i < kRows; ++i) {
    EXPECT_NEAR(out(i, 0), (i % 2 == 0 ? 1 : -1) / std::sqrt(1.001), 1e-5);
    EXPECT_NEAR(out(i, 1), 0.0, 1e-6);
  }
}

TEST_F(MethodOpsTest, Mixtures) {
  const Var x = tape.param(X);
  Param Y("Y", kRows, kCols), q("q", 1, 3);
  Y.value = random_matrix(kRows, kCols, 3);
  q.value = random_matrix(1, 3, 4);
  const Matrix &w = X.value, &y = Y.value;
  expect(mix(columns(x, 0, 2), {tape.param(Y), x}),
         [&](Index i, Index j) { return at(i, 0) * y(i, j) + w(i, 1) * at(i, j); });
  double total = 0;
  for (Index s = 0; s < 3; ++s) total += std::exp(q.value(0, s));
  expect(mix_segments(columns(x, 0, 18), tape.param(q)), [&](Index i, Index j) {
    double sum = 0;
    for (Index s = 0; s < 3; ++s) sum += std::exp(q.value(0, s)) / total * at(i, 6 * s + j);
    return sum;
  });
  expect(softmax(x), [&](Index i, Index j) {
    double sum = 0;
    for (Index b = 0; b < kCols; ++b) sum += std::exp(at(i, b) - at(i, j));
    return 1 / sum;
  });
}

TEST_F(MethodOpsTest, BinaryCrossEntropyAlsoOfLargeLogits) {
  X.value(3, 3) = 300.0f, X.value(4, 4) = -300.0f;
  for (const float t : {0.0f, 1.0f, 0.25f}) {
    double sum = 0;
    for (Index i = 0; i < kRows; ++i)
      for (Index j = 0; j < kCols; ++j)
        sum += std::log1p(std::exp(-std::abs(at(i, j)))) + std::max(at(i, j), 0.0) - t * at(i, j);
    EXPECT_NEAR(value(bce_with_logits(tape.param(X), t))(0, 0), sum / (kRows * kCols), 1e-5);
  }
}

TEST_F(MethodOpsTest, MaskedNllFollowsItsTargets) {
  Param targets("targets", kRows, 1);
  targets.trained = false;
  targets.value.fill(-1.0f);
  const Var logp = log_softmax(tape.param(X)), loss = masked_nll(logp, tape.param(targets));
  const Plan plan = tape.plan({loss});
  const auto replay = [&] {
    tape.params_changed();
    tape.forward(plan, {});
    tape.backward(plan, {}, loss);
    return loss.scalar();
  };
  EXPECT_EQ(replay(), 0.0f);
  for (const float g : X.grad.packed()) EXPECT_EQ(g, 0.0f);
  targets.value(2, 0) = 7.0f, targets.value(2999, 0) = 0.0f;
  EXPECT_NEAR(replay(), -(logp.value()(2, 7) + logp.value()(2999, 0)) / 2, 1e-6);
  EXPECT_NEAR(X.grad(2, 7), 0.5 * (std::exp(logp.value()(2, 7)) - 1), 1e-6);
  EXPECT_NEAR(X.grad(2, 8), 0.5 * std::exp(logp.value()(2, 8)), 1e-6);
  EXPECT_EQ(X.grad(3, 0), 0.0f);
  targets.value(2, 0) = static_cast<float>(kCols);
  EXPECT_THROW(replay(), Error);
}

TEST_F(MethodOpsTest, Penalties) {
  for (Index i = 0; i < kRows; ++i) X.value(i, 4) = 0.0f;  // a column without a direction
  const Var x = tape.param(X);
  double squares = 0, norms = 0;
  std::vector<double> length(kCols);
  for (Index j = 0; j < kCols; ++j) {
    double sum = 0;
    for (Index i = 0; i < kRows; ++i) sum += at(i, j) * at(i, j);
    squares += sum, norms += length[static_cast<std::size_t>(j)] = std::sqrt(sum);
  }
  EXPECT_NEAR(value(sum_squares(x))(0, 0), squares, 1e-6 * squares);
  const Var loss = sum_column_norms(x);
  EXPECT_NEAR(value(loss)(0, 0), norms, 1e-6 * norms);
  tape.backward(tape.plan({loss}), {}, loss);
  EXPECT_NEAR(X.grad(8, 3), at(8, 3) / length[3], 1e-6);
  EXPECT_EQ(X.grad(8, 4), 0.0f);
}

TEST_F(MethodOpsTest, ThreadsDoNotChangeTheBits) {
  Param Y("Y", kRows, kCols), b("b", 1, kCols), q("q", 1, 3), slope("slope", 1, 1);
  Y.value = random_matrix(kRows, kCols, 3);
  q.value = random_matrix(1, 3, 4), slope.value(0, 0) = 0.3f;
  const Var x = tape.param(X), y = tape.param(Y);
  const Var hidden = tanh(prelu(batch_norm(x, tape.param(b), 1e-3f), tape.param(slope)));
  const Var mixed = mix(softmax(columns(hidden, 0, 2)), {sigmoid(x), elu(y)});
  const Var narrow = mix_segments(columns(shuffle_rows(mixed), 0, 18), tape.param(q));
  const Var u = center_columns(hidden), v = drop_rows(mixed, 0.2f);
  const Var loss = hsic(u, v) + gram_distance(u, v) + bce_with_logits(narrow, 1.0f) +
                   sum_squares(column_means(mixed)) + sum_column_norms(y);
  const Plan plan = tape.plan({loss});
  std::vector<std::vector<float>> alone;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    tape.params_changed();
    const Pass pass{.training = true, .seed = 2, .epoch = 1};
    tape.forward(plan, pass);
    tape.backward(plan, pass, loss);
    std::vector<std::vector<float>> bits = {{loss.scalar()}};
    for (Param* p : {&X, &Y, &b, &q, &slope}) bits.push_back(p->grad.packed());
    if (count == 1) alone = bits;
    EXPECT_EQ(bits, alone) << count << " threads";
  }
  EXPECT_TRUE(std::isfinite(alone[0][0]));
}

TEST_F(MethodOpsTest, ShapeErrorsSayWhatWasExpected) {
  const Var x = tape.param(X);
  const Var small = tape.constant(Matrix(2, 2)), none = tape.constant(Matrix(0, kCols));
  const auto refused = [](const std::function<void()>& f, const std::string& part) {
    try {
      f();
      ADD_FAILURE() << "no error with '" << part << "'";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  refused([&] { prelu(x, small); }, "prelu: the slope must be 1x1, got 2x2");
  refused([&] { columns(x, 18, 2); }, "columns: x is 3000x19, asked for 2 columns from 18 on");
  refused([&] { columns(x, -1, 2); }, "columns: x is");
  refused([&] { column_means(none); }, "column_means: x is 0x19");
  refused([&] { batch_norm(x, small, 1e-3f); }, "the offset must be 1x19, got 2x2");
  refused([&] { mix(small, {x, x}); }, "the weights must be 3000x2, got 2x2");
  refused([&] { mix(small, {small, x}); }, "the first part is 2x2, another is 3000x19");
  refused([&] { mix(small, {}); }, "mix: no part");
  refused([&] { mix_segments(x, columns(small, 0, 2)); }, "mix_segments: x is 3000x19, q is 2x2");
  refused([&] { masked_nll(x, small); }, "the targets must be 3000x1, got 2x2");
  refused([&] { masked_nll(x, columns(x, 0, 1)); }, "must not be trained");
  refused([&] { bce_with_logits(x, 2.0f); }, "the target must be in [0, 1], got 2");
  refused([&] { hsic(x, small); }, "hsic: the first is 3000x19, the second 2x2");
  refused([&] { gram_distance(x, columns(x, 0, 3)); }, "the shapes must agree");
  refused([&] { unit_dropout_spmm(sparse_operand(Csr{}), x, 0.5f); }, "so X must have 0 rows");
}

}  // namespace
}  // namespace scrl
