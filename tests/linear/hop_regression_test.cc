#include "linear/hop_regression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "base/rng.h"
#include "linear/features.h"
#include "support/errors.h"

namespace scrl {
namespace {

// Rings of classes with a few edges between them; of each node's four features three are those of
// its class. `informative` off: features are noise, and the graph as well.
struct Graph {
  Csr X, Xt, A, At;
  std::vector<NodeId> nodes;
  std::vector<std::int32_t> labels;
  Index classes = 3;

  Graph(Index count, Index labelled, bool graph_helps = true, std::uint64_t seed = 3) {
    Rng rng(seed);
    std::vector<NodeId> fr, fc, ar, ac;
    std::vector<float> av;
    for (NodeId i = 0; i < count; ++i) {
      const Index y = i % classes;
      for (int f = 0; f < 4; ++f) {
        const bool own = graph_helps ? f == 0 : f > 0;
        fr.push_back(i);
        fc.push_back(static_cast<NodeId>(own ? y * 10 + static_cast<Index>(rng.below(10))
                                             : static_cast<Index>(rng.below(30))));
      }
      for (int e = 0; e < 4; ++e) {
        NodeId j = static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(count)));
        if (graph_helps) j = static_cast<NodeId>((j / classes * classes + y) % count);
        ar.push_back(i), ac.push_back(j), av.push_back(0.2f);
      }
      ar.push_back(i), ac.push_back(i), av.push_back(0.2f);
    }
    X = csr_from_triplets(count, 30, fr, fc, {}, Dup::kBinary);
    A = csr_from_triplets(count, count, ar, ac, av, Dup::kSum);
    Xt = transpose(X), At = transpose(A);
    for (NodeId i = 0; i < labelled; ++i) {
      nodes.push_back(static_cast<NodeId>((i * 7) % count));
      labels.push_back(static_cast<std::int32_t>(nodes.back() % classes));
    }
  }
  linear::HopGraph view() const { return {.X = &X, .Xt = &Xt, .A = &A, .At = &At}; }
  HopClassifier fit(std::optional<int> hops = {}, std::optional<double> C = {}) const {
    return fit_hops(view(), nodes, labels, classes, hops, C, 1);
  }
};

// Rows of A^k X in double, by plain loops.
std::vector<std::vector<double>> block(const Graph& g, int hop) {
  std::vector<std::vector<double>> now(g.X.rows, std::vector<double>(g.X.cols));
  for (Index i = 0; i < g.X.rows; ++i)
    for (Index e = g.X.row_ptr[i]; e < g.X.row_ptr[i + 1]; ++e) now[i][g.X.col[e]] += g.X.val[e];
  for (int k = 0; k < hop; ++k) {
    auto next = now;
    for (Index i = 0; i < g.X.rows; ++i) {
      std::fill(next[i].begin(), next[i].end(), 0.0);
      for (Index e = g.A.row_ptr[i]; e < g.A.row_ptr[i + 1]; ++e)
        for (Index j = 0; j < g.X.cols; ++j) next[i][j] += g.A.val[e] * now[g.A.col[e]][j];
    }
    now = next;
  }
  return now;
}

// |gradient| over |gradient at 0|, of the objective written down as in the header.
double stationarity(const Graph& g, const HopClassifier& head) {
  const std::size_t n = g.nodes.size();
  std::vector<std::vector<double>> z(n);
  std::vector<std::vector<double>> W;
  for (int k = 0; k <= head.hops; ++k) {
    const auto rows = block(g, k);
    double sum = 0;
    for (const NodeId i : g.nodes)
      for (const double v : rows[i]) sum += v * v;
    const double s = std::sqrt(static_cast<double>(n) / sum);
    for (std::size_t i = 0; i < n; ++i)
      for (const double v : rows[g.nodes[i]]) z[i].push_back(s * v);
    for (Index j = 0; j < g.X.cols; ++j) {
      W.emplace_back();
      for (Index c = 0; c < g.classes; ++c) W.back().push_back(head.W[k](j, c) / s);
    }
  }
  W.emplace_back();
  for (Index c = 0; c < g.classes; ++c) W.back().push_back(head.b(0, c));
  auto gradient = W, start = W;
  for (auto& row : start) std::fill(row.begin(), row.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    z[i].push_back(1);
    std::vector<double> p(g.classes);
    double sum = 0;
    for (Index c = 0; c < g.classes; ++c) {
      for (std::size_t j = 0; j < W.size(); ++j) p[c] += z[i][j] * W[j][c];
      sum += p[c] = std::exp(p[c]);
    }
    for (Index c = 0; c < g.classes; ++c)
      for (std::size_t j = 0; j < W.size(); ++j) {
        const double own = c == g.labels[i] ? 1 : 0;
        gradient[j][c] += head.C * z[i][j] * (p[c] / sum - own);
        start[j][c] += head.C * z[i][j] * (1.0 / static_cast<double>(g.classes) - own);
      }
  }
  const auto norm = [](const auto& rows) {
    double squares = 0;
    for (const auto& row : rows)
      for (const double v : row) squares += v * v;
    return std::sqrt(squares);
  };
  return norm(gradient) / norm(start);
}

TEST(HopRegressionTest, TheGradientIsZero) {
  const Graph g(300, 40);
  for (const int hops : {0, 1, 3})
    for (const double C : {0.1, 10.0, 1e4}) {
      const HopClassifier head = g.fit(hops, C);
      ASSERT_EQ(head.W.size(), static_cast<std::size_t>(hops) + 1);
      EXPECT_LT(stationarity(g, head), 2e-4) << hops << " hops, C = " << C;
    }
}

// More labelled nodes than are solved in the span of their rows. Scales are those of some of them,
// so the gradient is that of a problem a little different.
TEST(HopRegressionTest, ManyLabelledNodesAreTheSameProblem) {
  const Graph g(2000, 1500);
  const HopClassifier head = g.fit(1, 1.0);
  EXPECT_LT(stationarity(g, head), 0.03);
  const HopClassifier chosen = g.fit();
  EXPECT_GT(chosen.hops, 0);
}

TEST(HopRegressionTest, TheGraphIsUsedWhereItHelps) {
  EXPECT_GT(Graph(600, 90, true).fit().hops, 0);
  EXPECT_EQ(Graph(600, 90, false).fit().hops, 0);
}

TEST(HopRegressionTest, MoreNoiseMeansASmallerC) {
  Graph clean(600, 90, false), noisy = clean;
  Rng rng(9);
  for (std::int32_t& y : noisy.labels) y = static_cast<std::int32_t>(rng.below(3));
  EXPECT_LT(noisy.fit(0).C, clean.fit(0).C);
}

TEST(HopRegressionTest, WithoutTwoLabelsOfAClassNothingIsChosen) {
  Graph g(300, 3);
  g.labels = {0, 1, 2};
  const HopClassifier head = g.fit();
  EXPECT_EQ(head.hops, 2);
  EXPECT_EQ(head.C, 1);
  // A class with a single label is no obstacle.
  Graph more(600, 91);
  more.classes = 4;
  more.labels.back() = 3;
  EXPECT_GT(more.fit().hops, 0);
}

TEST(HopRegressionTest, AClassWithoutLabelsIsUnlikely) {
  Graph g(300, 40);
  g.classes = 4;
  const HopClassifier head = g.fit(0, 10.0);
  for (Index c = 0; c < 3; ++c) EXPECT_LT(head.b(0, 3), head.b(0, c));
}

TEST(HopRegressionTest, ThreadsDoNotChangeTheBits) {
  for (const Index labelled : {Index{60}, Index{1300}}) {
    const Graph g(1800, labelled);
    std::vector<float> first;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      const HopClassifier head = g.fit();
      std::vector<float> all = head.b.packed();
      for (const Matrix& W : head.W)
        for (const float w : W.packed()) all.push_back(w);
      if (first.empty()) first = all;
      EXPECT_EQ(first, all) << count << " threads";
    }
  }
  set_threads(0);
}

TEST(HopRegressionTest, WithoutLabelledNodesItIsAnError) {
  const Graph g(30, 0);
  error_of([&] { g.fit(); }, ErrorKind::kData);
}

// Rows that repeat each other have fewer coordinates than rows.
TEST(HopRegressionTest, CoordinatesGiveTheProductsBack) {
  Matrix Z(5, 3);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 3; ++j) Z(i, j) = static_cast<float>((i * 2 + j * j + i * j) % 5);
  const std::vector<double> gram = linear::gram(Z, 2.0);
  EXPECT_NEAR(gram[1 * 5 + 2], 4 * (Z(1, 0) * Z(2, 0) + Z(1, 1) * Z(2, 1) + Z(1, 2) * Z(2, 2)),
              1e-9);
  const linear::Coordinates c = linear::coordinates(gram, 5);
  EXPECT_LE(c.dims, 3);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 5; ++j) {
      double product = 0;
      for (Index d = 0; d < c.dims; ++d) product += c.x[i * c.dims + d] * c.x[j * c.dims + d];
      EXPECT_NEAR(product, gram[i * 5 + j], 1e-6);
    }
}

}  // namespace
}  // namespace scrl
