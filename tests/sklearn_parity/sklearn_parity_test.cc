// Heads, k-means and t-SNE against scikit-learn. make_sklearn.py writes its side to the folder in
// SCRL_SKLEARN_PARITY, one folder per problem; the first word of its name says what is compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "base/error.h"
#include "embedding2d/embedding_quality.h"
#include "embedding2d/tsne.h"
#include "io/npy.h"
#include "linear/cross_validate.h"
#include "linear/hop_regression.h"
#include "linear/softmax_adam.h"
#include "models/kmeans.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;

std::string folder() {
  const char* path = std::getenv("SCRL_SKLEARN_PARITY");
  return path ? path : "";
}

std::vector<std::string> problems(const std::string& kind) {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder(), none))
    if (entry.path().filename().string().starts_with(kind)) out.push_back(entry.path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

class Problem : public ::testing::TestWithParam<std::string> {
 protected:
  // One or two dimensions; one becomes a row.
  static Matrix read(const std::string& name) {
    NpyReader in(open_file(folder() + "/" + GetParam() + "/" + name + ".npy"));
    const auto& shape = in.header().shape;
    Matrix out(shape.size() == 2 ? shape[0] : 1, shape.back());
    check(!in.header().fortran_order || shape.size() == 1, name, ": expected C order");
    out.assign_packed(in.rest<float>());
    return out;
  }
  static std::vector<std::int32_t> whole(const std::string& name) {
    std::vector<std::int32_t> out;
    for (const float value : read(name).packed()) out.push_back(static_cast<std::int32_t>(value));
    return out;
  }
  static std::vector<NodeId> all_rows(const Matrix& Z) {
    std::vector<NodeId> out(static_cast<std::size_t>(Z.rows()));
    std::iota(out.begin(), out.end(), NodeId{0});
    return out;
  }
  // Largest difference relative to the largest entry.
  static double difference(const Matrix& got, const Matrix& want) {
    check(got.same_shape(want), "shapes differ");
    double scale = 1e-12, worst = 0;
    for (Index i = 0; i < want.rows(); ++i)
      for (Index j = 0; j < want.cols(); ++j) {
        scale = std::max<double>(scale, std::abs(want(i, j)));
        worst = std::max<double>(worst, std::abs(double{got(i, j)} - want(i, j)));
      }
    return worst / scale;
  }
};

using LogisticParity = Problem;
TEST_P(LogisticParity, CoefficientsAndPredictions) {
  const Matrix Z = read("Z"), others = read("others"), want = read("W");
  const LinearClassifier head =
      logistic_one_vs_rest(Z, all_rows(Z), whole("labels"), want.cols(), read("C")(0, 0));
  EXPECT_LE(difference(head.W, want), 1e-5);
  EXPECT_LE(difference(head.b, read("b")), 1e-5);
  EXPECT_EQ(predict(head, others, all_rows(others)), whole("predicted"));
}

// DGI's classifier stops after 100 steps; with enough of them it is softmax regression.
using SoftmaxParity = Problem;
TEST_P(SoftmaxParity, TheSameProbabilitiesAfterManySteps) {
  const Matrix Z = read("Z"), others = read("others"), want = read("probabilities");
  const Index classes = want.cols();
  const LinearClassifier head = softmax_adam(Z, all_rows(Z), whole("labels"), classes, 1,
                                             {.repeats = 2, .steps = 3000, .lr = 0.01});
  for (Index i = 0; i < others.rows(); ++i) {
    std::vector<double> p(static_cast<std::size_t>(classes));
    double sum = 0;
    for (Index c = 0; c < classes; ++c) {
      p[c] = head.b(0, c);
      for (Index j = 0; j < Z.cols(); ++j) p[c] += double{others(i, j)} * head.W(j, c);
      sum += p[c] = std::exp(p[c]);
    }
    for (Index c = 0; c < classes; ++c)
      EXPECT_NEAR(p[c] / sum, want(i, c), 1e-3) << "row " << i << ", class " << c;
  }
}

// On a node's own features, sgc's classifier is scikit-learn's multinomial one.
using MultinomialParity = Problem;
TEST_P(MultinomialParity, Coefficients) {
  const Matrix Z = read("Z"), want = read("W");
  Csr X{.rows = Z.rows(), .cols = Z.cols()};
  X.row_ptr = {0};
  for (Index i = 0; i < Z.rows(); ++i) {
    for (Index j = 0; j < Z.cols(); ++j)
      X.col.push_back(static_cast<NodeId>(j)), X.val.push_back(Z(i, j));
    X.row_ptr.push_back(X.nnz());
  }
  const Csr Xt = transpose(X);
  const HopClassifier head = fit_hops({.X = &X, .Xt = &Xt}, all_rows(Z), whole("labels"),
                                      want.cols(), 0, read("C")(0, 0), 1);
  EXPECT_LE(difference(head.W[0], want), 1e-4);
  EXPECT_LE(difference(head.b, read("b")), 1e-4);
}

using ChoiceParity = Problem;
TEST_P(ChoiceParity, AccuraciesOfAllCandidatesOnTheSameFolds) {
  const Matrix Z = read("Z"), want = read("accuracy");
  const auto labels = whole("labels");
  const auto classes = 1 + *std::max_element(labels.begin(), labels.end());
  const auto got = cross_validate(Z, all_rows(Z), labels, classes, whole("folds"));
  ASSERT_EQ(static_cast<Index>(got.size()), want.cols());
  for (Index n = 0; n < want.cols(); ++n) EXPECT_NEAR(got[n], want(0, n), 1e-6) << "C number " << n;
  const auto values = want.packed();  // the problem is no good if all are alike
  EXPECT_GT(*std::max_element(values.begin(), values.end()),
            *std::min_element(values.begin(), values.end()) + 0.01);
}

using ClustersParity = Problem;
TEST_P(ClustersParity, TheSameClustersFromTheSameStart) {
  const Clusters got = kmeans(read("Z"), read("initial"), 300);
  EXPECT_EQ(got.of, whole("of"));
  EXPECT_LE(difference(got.centres, read("centres")), 1e-5);
  const double want = read("inertia")(0, 0);
  EXPECT_NEAR(got.inertia, want, 1e-5 * want);
  EXPECT_GT(got.iterations, 2);
}

using StartParity = Problem;
TEST_P(StartParity, RandomStartsAreAsGood) {
  const Matrix Z = read("Z");
  std::vector<double> found;
  for (std::uint64_t seed = 0; seed < 15; ++seed)
    found.push_back(kmeans(Z, whole("clusters")[0], 30, seed).inertia);
  std::nth_element(found.begin(), found.begin() + 7, found.end());
  EXPECT_LE(found[7], 1.03 * read("inertia")(0, 0));
  EXPECT_GE(found[7], 0.9 * read("inertia")(0, 0));  // or one of the two counts something else
}

using MapParity = Problem;
TEST_P(MapParity, TrustworthinessAndAMapAsGood) {
  const Matrix Z = read("Z"), theirs = read("map"), want = read("trust");
  for (const int k : {5, 10}) {
    EXPECT_NEAR(embedding_quality(Z, theirs, k, all_rows(Z)).trustworthiness, want(0, k == 10),
                1e-5);
  }
  TsneOptions o;
  o.perplexity = read("perplexity")(0, 0);
  o.iterations = 1000, o.learning_rate = 200;  // theirs; their gradient is four times ours
  double kl = 0;
  const Matrix ours = tsne(Z, o, nullptr, [&](const TsneProgress& p) { kl = p.kl; });
  EXPECT_GT(embedding_quality(Z, ours, 10, all_rows(Z)).trustworthiness, want(0, 1) - 0.005);
  EXPECT_NEAR(kl, read("kl")(0, 0), 0.05 * kl);  // both minimise the same
}

TEST(HeadsParity, ProblemsAreThere) {
  for (const char* kind :
       {"logistic", "multinomial", "softmax", "choice", "clusters", "start", "map"})
    EXPECT_FALSE(problems(kind).empty())
        << "run make_sklearn.py FOLDER, and set SCRL_SKLEARN_PARITY=FOLDER";
}

const auto kName = [](const auto& problem) { return problem.param; };
INSTANTIATE_TEST_SUITE_P(All, LogisticParity, ::testing::ValuesIn(problems("logistic")), kName);
INSTANTIATE_TEST_SUITE_P(All, MultinomialParity, ::testing::ValuesIn(problems("multinomial")),
                         kName);
INSTANTIATE_TEST_SUITE_P(All, SoftmaxParity, ::testing::ValuesIn(problems("softmax")), kName);
INSTANTIATE_TEST_SUITE_P(All, ChoiceParity, ::testing::ValuesIn(problems("choice")), kName);
INSTANTIATE_TEST_SUITE_P(All, ClustersParity, ::testing::ValuesIn(problems("clusters")), kName);
INSTANTIATE_TEST_SUITE_P(All, MapParity, ::testing::ValuesIn(problems("map")), kName);
INSTANTIATE_TEST_SUITE_P(All, StartParity, ::testing::ValuesIn(problems("start")), kName);

}  // namespace
}  // namespace scrl
