// embedding2d/tsne_repulsion.h: how strongly points in the plane push each other apart. Internal to
// embedding2d/tsne*.
//
//   q_ij = 1 / (1 + |y_i - y_j|^2),  Z = sum_{i != j} q_ij,  force_i = sum_j q_ij^2 (y_i - y_j)
//
// exact: every pair. fft: force_i = -1/2 grad phi(y_i) with phi(y) = sum_j q(y - y_j). Each
// point is spread over 4 x 4 cells of a grid by cubic B-splines, the sum over all cells is a
// convolution (grid_convolution.h), and phi and its gradient at y_i are again sums over 4 x 4
// cells; the spectrum is divided by that of the splines, which makes this the interpolation of q by
// splines. The error of a force is about 1 % in a finished embedding, and less in a narrow one.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "embedding2d/grid_convolution.h"
#include "tensor/matrix.h"

namespace scrl {

class Repulsion {
 public:
  virtual ~Repulsion() = default;
  // Fills the forces and returns Z. The same bits for any number of threads.
  // REQUIRES: coordinates are finite.
  virtual double run(std::span<const float> x, std::span<const float> y, std::span<float> fx,
                     std::span<float> fy) = 0;
};

class ExactRepulsion : public Repulsion {
 public:
  double run(std::span<const float> x, std::span<const float> y, std::span<float> fx,
             std::span<float> fy) override;
};

class GridRepulsion : public Repulsion {
 public:
  double run(std::span<const float> x, std::span<const float> y, std::span<float> fx,
             std::span<float> fy) override;

 private:
  static constexpr int kOrder = 4;
  struct Placed {  // a point on the grid
    float row_weight[kOrder], column_weight[kOrder];
    float row_slope[kOrder], column_slope[kOrder];
    std::int32_t row, column;
    NodeId id;
  };
  struct Potential {
    float value = 0, slope_x = 0, slope_y = 0;
  };
  Potential own(const Placed& p) const;
  void choose_grid(std::span<const float> x, std::span<const float> y);
  void place(std::span<const float> x, std::span<const float> y);
  void spread();
  double collect(std::span<float> fx, std::span<float> fy) const;

  float low_x_ = 0, low_y_ = 0, spacing_ = 0;
  std::optional<GridConvolution> convolution_;
  Matrix grid_;
  float around_[kOrder][kOrder] = {};  // what a cell that holds 1 gives to those near it
  std::vector<Placed> placed_;         // by row of the grid, then by number
  std::vector<Index> row_begin_;       // in placed_
  std::vector<std::int32_t> rows_;     // row of each point
  std::vector<Index> slot_;            // of each point in placed_
};

}  // namespace scrl
