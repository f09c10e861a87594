#include "neighbors/float_range.h"

#include <algorithm>
#include <cmath>

namespace scrl {
namespace {

constexpr int kSafeExponent = 30;    // squares of up to 2^60 leave room for sums of any length
constexpr float kWidest = 16777216;  // 2^24: the digits of float

float largest_of(const Matrix& X, Index i) {
  float largest = 0;
  for (const float v : X.row_span(i)) largest = std::max(largest, std::abs(v));
  return largest;
}

}  // namespace

int float_exponent(const Matrix& X) {
  float largest = 0;
  for (Index i = 0; i < X.rows(); ++i) largest = std::max(largest, largest_of(X, i));
  const int exponent = largest == 0 ? 0 : std::ilogb(largest);
  return std::abs(exponent) <= kSafeExponent ? 0 : exponent;
}

Matrix scaled(const Matrix& X, int exponent) {
  Matrix out(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) out(i, j) = std::scalbn(X(i, j), exponent);
  return out;
}

bool rows_differ_beyond_float(const Matrix& X) {
  float longest = 0, shortest = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const float length = largest_of(X, i);
    if (length == 0) continue;
    longest = std::max(longest, length);
    shortest = shortest == 0 ? length : std::min(shortest, length);
  }
  return longest / kWidest > shortest;
}

}  // namespace scrl
