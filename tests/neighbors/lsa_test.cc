#include "neighbors/lsa.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "base/rng.h"
#include "neighbors/knn.h"

namespace scrl {
namespace {

// `per` rows for each of `subjects`, of 4 words drawn from the 10 of the subject and one from 200
// that have no subject.
Csr texts(Index subjects, Index per) {
  Rng rng(5);
  std::vector<NodeId> row, col;
  const auto below = [&](Index n) {
    return static_cast<NodeId>(std::min<double>(rng.uniform() * static_cast<double>(n), n - 1.0));
  };
  for (Index i = 0; i < subjects * per; ++i) {
    for (int w = 0; w < 4; ++w) {
      row.push_back(static_cast<NodeId>(i));
      col.push_back(static_cast<NodeId>(10 * (i % subjects) + below(10)));
    }
    row.push_back(static_cast<NodeId>(i));
    col.push_back(static_cast<NodeId>(10 * subjects + below(200)));
  }
  return csr_from_triplets(subjects * per, 10 * subjects + 200, row, col, {}, Dup::kBinary);
}

double same_subject(const Neighbours& n, Index subjects) {
  double same = 0, all = 0;
  for (Index i = 0; i < n.nodes; ++i)
    for (int j = 0; j < n.k; ++j) {
      const NodeId other = n.id[static_cast<std::size_t>(i * n.k + j)];
      if (other < 0) continue;
      same += i % subjects == other % subjects;
      ++all;
    }
  return same / all;
}

TEST(Latent, WordsOfOneSubjectFallIntoOneDirection) {
  const Csr X = texts(6, 50);
  const Csr Y = lsa_rows(X, 6);
  EXPECT_EQ(Y.rows, 300);
  EXPECT_EQ(Y.cols, 6);
  EXPECT_LT(same_subject(nearest(X, 49), 6), 0.97);  // some texts of a subject share no word
  EXPECT_GT(same_subject(nearest(Y, 49), 6), 0.99);  // 49 others have the same
}

TEST(Latent, AllDirectionsKeepEveryCosine) {
  const Csr X = texts(2, 4), U = unit_rows(X);
  const Csr Y = lsa_rows(X, X.cols);
  const auto dot = [](const Csr& a, Index i, Index j) {
    double sum = 0;
    for (Index e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e)
      for (Index f = a.row_ptr[j]; f < a.row_ptr[j + 1]; ++f)
        if (a.col[e] == a.col[f]) sum += double{a.val[e]} * a.val[f];
    return sum;
  };
  for (Index i = 0; i < X.rows; ++i)
    for (Index j = 0; j < X.rows; ++j) EXPECT_NEAR(dot(Y, i, j), dot(U, i, j), 1e-4);
}

TEST(Latent, EmptyRowsStayEmptyAndThreadsDoNotChangeTheBits) {
  Csr X = texts(6, 500);
  X.row_ptr.push_back(X.nnz()), ++X.rows;
  set_threads(1);
  const Csr alone = lsa_rows(X, 20);
  EXPECT_EQ(alone.row_nnz(X.rows - 1), 0);
  validate(alone, "latent rows");
  for (const int count : {2, 3}) {
    set_threads(count);
    const Csr again = lsa_rows(X, 20);
    EXPECT_EQ(again.col, alone.col) << count;
    EXPECT_EQ(again.val, alone.val) << count;
  }
  set_threads(0);
  EXPECT_EQ(lsa_rows(Csr{.rows = 3, .cols = 0, .row_ptr = {0, 0, 0, 0}}, 4).nnz(), 0);
}

}  // namespace
}  // namespace scrl
