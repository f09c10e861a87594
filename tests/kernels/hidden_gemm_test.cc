#include <array>

#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using HiddenGemmTest = EveryLevel;
SCRL_EVERY_LEVEL(HiddenGemmTest);

using Words = std::vector<std::uint64_t>;

// A layer of h columns and a product of n2, with rows around the size of a tile.
struct Problem {
  Matrix x, bias, W, dout;
  Problem(Index rows, Index h, Index n2)
      : x(random_matrix(rows, h, 1)),
        bias(random_matrix(1, h, 2)),
        W(random_matrix(h, n2, 3)),
        dout(random_matrix(rows, n2, 4)) {}
  Words words() const {
    return Words(static_cast<std::size_t>(x.rows() * kernels::hidden_words(x.cols())), ~0ull);
  }
};

// What the backward pass makes; the start values tell whether it adds or overwrites.
struct Gradients {
  Matrix dx, dbias, dW;
  explicit Gradients(const Problem& p, Layout layout = Layout::kRows)
      : dx(in_layout(random_matrix(p.x.rows(), p.x.cols(), 5), layout)),
        dbias(random_matrix(1, p.x.cols(), 6)),
        dW(random_matrix(p.W.rows(), p.W.cols(), 7)) {}
  kernels::HiddenGradients to(bool add_dbias, bool add_dW) {
    return {dx, dbias, dW, add_dbias, add_dW};
  }
};

struct Dropout {
  float p;
  bool random;
  float factor() const { return random ? 1.0f / (1.0f - p) : 1.0f; }
};
constexpr Dropout kDropouts[] = {{0.0f, true}, {0.3f, true}, {0.9f, true}, {0.3f, false}};
const Rng kRng(7, Purpose::kDropout, 2, 5);

double tolerance(Index terms, float factor) {
  return 1e-6 * factor * std::sqrt(static_cast<double>(terms) + 8);
}

void expect_twin(Index rows, Index h, Index n2, Dropout drop) {
  SCOPED_TRACE(cat("rows=", rows, " h=", h, " n2=", n2, " p=", drop.p, " random=", drop.random));
  const Problem P(rows, h, n2);
  const Rng* const rng = drop.random ? &kRng : nullptr;
  Matrix out = random_matrix(rows, n2, 8), expected = out, without_bits = out;
  Words bits = P.words(), expected_bits = P.words();
  kernels::hidden_gemm(P.x, P.bias, drop.p, rng, P.W, bits.data(), out);
  reference::hidden_gemm(P.x, P.bias, drop.p, rng, P.W, expected_bits.data(), expected);
  expect_near(out, expected, tolerance(h, drop.factor()));
  expect_zero_padding(out);
  EXPECT_EQ(bits, expected_bits);
  kernels::hidden_gemm(P.x, P.bias, drop.p, rng, P.W, nullptr, without_bits);
  EXPECT_TRUE(same_bytes(without_bits, out));

  const bool add_dbias = rows % 2 == 0, add_dW = h % 2 == 0;
  Gradients got(P), want(P);
  kernels::hidden_gemm_backward(P.x, P.bias, bits.data(), drop.factor(), P.W, P.dout,
                                got.to(add_dbias, add_dW));
  reference::hidden_gemm_backward(P.x, P.bias, expected_bits.data(), drop.factor(), P.W, P.dout,
                                  want.to(add_dbias, add_dW));
  EXPECT_EQ(bits, expected_bits) << "the backward pass changed the bits";
  expect_near(got.dx, want.dx, tolerance(n2, drop.factor()));
  expect_near(got.dbias, want.dbias, tolerance(rows + n2, drop.factor()));
  expect_near(got.dW, want.dW, tolerance(rows, drop.factor()));
  for (const Matrix* m : {&got.dx, &got.dbias, &got.dW}) expect_zero_padding(*m);
}

TEST_P(HiddenGemmTest, EqualsTheTwin) {
  for (const Index h : {1, 3, 16, 17, 64, 65, 130}) {
    for (const Index n2 : {1, 7, 16, 33, 130}) {
      for (const Index rows : {1, 63, 64, 65, 200}) {
        for (const Dropout drop : kDropouts) expect_twin(rows, h, n2, drop);
      }
    }
  }
}

TEST_P(HiddenGemmTest, AddsOnlyWhereAsked) {
  const Problem P(70, 40, 20);
  Words bits = P.words();
  Matrix out(70, 20);
  kernels::hidden_gemm(P.x, P.bias, 0.5f, &kRng, P.W, bits.data(), out);
  for (const bool add_dbias : {false, true}) {
    for (const bool add_dW : {false, true}) {
      SCOPED_TRACE(cat(add_dbias, add_dW));
      Gradients got(P), want(P);
      kernels::hidden_gemm_backward(P.x, P.bias, bits.data(), 2.0f, P.W, P.dout,
                                    got.to(add_dbias, add_dW));
      reference::hidden_gemm_backward(P.x, P.bias, bits.data(), 2.0f, P.W, P.dout,
                                      want.to(add_dbias, add_dW));
      expect_near(got.dbias, want.dbias, 1e-5);
      expect_near(got.dW, want.dW, 1e-5);
    }
  }
}

TEST_P(HiddenGemmTest, LayoutsDoNotChangeTheBits) {
  for (const Index h : {10, 17, 33, 65, 130}) {
    for (const Index n2 : {7, 33, 48, 130}) {
      const Problem P(130, h, n2);
      Words bits = P.words();
      Matrix out(130, n2);
      Gradients in_rows(P);
      kernels::hidden_gemm(P.x, P.bias, 0.4f, &kRng, P.W, bits.data(), out);
      kernels::hidden_gemm_backward(P.x, P.bias, bits.data(), 1.5f, P.W, P.dout,
                                    in_rows.to(true, false));
      for (const Layout hidden : kLayouts) {
        for (const Layout product : kLayouts) {
          SCOPED_TRACE(cat("h=", h, " n2=", n2, " x in panels=", hidden == Layout::kPanels,
                           " out in panels=", product == Layout::kPanels));
          const Matrix x = in_layout(P.x, hidden);
          Matrix other_out = in_layout(random_matrix(130, n2, 9), product);
          Words other_bits = P.words();
          kernels::hidden_gemm(x, P.bias, 0.4f, &kRng, P.W, other_bits.data(), other_out);
          expect_same_bits(other_out, out);
          EXPECT_EQ(other_bits, bits);
          Gradients other(P, hidden);
          kernels::hidden_gemm_backward(x, P.bias, bits.data(), 1.5f, P.W,
                                        in_layout(P.dout, product), other.to(true, false));
          expect_same_bits(other.dx, in_rows.dx);
          expect_same_bits(other.dW, in_rows.dW);
          expect_same_bits(other.dbias, in_rows.dbias);
        }
      }
    }
  }
}

// A loss that is not a number must stay visible behind the layer.
TEST_P(HiddenGemmTest, NanSurvives) {
  Problem P(67, 70, 20);
  P.x(65, 69) = NAN;
  Matrix out(67, 20);
  Words bits = P.words();
  kernels::hidden_gemm(P.x, P.bias, 0.5f, nullptr, P.W, bits.data(), out);
  for (Index i = 0; i < out.rows(); ++i) {
    for (const float v : out.row_span(i)) EXPECT_EQ(std::isnan(v), i == 65) << i;
  }
}

TEST_P(HiddenGemmTest, ALayerOfZeros) {
  Problem P(67, 70, 20);
  P.bias.fill(-2.0f);
  Matrix out = random_matrix(67, 20, 9);
  Words bits = P.words();
  kernels::hidden_gemm(P.x, P.bias, 0.5f, &kRng, P.W, bits.data(), out);
  EXPECT_TRUE(same_bytes(out, Matrix(67, 20)));
  EXPECT_EQ(bits, Words(bits.size(), 0));
  Gradients got(P);
  kernels::hidden_gemm_backward(P.x, P.bias, bits.data(), 2.0f, P.W, P.dout, got.to(false, false));
  EXPECT_TRUE(same_bytes(got.dx, Matrix(67, 70)));
  EXPECT_TRUE(same_bytes(got.dbias, Matrix(1, 70)));
  EXPECT_TRUE(same_bytes(got.dW, Matrix(70, 20)));
}

TEST_P(HiddenGemmTest, EmptySides) {
  for (const auto& [rows, h, n2] : {std::array<Index, 3>{0, 5, 4}, {6, 0, 4}, {6, 5, 0}}) {
    SCOPED_TRACE(cat(rows, "x", h, " times ", h, "x", n2));
    const Problem P(rows, h, n2);
    Words bits = P.words();
    Matrix out = random_matrix(rows, n2, 9), expected(rows, n2);
    kernels::hidden_gemm(P.x, P.bias, 0.5f, nullptr, P.W, bits.data(), out);
    reference::hidden_gemm(P.x, P.bias, 0.5f, nullptr, P.W, nullptr, expected);
    EXPECT_TRUE(same_bytes(out, expected));
    for (const bool add : {false, true}) {
      Gradients got(P), want(P);
      kernels::hidden_gemm_backward(P.x, P.bias, bits.data(), 1.0f, P.W, P.dout, got.to(add, add));
      reference::hidden_gemm_backward(P.x, P.bias, bits.data(), 1.0f, P.W, P.dout,
                                      want.to(add, add));
      expect_near(got.dx, want.dx, 0.0);
      expect_near(got.dbias, want.dbias, 0.0);
      expect_near(got.dW, want.dW, 0.0);
    }
  }
}

// More rows than one tile per slice.
TEST_P(HiddenGemmTest, ThreadsDoNotChangeTheBits) {
  const Problem P(5000, 130, 50);
  for (const int part : {0, 1, 2, 3}) {
    SCOPED_TRACE(part);
    expect_thread_independent([&] {
      Words bits = P.words();
      Matrix out(5000, 50);
      Gradients got(P, Layout::kPanels);
      kernels::hidden_gemm(P.x, P.bias, 0.5f, &kRng, P.W, bits.data(), out);
      kernels::hidden_gemm_backward(P.x, P.bias, bits.data(), 2.0f, P.W, P.dout,
                                    got.to(false, true));
      return part == 0 ? out : part == 1 ? got.dx : part == 2 ? got.dbias : got.dW;
    });
  }
}

TEST_P(HiddenGemmTest, ErrorsNameBothShapes) {
  const Problem P(4, 40, 3);
  Words bits = P.words();
  Matrix out(4, 3), wrong(3, 4);
  const auto forward = [&](const Matrix& x, const Matrix& bias, const Matrix& W, Matrix& to) {
    return [&] { kernels::hidden_gemm(x, bias, 0.5f, nullptr, W, bits.data(), to); };
  };
  expect_error(forward(P.x, wrong, P.W, out), {"hidden_gemm: ", "4x40", "1x40", "3x4"});
  expect_error(forward(P.x, P.bias, wrong, out), {"hidden_gemm: ", "4x40", "40 rows", "3x4"});
  expect_error(forward(P.x, P.bias, P.W, wrong), {"hidden_gemm: ", "out", "4x3", "3x4"});
  const Matrix W_in_panels(40, 40, Layout::kPanels);
  Matrix wide(4, 40);
  expect_error(forward(P.x, P.bias, W_in_panels, wide), {"panels"});
  const auto backward = [&](const Matrix& dout, Matrix& dx, Matrix& dbias, Matrix& dW) {
    return [&, gradients = kernels::HiddenGradients{dx, dbias, dW, false, false}] {
      kernels::hidden_gemm_backward(P.x, P.bias, bits.data(), 1.0f, P.W, dout, gradients);
    };
  };
  Gradients got(P);
  expect_error(backward(wrong, got.dx, got.dbias, got.dW),
               {"hidden_gemm_backward: ", "dout", "4x3", "3x4"});
  expect_error(backward(P.dout, wrong, got.dbias, got.dW), {"dx", "4x40", "3x4"});
  expect_error(backward(P.dout, got.dx, wrong, got.dW), {"dbias", "1x40", "3x4"});
  expect_error(backward(P.dout, got.dx, got.dbias, wrong), {"dW", "40x3", "3x4"});
}

}  // namespace
}  // namespace scrl
