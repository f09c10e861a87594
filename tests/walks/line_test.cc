#include "walks/line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "base/parallel.h"
#include "graphs.h"
#include "kernels/reference.h"
#include "support/errors.h"
#include "walks/initial.h"
#include "walks/streams.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

LineOptions small(int order) {
  LineOptions o;
  o.order = order, o.dim = 20, o.passes = 3, o.samples = 9000;
  return o;
}

struct Tables {
  Matrix in, out;
  std::vector<double> losses;
};

Tables start(const Line& engine, Index dim) {
  Tables t{Matrix(engine.nodes(), dim), Matrix(engine.output_rows(), dim), {}};
  initial_vectors(t.in, 5);
  return t;
}

Tables trained(const Csr& A, const LineOptions& o) {
  Line engine(A, o, 5);
  Tables t = start(engine, o.dim);
  for (int pass = 1; pass <= o.passes; ++pass) t.losses.push_back(engine.pass(pass, t.in, t.out));
  return t;
}

// Word for word the loop of the header. REQUIRES: A has no loops.
Tables by_hand(const Csr& A, const LineOptions& o) {
  std::vector<double> weight(A.val.begin(), A.val.end()), degree(static_cast<std::size_t>(A.rows));
  std::vector<NodeId> source;
  for (Index i = 0; i < A.rows; ++i) {
    for (const float w : A.row_vals(i)) {
      degree[i] += w;
      source.push_back(static_cast<NodeId>(i));
    }
  }
  const AliasTable edges(weight), noise(noise_weights(degree));
  Tables t{Matrix(A.rows, o.dim), Matrix(o.order == 2 ? A.rows : 0, o.dim), {}};
  initial_vectors(t.in, 5);
  Matrix& contexts = o.order == 2 ? t.out : t.in;
  const Index each = o.samples / o.passes;
  for (Index n = 0; n < each * o.passes; ++n) {
    const Rng rng(5, Purpose::kEdges, 0, static_cast<std::uint32_t>(1 + n / each));
    const auto draw = [&](Index k) {
      return bits_at(rng, static_cast<std::uint64_t>(n % each * ((o.negative + 2) / 2) * 2 + k));
    };
    const Index edge = edges.draw(draw(0));
    std::map<Index, std::pair<float, float>> looks = {{A.col[edge], {1.0f, 1.0f}}};
    for (Index k = 1; k <= o.negative; ++k) {
      const Index x = noise.draw(draw(k));
      if (o.order == 2 || x != source[edge]) looks[x].second += 1.0f;
    }
    kernels::StepTargets targets;
    for (const auto& [row, counts] : looks) {
      targets.row[targets.count] = static_cast<std::uint32_t>(row);
      targets.positive[targets.count] = counts.first;
      targets.total[targets.count++] = counts.second;
    }
    const double left = 1.0 - static_cast<double>(n) / static_cast<double>(each * o.passes);
    reference::skipgram_step(t.in.row(source[edge]), contexts.row(0), t.in.stride(), targets,
                             static_cast<float>(o.lr * std::max(left, 1e-4)), false);
  }
  return t;
}

TEST(LineTest, OneShardIsPlainDescent) {
  Csr A = two_communities(24, 0.4, 0.05, 2);
  for (std::size_t e = 0; e < A.val.size(); ++e) A.val[e] = 1.0f + static_cast<float>(e % 3);
  for (const int order : {1, 2}) {
    for (const int negative : {1, 4, 5}) {
      SCOPED_TRACE(cat("order ", order, ", negative ", negative));
      LineOptions o = small(order);
      o.negative = negative, o.sharding.shards = 1, o.round = 1;
      const Tables expected = by_hand(A, o), actual = trained(A, o);
      const auto x = actual.in.packed(), y = expected.in.packed();
      double largest = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_NEAR(x[i], y[i], 1e-4) << i;
        largest = std::max(largest, std::abs(double{y[i]}));
      }
      EXPECT_GT(largest, 0.05) << "nothing was learned";
      const auto c = actual.out.packed(), d = expected.out.packed();
      ASSERT_EQ(c.size(), d.size());
      for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], d[i], 1e-4) << i;
    }
  }
}

TEST(LineTest, LossFallsAndCommunitiesSeparate) {
  const Csr A = two_communities(80, 0.3, 0.02, 3);
  for (const int order : {1, 2}) {
    LineOptions o = small(order);
    o.samples = 400'000;
    const Tables t = trained(A, o);
    EXPECT_LT(t.losses[1], t.losses[0]) << order;
    EXPECT_LT(t.losses[2], 0.98 * t.losses[0]) << order;
    EXPECT_GT(separation(t.in), 0.15) << order;
  }
}

TEST(LineTest, ShardsLearnAsWellAsPlainDescent) {
  const Csr A = two_communities(300, 0.08, 0.004, 4);
  for (const int order : {1, 2}) {
    LineOptions o = small(order);
    o.samples = 600'000;
    const Tables shards = trained(A, o);
    o.sharding.shards = 1;
    const Tables plain = trained(A, o);
    EXPECT_NEAR(shards.losses.back(), plain.losses.back(), 0.03 * plain.losses.back()) << order;
    EXPECT_NEAR(separation(shards.in), separation(plain.in), 0.1) << order;
  }
}

// An edge that weighs next to nothing is next to never drawn.
TEST(LineTest, WeightsCount) {
  Csr A = graph_of(4, {{0, 1}, {2, 3}});
  A.val = {1.0f, 1.0f, 1e-12f, 1e-12f};
  const Tables t = trained(A, small(2));
  Matrix initial(4, 20);
  initial_vectors(initial, 5);
  for (Index j = 0; j < 20; ++j) {
    EXPECT_NE(t.in(0, j), initial(0, j));
    EXPECT_NE(t.in(1, j), initial(1, j));
    EXPECT_EQ(t.in(2, j), initial(2, j));
    EXPECT_EQ(t.in(3, j), initial(3, j));
  }
}

TEST(LineTest, ThreadsDoNotChangeTheBits) {
  const Csr A = two_communities(100, 0.2, 0.02, 5);
  for (const int order : {1, 2}) {
    set_threads(1);
    const Tables alone = trained(A, small(order));
    for (const int count : {2, 3, 5}) {
      set_threads(count);
      const Tables t = trained(A, small(order));
      EXPECT_TRUE(same_bytes(t.in, alone.in)) << count;
      EXPECT_TRUE(same_bytes(t.out, alone.out)) << count;
      EXPECT_EQ(t.losses, alone.losses) << count;
    }
  }
  set_threads(0);
}

TEST(LineTest, ResumesAfterAnyPass) {
  const Csr A = two_communities(50, 0.3, 0.05, 6);
  for (const int order : {1, 2}) {
    const Tables whole = trained(A, small(order));
    Line first(A, small(order), 5);
    Tables t = start(first, 20);
    first.pass(1, t.in, t.out);
    first.pass(2, t.in, t.out);
    Line second(A, small(order), 5);
    EXPECT_EQ(second.pass(3, t.in, t.out), whole.losses[2]);
    EXPECT_TRUE(same_bytes(t.in, whole.in));
    EXPECT_TRUE(same_bytes(t.out, whole.out));
  }
}

TEST(LineTest, NodesWithoutNeighboursKeepTheirVectors) {
  const Csr A = graph_of(6, {{0, 2}, {2, 5}, {3, 3}});
  for (const int order : {1, 2}) {
    const Tables t = trained(A, small(order));
    Matrix initial(6, 20);
    initial_vectors(initial, 5);
    for (const Index i : {0, 2, 5}) EXPECT_NE(t.in(i, 0), initial(i, 0)) << i;
    for (const Index i : {1, 3, 4}) {
      for (Index j = 0; j < 20; ++j) EXPECT_EQ(t.in(i, j), initial(i, j));
    }
  }
}

TEST(LineTest, SamplesByDefault) {
  const Csr A = two_communities(10, 0.9, 0.5, 8);
  LineOptions o;
  EXPECT_EQ(Line(A, o, 1).samples_per_pass(), 2500 * A.nnz() / o.passes);  // a small graph
  o.samples = 7, o.passes = 3;
  EXPECT_EQ(Line(A, o, 1).samples_per_pass(), 3);
}

TEST(LineTest, WhatCannotBeTrained) {
  EXPECT_THAT(error_of([] { Line(graph_of(3, {{1, 1}}), small(1), 1); }), HasSubstr("3 nodes"));
  Csr A = two_communities(10, 0.9, 0.5, 8);
  LineOptions o = small(3);
  EXPECT_THAT(error_of([&] { Line(A, o, 1); }, ErrorKind::kUsage), HasSubstr("order is 3"));
  Line engine(A, small(2), 1);
  Matrix in(10, 20), none(0, 20);
  EXPECT_THAT(error_of([&] { engine.pass(1, in, none); }, ErrorKind::kRun), HasSubstr("10x20"));
  A.val[0] = -1.0f;
  EXPECT_THAT(error_of([&] { Line(A, small(1), 1); }), HasSubstr("weight -1"));
}

}  // namespace
}  // namespace scrl
