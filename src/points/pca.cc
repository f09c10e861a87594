#include "points/pca.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/kernels.h"

namespace scrl {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// False when nothing is left.
bool to_unit(Vector& v) {
  const double length = std::sqrt(dot(v, v));
  for (double& x : v) x = length > 0 ? x / length : 0;
  return length > 0;
}

void remove_part(const Vector& along, Vector& v) {
  const double part = dot(along, v);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] -= part * along[i];
}

Vector times(const Vector& square, const Vector& v) {
  Vector out(v.size());
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) out[i] += square[i * v.size() + j] * v[j];
  return out;
}

// Two orthogonal directions; zeros where the rank is used up.
std::array<Vector, 2> leading(const Vector& covariance, std::size_t h) {
  constexpr int kIterations = 200;
  constexpr double kGoldenRatio = 0.6180339887498949;
  std::array<Vector, 2> basis = {Vector(h), Vector(h)};
  for (std::size_t c = 0; c < 2; ++c) {
    Vector& v = basis[c];
    // Any start that is orthogonal to no eigenvector will do, as long as it is always the same.
    for (std::size_t i = 0; i < h; ++i)
      v[i] = 0.5 + std::fmod(static_cast<double>(i + c * h + 1) * kGoldenRatio, 1.0);
    const double scale = std::sqrt(dot(covariance, covariance));
    for (int k = 0; k < kIterations; ++k) {
      v = times(covariance, v);
      if (c == 1) remove_part(basis[0], v);
      if (std::sqrt(dot(v, v)) <= 1e-12 * scale || !to_unit(v)) {
        std::fill(v.begin(), v.end(), 0.0);
        break;
      }
    }
    const auto largest = std::max_element(
        v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (largest != v.end() && *largest < 0)
      for (double& x : v) x = -x;
  }
  return basis;
}

}  // namespace

Matrix pca_plane(const Matrix& X) {
  const Index n = X.rows(), h = X.cols();
  Matrix out(n, 2);
  if (n == 0 || h == 0) return out;
  Vector mean(static_cast<std::size_t>(h));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < h; ++j) mean[j] += X(i, j);
  for (double& m : mean) m /= static_cast<double>(n);
  Matrix centred(n, h);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < h; ++j) centred(i, j) = static_cast<float>(X(i, j) - mean[j]);

  Vector covariance(static_cast<std::size_t>(h * h));
  kernels::gram(centred, centred, covariance);
  const auto basis = leading(covariance, static_cast<std::size_t>(h));
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < 2; ++c) {
      double sum = 0;
      for (Index j = 0; j < h; ++j) sum += basis[c][j] * centred(i, j);
      out(i, c) = static_cast<float>(sum);
    }
  return out;
}

}  // namespace scrl
