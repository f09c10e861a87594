// Ops that draw anew in every training pass and do nothing in evaluation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

Pass training(std::uint32_t epoch) { return {.training = true, .seed = 4, .epoch = epoch}; }

// Row i holds i + 1 everywhere.
struct NumberedRows {
  static constexpr Index kRows = 2000, kCols = 3;
  Param X{"X", kRows, kCols};
  Tape tape;
  NumberedRows() {
    for (Index i = 0; i < kRows; ++i)
      for (Index j = 0; j < kCols; ++j) X.value(i, j) = static_cast<float>(i + 1);
  }
  std::vector<float> values(Var v, const Pass& pass) {
    tape.forward(tape.plan({v}), pass);
    return v.value().packed();
  }
};

TEST(RandomOpsTest, ShufflesToAnotherOrderEveryEpoch) {
  NumberedRows in;
  const Var v = shuffle_rows(in.tape.param(in.X));
  const std::vector<float> same = in.X.value.packed();
  EXPECT_EQ(in.values(v, {}), same);
  const auto first = in.values(v, training(1)), second = in.values(v, training(2));
  EXPECT_NE(first, second);
  EXPECT_EQ(in.values(v, training(1)), first);
  EXPECT_EQ(in.values(v, {}), same);
  Index fixed = 0;
  for (Index i = 0; i < in.kRows; ++i) {
    for (Index j = 1; j < in.kCols; ++j) EXPECT_EQ(first[i * 3 + j], first[i * 3]);
    fixed += first[i * 3] == same[i * 3];
  }
  EXPECT_LT(fixed, 10);  // 1 is expected
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, same);
}

TEST(RandomOpsTest, TwoShufflesDiffer) {
  NumberedRows in;
  const Var a = shuffle_rows(in.tape.param(in.X)), b = shuffle_rows(in.tape.param(in.X));
  EXPECT_NE(in.values(a, training(1)), in.values(b, training(1)));
}

TEST(RandomOpsTest, GradientsFollowTheOrder) {
  NumberedRows in;
  const Var shuffled = shuffle_rows(in.tape.param(in.X));
  const Var loss = 0.5f * sum_squares(shuffled);  // its gradient is the value itself
  const Plan plan = in.tape.plan({loss});
  in.tape.forward(plan, training(3));
  in.tape.backward(plan, training(3), loss);
  EXPECT_EQ(in.X.grad.packed(), in.X.value.packed());
  in.tape.forward(plan, {});
  in.tape.backward(plan, {}, loss);
  EXPECT_EQ(in.X.grad.packed(), in.X.value.packed());
}

TEST(RandomOpsTest, SamplesTheSameRowsOfEachPartAndOthersEveryEpoch) {
  NumberedRows in;
  const Var X = in.tape.param(in.X), doubled = 2.0f * X;
  const std::vector<Var> some = sample_rows({X, doubled}, 500);
  const auto first = in.values(some[0], training(1)), again = in.values(some[1], training(1));
  ASSERT_EQ(first.size(), 1500u);
  std::set<float> rows;
  for (std::size_t at = 0; at < first.size(); ++at) {
    EXPECT_EQ(again[at], 2.0f * first[at]);
    EXPECT_EQ(first[at], first[at / 3 * 3]);
    rows.insert(first[at]);
  }
  EXPECT_EQ(rows.size(), 500u);
  EXPECT_NE(in.values(some[0], training(2)), first);
  EXPECT_EQ(in.values(some[0], training(1)), first);

  const Var loss = 0.5f * sum_squares(some[0]);  // its gradient is the value, where it was taken
  const Plan plan = in.tape.plan({loss});
  in.tape.forward(plan, training(1));
  in.tape.backward(plan, training(1), loss);
  for (Index i = 0; i < in.kRows; ++i) {
    const auto row = static_cast<float>(i + 1);
    EXPECT_EQ(in.X.grad(i, 1), rows.contains(row) ? row : 0.0f);
  }
  in.tape.forward(plan, training(2));  // nothing is left of the rows before
  in.tape.backward(plan, training(2), loss);
  Index taken = 0;
  for (Index i = 0; i < in.kRows; ++i) taken += in.X.grad(i, 1) != 0.0f;
  EXPECT_EQ(taken, 500);
  EXPECT_THROW(sample_rows({X}, in.kRows + 1), Error);
}

TEST(RandomOpsTest, DropsWholeRowsAndScalesNothing) {
  NumberedRows in;
  const Var v = drop_rows(in.tape.param(in.X), 0.3f), loss = sum_squares(v);
  EXPECT_EQ(in.values(v, {}), in.X.value.packed());
  const auto first = in.values(v, training(1));
  Index dropped = 0;
  for (Index i = 0; i < in.kRows; ++i) {
    const float row = first[i * 3];
    EXPECT_TRUE(row == 0.0f || row == static_cast<float>(i + 1));
    for (Index j = 1; j < in.kCols; ++j) EXPECT_EQ(first[i * 3 + j], row);
    dropped += row == 0.0f;
  }
  EXPECT_NEAR(static_cast<double>(dropped) / in.kRows, 0.3, 0.04);
  EXPECT_NE(in.values(v, training(2)), first);
  const Plan plan = in.tape.plan({loss});
  in.tape.forward(plan, training(1));
  in.tape.backward(plan, training(1), loss);
  for (Index i = 0; i < in.kRows; ++i) EXPECT_EQ(in.X.grad(i, 2), 2.0f * first[i * 3]);
  in.tape.forward(plan, {});
  in.tape.backward(plan, {}, loss);
  for (Index i = 0; i < in.kRows; ++i) EXPECT_EQ(in.X.grad(i, 2), 2.0f * in.X.value(i, 2));
}

// The rows of A with entries become rows of length 1, whatever was dropped.
TEST(RandomOpsTest, UnitRowsHaveLengthOne) {
  Rng rng(8);
  std::vector<NodeId> row, column;
  for (NodeId i = 0; i < 500; ++i)
    for (NodeId j = 0; j < 60; ++j)
      if (i % 7 != 3 && rng.uniform() < 0.2) row.push_back(i), column.push_back(j);
  const SparseOperand S = sparse_operand(csr_from_triplets(500, 60, row, column, {}, Dup::kBinary));
  Param identity("I", 60, 60);
  for (Index j = 0; j < 60; ++j) identity.value(j, j) = 1.0f;
  Tape tape;
  const Var v = unit_dropout_spmm(S, tape.param(identity), 0.5f);
  const Plan plan = tape.plan({v});
  std::set<Index> kept;  // how many entries the passes left
  for (const Pass& pass : {Pass{}, training(1), training(2)}) {
    tape.forward(plan, pass);
    Index entries = 0;
    for (Index i = 0; i < 500; ++i) {
      double square = 0;
      Index in_row = 0;
      for (Index j = 0; j < 60; ++j) {
        square += std::pow(v.value()(i, j), 2);
        in_row += v.value()(i, j) != 0.0f;
      }
      EXPECT_NEAR(square, in_row == 0 ? 0.0 : 1.0, 1e-6) << i;
      if (!pass.training) {
        EXPECT_EQ(in_row, S.A.row_ptr[i + 1] - S.A.row_ptr[i]);
      }
      entries += in_row;
    }
    if (pass.training) {
      EXPECT_NEAR(static_cast<double>(entries) / static_cast<double>(S.A.nnz()), 0.5, 0.03);
    }
    kept.insert(entries);
  }
  EXPECT_EQ(kept.size(), 3u);
}

TEST(RandomOpsTest, BadRatesAreRefused) {
  NumberedRows in;
  const Var x = in.tape.param(in.X);
  EXPECT_THROW(drop_rows(x, 1.0f), Error);
  EXPECT_THROW(drop_rows(x, -0.1f), Error);
  EXPECT_THROW(drop_rows(x, NAN), Error);
  EXPECT_EQ(drop_rows(x, 0.0f).node(), x.node());
}

}  // namespace
}  // namespace scrl
