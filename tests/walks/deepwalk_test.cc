#include "walks/deepwalk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

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

SkipGramOptions small() {
  SkipGramOptions o;
  o.walks = 3, o.length = 12, o.window = 4, o.dim = 20, o.passes = 3;
  return o;
}

struct Tables {
  Matrix in, out;
  std::vector<double> losses;
};

Tables start(const SkipGram& engine, Index dim) {
  Tables t{Matrix(engine.nodes(), dim), Matrix(engine.output_rows(), dim), {}};
  initial_vectors(t.in, 5);
  return t;
}

Tables trained(const Csr& A, const SkipGramOptions& o) {
  SkipGram engine(A, o, 5);
  Tables t = start(engine, o.dim);
  for (int pass = 1; pass <= o.passes; ++pass) t.losses.push_back(engine.pass(pass, t.in, t.out));
  return t;
}

// What a step is made of, gathered without cleverness.
struct Gathered {
  std::map<Index, std::pair<float, float>> row;  // positive, total
  std::vector<Index> order;
  int pairs = 0;

  void look(Index at, bool positive) {
    if (!row.count(at)) order.push_back(at);
    row[at].first += positive ? 1.0f : 0.0f;
    row[at].second += 1.0f;
  }
  void step(Matrix& in, Index v, Matrix& out, float lr) {
    kernels::StepTargets targets;
    for (const Index at : order) {
      targets.row[targets.count] = static_cast<std::uint32_t>(at);
      targets.positive[targets.count] = row[at].first;
      targets.total[targets.count++] = row[at].second;
    }
    reference::skipgram_step(in.row(v), out.row(0), in.stride(), targets, lr, false);
    *this = {};
  }
};

// Word for word the loop of the header, with everything stored and in double precision.
Tables by_hand(const Csr& A, const SkipGramOptions& o) {
  const Walker walker(A, o.length, 5);
  const HuffmanTree tree(walker.degrees());
  const std::vector<double> degree(walker.degrees().begin(), walker.degrees().end());
  const AliasTable noise(noise_weights(degree));
  const Index inner = o.hierarchical ? tree.inner_nodes() : 0;
  Tables t{Matrix(A.rows, o.dim), Matrix(inner + (o.negative > 0 ? A.rows : 0), o.dim), {}};
  initial_vectors(t.in, 5);
  const Index joined = std::ssize(walker.joined()), all = joined * o.walks * o.passes;
  std::vector<NodeId> order, walk(static_cast<std::size_t>(o.length));
  for (int pass = 1; pass <= o.passes; ++pass) {
    for (Index number = 0; number < joined * o.walks; ++number) {
      if (number % joined == 0) walker.starts(pass, static_cast<int>(number / joined), order);
      walker.walk(pass, number, order[number % joined], walk);
      const double done = static_cast<double>((pass - 1) * joined * o.walks + number);
      const auto lr =
          static_cast<float>(o.lr - (o.lr - o.min_lr) * done / static_cast<double>(all));
      for (Index at = 0; at < o.length; ++at) {
        const auto block = static_cast<std::uint64_t>(number * (o.length / 4 + 1) + at / 4);
        const Philox4 bits = walk_rng(5, WalkStream::kRadii, pass).at(block);
        const Index radius = 1 + static_cast<Index>(std::uint64_t{bits[at % 4]} * o.window >> 32);
        const Index low = std::max<Index>(0, at - radius);
        Gathered gathered;
        for (Index other = low; other <= std::min<Index>(o.length - 1, at + radius); ++other) {
          if (other == at) continue;
          const NodeId c = walk[other];
          if (o.hierarchical) {
            for (const std::uint32_t way : tree.path(c)) gathered.look(way / 2, way % 2 == 1);
          }
          if (o.negative > 0) gathered.look(inner + c, true);
          const Index pair = (number * o.length + at) * 2 * o.window + other - low;
          for (Index k = 0; k < o.negative; ++k) {
            const Index x = noise.draw(bits_at(walk_rng(5, WalkStream::kNoise, pass),
                                               static_cast<std::uint64_t>(pair * o.negative + k)));
            if (x != c) gathered.look(inner + x, false);
          }
          if (++gathered.pairs == o.batch || gathered.order.size() >= 40) {
            gathered.step(t.in, walk[at], t.out, lr);
          }
        }
        if (gathered.pairs > 0) gathered.step(t.in, walk[at], t.out, lr);
      }
    }
  }
  return t;
}

void expect_close(const Matrix& a, const Matrix& b) {
  ASSERT_TRUE(a.same_shape(b));
  const auto x = a.packed(), y = b.packed();
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(x[i], y[i], 1e-4) << i;
    largest = std::max(largest, std::abs(double{y[i]}));
  }
  EXPECT_GT(largest, 0.05) << "nothing was learned";
}

TEST(DeepWalkTest, OneShardIsPlainDescent) {
  const Csr A = two_communities(24, 0.4, 0.05, 2);
  const std::tuple<bool, int, int> cases[] = {
      {true, 0, 1}, {true, 0, 8}, {true, 9, 8}, {false, 5, 1}, {false, 5, 3}};
  for (const auto& [hierarchical, negative, batch] : cases) {
    SCOPED_TRACE(cat("hierarchical ", hierarchical, ", negative ", negative, ", batch ", batch));
    SkipGramOptions o = small();
    o.hierarchical = hierarchical, o.negative = negative, o.batch = batch;
    o.sharding.shards = 1, o.round = 1;  // the rate of a round of one walk is that of the walk
    const Tables expected = by_hand(A, o), actual = trained(A, o);
    expect_close(actual.in, expected.in);
    expect_close(actual.out, expected.out);
  }
}

TEST(DeepWalkTest, LossFallsAndCommunitiesSeparate) {
  const Csr A = two_communities(80, 0.3, 0.02, 3);
  for (const int negative : {0, 4}) {
    SkipGramOptions o = small();
    o.walks = 10, o.length = 40, o.passes = 4, o.negative = negative, o.hierarchical = !negative;
    const Tables t = trained(A, o);
    EXPECT_LT(t.losses[1], t.losses[0]);
    EXPECT_LT(t.losses[3], 0.97 * t.losses[0]);
    EXPECT_GT(separation(t.in), 0.2) << "negative " << negative;
  }
}

TEST(DeepWalkTest, ShardsLearnAsWellAsPlainDescent) {
  const Csr A = two_communities(300, 0.08, 0.004, 4);
  SkipGramOptions o = small();
  o.walks = 10, o.length = 40, o.passes = 3;
  const Tables shards = trained(A, o);
  o.sharding.shards = 1;
  const Tables plain = trained(A, o);
  EXPECT_NEAR(shards.losses.back(), plain.losses.back(), 0.02 * plain.losses.back());
  EXPECT_GT(separation(shards.in), separation(plain.in) - 0.05);
}

TEST(DeepWalkTest, ThreadsDoNotChangeTheBits) {
  const Csr A = two_communities(100, 0.2, 0.02, 5);
  SkipGramOptions o = small();
  o.negative = 2;
  set_threads(1);
  const Tables alone = trained(A, o);
  for (const int count : {2, 3, 5}) {
    set_threads(count);
    const Tables t = trained(A, o);
    EXPECT_TRUE(same_bytes(t.in, alone.in)) << count;
    EXPECT_TRUE(same_bytes(t.out, alone.out)) << count;
    EXPECT_EQ(t.losses, alone.losses) << count;
  }
  set_threads(0);
}

TEST(DeepWalkTest, ResumesAfterAnyPass) {
  const Csr A = two_communities(50, 0.3, 0.05, 6);
  const SkipGramOptions o = small();
  const Tables whole = trained(A, o);
  SkipGram first(A, o, 5);
  Tables t = start(first, o.dim);
  first.pass(1, t.in, t.out);
  first.pass(2, t.in, t.out);
  SkipGram second(A, o, 5);  // a new process: the tables and the pass number are all it has
  EXPECT_EQ(second.pass(3, t.in, t.out), whole.losses[2]);
  EXPECT_TRUE(same_bytes(t.in, whole.in));
  EXPECT_TRUE(same_bytes(t.out, whole.out));
}

TEST(DeepWalkTest, NodesWithoutNeighboursKeepTheirVectors) {
  const Csr A = graph_of(6, {{0, 2}, {2, 5}, {3, 3}});
  const Tables t = trained(A, small());
  Matrix initial(6, 20);
  initial_vectors(initial, 5);
  EXPECT_EQ(t.out.rows(), 2);
  for (const Index i : {0, 2, 5}) EXPECT_NE(t.in(i, 0), initial(i, 0)) << i;
  for (const Index i : {1, 3, 4}) {
    for (Index j = 0; j < 20; ++j) EXPECT_EQ(t.in(i, j), initial(i, j));
  }
}

TEST(DeepWalkTest, WeightsAndLoopsDoNotMatter) {
  Csr A = two_communities(30, 0.3, 0.1, 7);
  const Tables t = trained(A, small());
  for (float& w : A.val) w = 3.5f;
  EXPECT_TRUE(same_bytes(trained(A, small()).in, t.in));
  EXPECT_EQ(SkipGram(A, small(), 5).tokens_per_pass(), 30 * 3 * 12);
}

TEST(DeepWalkTest, WhatCannotBeTrained) {
  const Csr A = two_communities(10, 0.9, 0.5, 8);
  EXPECT_THAT(error_of([] { SkipGram(graph_of(3, {}), small(), 1); }), HasSubstr("3 nodes"));
  SkipGramOptions o = small();
  o.hierarchical = false;
  EXPECT_THAT(error_of([&] { SkipGram(A, o, 1); }, ErrorKind::kUsage), HasSubstr("negative is 0"));
  o = small();
  o.window = 0;
  EXPECT_THAT(error_of([&] { SkipGram(A, o, 1); }, ErrorKind::kUsage), HasSubstr("window is 0"));
  SkipGram engine(A, small(), 1);
  Matrix in(10, 20), out(9, 20), wrong(10, 20);
  EXPECT_THROW(engine.pass(4, in, out), Error);
  EXPECT_THROW(engine.pass(0, in, out), Error);
  EXPECT_THAT(error_of([&] { engine.pass(1, in, wrong); }, ErrorKind::kRun), HasSubstr("9x20"));
}

}  // namespace
}  // namespace scrl
