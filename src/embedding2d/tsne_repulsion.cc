#include "embedding2d/tsne_repulsion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"

namespace scrl {
namespace {

constexpr float kSpacing = 0.4f;  // of the grid; q is 1 wide
constexpr float kFewCells = 28;   // per side: below, halving the spacing costs nothing
constexpr float kSmallestSpacing = kSpacing / 32;
constexpr float kTiny = 0.05f;  // coordinates this wide: q is 1 - d^2 to half a percent
constexpr Index kGrain = 1024;

// Cells per side; beyond them the grid becomes coarser. A layout has about 3.5 sqrt(points).
float most_cells(std::size_t points) {
  return std::max(1000.0f, 6 * std::sqrt(static_cast<float>(points)));
}

// The cubic B-spline and its slope at the four cells around a point, `t` past the second.
void spline(float t, float* weight, float* slope) {
  const float u = 1 - t;
  weight[0] = u * u * u / 6;
  weight[1] = (4 - 3 * t * t * (1 + u)) / 6;
  weight[2] = (4 - 3 * u * u * (1 + t)) / 6;
  weight[3] = t * t * t / 6;
  slope[0] = -u * u / 2;
  slope[1] = t * (1.5f * t - 2);
  slope[2] = u * (2 - 1.5f * u);
  slope[3] = t * t / 2;
}

// Where all q are near 1, sums of them on a grid differ in their last digits only, and the first
// coordinates would drown in rounding. With q^2 (y_i - y_j) = y_i - y_j the sums are known:
//   force_i = n (y_i - mean),  Z = n (n - 1) - 2 n sum_i |y_i - mean|^2
double tiny_repulsion(std::span<const float> at, std::span<float> force) {
  const auto n = static_cast<double>(at.size());
  const double mean = std::accumulate(at.begin(), at.end(), 0.0) / n;
  double square = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double off = at[i] - mean;
    square += off * off;
    force[i] = static_cast<float>(n * off);
  }
  return n * (n - 1) / 2 - 2 * n * square;  // half of Z, of one axis
}

}  // namespace

double ExactRepulsion::run(std::span<const float> x, std::span<const float> y, std::span<float> fx,
                           std::span<float> fy) {
  constexpr Index kRows = 16;
  const auto n = static_cast<Index>(x.size());
  std::vector<double> sums(static_cast<std::size_t>(chunk_count(n, kRows)));
  parallel_for(n, kRows, [&](Index begin, Index end) {
    double total = 0;
    for (Index i = begin; i < end; ++i) {
      double sum_x = 0, sum_y = 0, own = 0;
      for (Index j = 0; j < n; ++j) {
        const double dx = double{x[i]} - x[j], dy = double{y[i]} - y[j];
        const double q = 1 / (1 + dx * dx + dy * dy);
        own += q;
        sum_x += q * q * dx;
        sum_y += q * q * dy;
      }
      total += own - 1;
      fx[i] = static_cast<float>(sum_x), fy[i] = static_cast<float>(sum_y);
    }
    sums[begin / kRows] = total;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// A grid that fits stays until it is far too large, so that its transform is rarely made anew.
void GridRepulsion::choose_grid(std::span<const float> x, std::span<const float> y) {
  const auto [low_x, high_x] = std::minmax_element(x.begin(), x.end());
  const auto [low_y, high_y] = std::minmax_element(y.begin(), y.end());
  low_x_ = *low_x, low_y_ = *low_y;
  const float span = std::max(*high_x - *low_x, *high_y - *low_y);
  float spacing = std::max(kSpacing, span / most_cells(x.size()));
  while (spacing > kSmallestSpacing && 2 * span <= kFewCells * spacing) spacing /= 2;
  const Index cells = static_cast<Index>(span / spacing) + 1 + kOrder;
  if (convolution_ && spacing == spacing_ && convolution_->side() >= cells &&
      convolution_->side() <= std::max<Index>(32, cells + cells / 3))
    return;
  spacing_ = spacing;
  const auto q = [&](Index a, Index b) {
    const double r = static_cast<double>(a) * spacing, s = static_cast<double>(b) * spacing;
    return 1 / (1 + r * r + s * s);
  };
  const auto splines = [](double angle) {  // that spread and that collect
    const double one = (2 + std::cos(angle)) / 3;
    return one * one;
  };
  convolution_.emplace(cells, q, splines);
  grid_ = Matrix(convolution_->side(), convolution_->columns());
  const Index middle = grid_.rows() / 2;
  grid_(middle, middle) = 1;
  convolution_->run(grid_);
  for (int a = 0; a < kOrder; ++a)
    for (int b = 0; b < kOrder; ++b) around_[a][b] = grid_(middle + a, middle + b);
}

void GridRepulsion::place(std::span<const float> x, std::span<const float> y) {
  const auto n = static_cast<Index>(x.size());
  rows_.resize(x.size()), slot_.resize(x.size()), placed_.resize(x.size());
  row_begin_.assign(static_cast<std::size_t>(grid_.rows() + 1), 0);
  for (Index i = 0; i < n; ++i) {
    rows_[i] = static_cast<std::int32_t>((x[i] - low_x_) / spacing_);
    ++row_begin_[rows_[i] + 1];
  }
  std::partial_sum(row_begin_.begin(), row_begin_.end(), row_begin_.begin());
  std::vector<Index> at(row_begin_.begin(), row_begin_.end() - 1);
  for (Index i = 0; i < n; ++i) slot_[i] = at[rows_[i]]++;
  parallel_for(n, kGrain, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Placed& p = placed_[slot_[i]];
      const float u = (x[i] - low_x_) / spacing_, v = (y[i] - low_y_) / spacing_;
      p.id = static_cast<NodeId>(i);
      p.row = rows_[i], p.column = static_cast<std::int32_t>(v);
      spline(u - static_cast<float>(p.row), p.row_weight, p.row_slope);
      spline(v - static_cast<float>(p.column), p.column_weight, p.column_slope);
    }
  });
}

// A stripe of rows belongs to one thread, which goes through all points that reach into it.
void GridRepulsion::spread() {
  parallel_for(grid_.rows(), 16, [&](Index begin, Index end) {
    std::fill(grid_.row(begin), grid_.row(begin) + (end - begin) * grid_.stride(), 0.0f);
    const Index first = row_begin_[std::max<Index>(0, begin - kOrder + 1)], last = row_begin_[end];
    for (Index k = first; k < last; ++k) {
      const Placed& p = placed_[k];
      for (int a = 0; a < kOrder; ++a) {
        if (p.row + a < begin || p.row + a >= end) continue;
        float* const cell = grid_.row(p.row + a) + p.column;
        for (int b = 0; b < kOrder; ++b) cell[b] += p.row_weight[a] * p.column_weight[b];
      }
    }
  });
}

// A point meets itself on the grid, too: what it gets from there is known and taken away.
GridRepulsion::Potential GridRepulsion::own(const Placed& p) const {
  const auto meet = [](const float* a, const float* b, int apart) {
    float sum = 0;
    for (int k = 0; k + apart < kOrder; ++k)
      sum += apart == 0 ? a[k] * b[k] : a[k] * b[k + apart] + a[k + apart] * b[k];
    return sum;
  };
  float row[kOrder], column[kOrder], row_turn[kOrder], column_turn[kOrder];
  for (int d = 0; d < kOrder; ++d) {
    row[d] = meet(p.row_weight, p.row_weight, d);
    column[d] = meet(p.column_weight, p.column_weight, d);
    row_turn[d] = meet(p.row_slope, p.row_weight, d);
    column_turn[d] = meet(p.column_slope, p.column_weight, d);
  }
  Potential out;
  for (int a = 0; a < kOrder; ++a) {
    for (int b = 0; b < kOrder; ++b) {
      out.value += row[a] * column[b] * around_[a][b];
      out.slope_x += row_turn[a] * column[b] * around_[a][b];
      out.slope_y += row[a] * column_turn[b] * around_[a][b];
    }
  }
  return out;
}

double GridRepulsion::collect(std::span<float> fx, std::span<float> fy) const {
  const auto n = static_cast<Index>(fx.size());
  const float factor = -0.5f / spacing_;
  std::vector<double> sums(static_cast<std::size_t>(chunk_count(n, kGrain)));
  parallel_for(n, kGrain, [&](Index begin, Index end) {
    double total = 0;
    for (Index k = begin; k < end; ++k) {
      const Placed& p = placed_[k];
      float phi = 0, slope_x = 0, slope_y = 0;
      for (int a = 0; a < kOrder; ++a) {
        const float* const cell = grid_.row(p.row + a) + p.column;
        float along = 0, across = 0;
        for (int b = 0; b < kOrder; ++b) {
          along += p.column_weight[b] * cell[b];
          across += p.column_slope[b] * cell[b];
        }
        phi += p.row_weight[a] * along;
        slope_x += p.row_slope[a] * along;
        slope_y += p.row_weight[a] * across;
      }
      const Potential self = own(p);
      total += phi - self.value;
      fx[p.id] = factor * (slope_x - self.slope_x), fy[p.id] = factor * (slope_y - self.slope_y);
    }
    sums[begin / kGrain] = total;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

double GridRepulsion::run(std::span<const float> x, std::span<const float> y, std::span<float> fx,
                          std::span<float> fy) {
  const auto width = [](std::span<const float> at) {
    const auto [low, high] = std::minmax_element(at.begin(), at.end());
    return *high - *low;
  };
  if (std::max(width(x), width(y)) < kTiny) return tiny_repulsion(x, fx) + tiny_repulsion(y, fy);
  choose_grid(x, y);
  place(x, y);
  spread();
  convolution_->run(grid_);
  return collect(fx, fy);
}

}  // namespace scrl
