// tests/support/every_level.h: fixture and helpers shared by the kernel tests. A test of this
// fixture runs once per instruction set of this CPU.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "kernels/simd.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

// Both sides of every vector width.
inline const std::vector<Index> kWidths = {1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 130};

class EveryLevel : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    kernels::set_simd_level(GetParam());
    ASSERT_EQ(kernels::simd_level(), GetParam());
  }
  void TearDown() override {
    kernels::set_simd_level(kernels::simd_levels().back());
    set_threads(0);
  }
};

#define SCRL_EVERY_LEVEL(Fixture)                                                              \
  INSTANTIATE_TEST_SUITE_P(Simd, Fixture, ::testing::ValuesIn(::scrl::kernels::simd_levels()), \
                           [](const auto& level) { return level.param; })

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed, float low = -1.0f,
                            float high = 1.0f) {
  Matrix m(rows, cols);
  const Rng rng(seed);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      m(i, j) = low + (high - low) * rng.uniform_at(static_cast<std::uint64_t>(i * cols + j));
    }
  }
  return m;
}

// About `density` of the entries, and every seventh row empty.
inline Csr random_csr(Index rows, Index cols, double density, std::uint64_t seed) {
  Csr a;
  a.rows = rows, a.cols = cols;
  Rng rng(seed);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols && i % 7 != 3; ++j) {
      if (rng.uniform() >= density) continue;
      a.col.push_back(static_cast<NodeId>(j));
      a.val.push_back(static_cast<float>(2.0 * rng.uniform() - 1.0));
    }
    a.row_ptr.push_back(a.nnz());
  }
  return a;
}

inline void expect_near(const Matrix& actual, const Matrix& expected, double tolerance) {
  ASSERT_TRUE(actual.same_shape(expected));
  for (Index i = 0; i < actual.rows(); ++i) {
    for (Index j = 0; j < actual.cols(); ++j) {
      const double bound = tolerance * std::max(1.0, std::abs(double{expected(i, j)}));
      ASSERT_NEAR(actual(i, j), expected(i, j), bound) << "at " << i << "," << j;
    }
  }
}

inline void expect_zero_padding(const Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = m.cols(); j < m.stride(); ++j) ASSERT_EQ(*m.at(i, j), 0.0f) << i << "," << j;
  }
}

// The buffers are equal, padding included.
inline bool same_bytes(const Matrix& a, const Matrix& b) {
  if (!a.same_shape(b) || a.layout() != b.layout() || a.size() != b.size()) return false;
  return a.empty() ||
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

inline constexpr Layout kLayouts[] = {Layout::kRows, Layout::kPanels};

inline Matrix in_layout(const Matrix& m, Layout layout) {
  Matrix out(m.rows(), m.cols(), layout);
  out.assign_packed(m.packed());
  return out;
}

// `m`, in whatever layout, holds the very bits of `in_rows`, and nothing in its padding.
inline void expect_same_bits(const Matrix& m, const Matrix& in_rows) {
  EXPECT_TRUE(same_bytes(in_layout(m, Layout::kRows), in_rows));
  expect_zero_padding(m);
}

// `run` must return the same bytes for any number of threads.
inline void expect_thread_independent(const std::function<Matrix()>& run) {
  set_threads(1);
  const Matrix alone = run();
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    EXPECT_TRUE(same_bytes(run(), alone)) << count << " threads";
  }
  set_threads(0);
}

// `run` must throw an Error whose message holds each of `parts`.
inline void expect_error(const std::function<void()>& run, const std::vector<std::string>& parts) {
  try {
    run();
    FAIL() << "no error";
  } catch (const Error& error) {
    for (const auto& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << "\"" << part << "\" is not in: " << error.what();
    }
  }
}

}  // namespace scrl
