#include "embedding2d/grid_convolution.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/per_thread.h"

namespace scrl {
namespace {

constexpr Index kSmallest = 32;  // side; so that columns fit twice the side

Index rounded_up(Index n, Index step) { return (n + step - 1) / step * step; }

// kLane sequences of `size` complex numbers side by side, per thread.
struct Lanes {
  Index size = 0;
  std::vector<float, AlignedAllocator<float>> re, im;

  static Lanes &of_thread(Index size) {
    Lanes &lanes = per_thread<Lanes>();
    lanes.size = size;
    lanes.re.resize(static_cast<std::size_t>(size * kLane));
    lanes.im.resize(lanes.re.size());
    return lanes;
  }
  void clear_from(Index number) {
    std::fill(re.begin() + number * kLane, re.end(), 0.0f);
    std::fill(im.begin() + number * kLane, im.end(), 0.0f);
  }
};

}  // namespace

GridConvolution::GridConvolution(Index at_least, FunctionRef<double(Index, Index)> w,
                                 FunctionRef<double(double)> divisor)
    : plan_(kernels::fft_plan(kernels::fft_size(2 * std::max(at_least, kSmallest)))),
      side_(plan_.size / 2),
      columns_(rounded_up(side_, 2 * kLane)),
      frequencies_(rounded_up(plan_.size / 2 + 1, kLane)),
      multiplier_(static_cast<std::size_t>(frequencies_ * plan_.size)),
      re_(frequencies_, columns_),
      im_(frequencies_, columns_) {
  const Index size = plan_.size, blocks = frequencies_ / kLane;
  const auto fold = [&](Index k) { return std::min(k, size - k); };
  // w is even in both directions, so its transforms are real, even and symmetric too.
  Matrix half(frequencies_, frequencies_);
  parallel_for(blocks, 1, [&](Index b, Index) {
    Lanes &lanes = Lanes::of_thread(size);
    lanes.clear_from(0);
    for (Index t = 0; t < size; ++t)
      for (Index s = 0; s < kLane; ++s)
        lanes.re[t * kLane + s] = static_cast<float>(w(b * kLane + s, fold(t)));
    kernels::fft(plan_, lanes.re.data(), lanes.im.data());
    for (Index k = 0; k <= size / 2; ++k)
      for (Index s = 0; s < kLane; ++s) half(k, b * kLane + s) = lanes.re[k * kLane + s];
  });
  std::vector<double> damping(static_cast<std::size_t>(size));
  for (Index k = 0; k < size; ++k) {
    damping[k] = divisor(2 * M_PI * static_cast<double>(fold(k)) / static_cast<double>(size)) *
                 static_cast<double>(size);
  }
  parallel_for(blocks, 1, [&](Index b, Index) {
    Lanes &lanes = Lanes::of_thread(size);
    lanes.clear_from(0);
    for (Index t = 0; t < size; ++t)
      for (Index s = 0; s < kLane; ++s) lanes.re[t * kLane + s] = half(b * kLane + s, fold(t));
    kernels::fft(plan_, lanes.re.data(), lanes.im.data());
    float *const to = multiplier_.data() + b * size * kLane;
    for (Index k = 0; k < size; ++k)
      for (Index s = 0; s < kLane; ++s) {
        const Index own = b * kLane + s;  // the factor 2 is left over from separating halves
        to[k * kLane + s] =
            own > size / 2
                ? 0.0f
                : static_cast<float>(lanes.re[k * kLane + s] / (2 * damping[k] * damping[own]));
      }
  });
}

void GridConvolution::over_rows(Matrix &grid) {
  const Index size = plan_.size, half = columns_ / 2;
  parallel_for(half / kLane, 1, [&](Index b, Index) {
    Lanes &lanes = Lanes::of_thread(size);
    const Index left = b * kLane, right = half + left;
    for (Index t = 0; t < side_; ++t) {
      std::copy_n(grid.row(t) + left, kLane, lanes.re.data() + t * kLane);
      std::copy_n(grid.row(t) + right, kLane, lanes.im.data() + t * kLane);
    }
    lanes.clear_from(side_);
    kernels::fft(plan_, lanes.re.data(), lanes.im.data());
    for (Index k = 0; k <= size / 2; ++k) {
      const Index mirror = (size - k) % size * kLane;
      const float *const a = lanes.re.data() + k * kLane, *const c = lanes.re.data() + mirror;
      const float *const bb = lanes.im.data() + k * kLane, *const d = lanes.im.data() + mirror;
      float *const left_re = re_.row(k) + left, *const left_im = im_.row(k) + left;
      float *const right_re = re_.row(k) + right, *const right_im = im_.row(k) + right;
      for (Index s = 0; s < kLane; ++s) {
        left_re[s] = a[s] + c[s], left_im[s] = bb[s] - d[s];
        right_re[s] = bb[s] + d[s], right_im[s] = c[s] - a[s];
      }
    }
  });
}

void GridConvolution::over_columns() {
  const Index size = plan_.size;
  parallel_for(frequencies_ / kLane, 1, [&](Index b, Index) {
    Lanes &lanes = Lanes::of_thread(size);
    for (Index s = 0; s < kLane; ++s) {
      const float *const re = re_.row(b * kLane + s), *const im = im_.row(b * kLane + s);
      for (Index t = 0; t < side_; ++t)
        lanes.re[t * kLane + s] = re[t], lanes.im[t * kLane + s] = im[t];
    }
    lanes.clear_from(side_);
    kernels::fft(plan_, lanes.re.data(), lanes.im.data());
    const float *const factor = multiplier_.data() + b * size * kLane;
    for (Index k = 0; k < size * kLane; ++k) lanes.re[k] *= factor[k], lanes.im[k] *= factor[k];
    kernels::fft(plan_, lanes.im.data(), lanes.re.data());
    for (Index s = 0; s < kLane; ++s) {
      float *const re = re_.row(b * kLane + s), *const im = im_.row(b * kLane + s);
      for (Index t = 0; t < side_; ++t)
        re[t] = lanes.re[t * kLane + s], im[t] = lanes.im[t * kLane + s];
    }
  });
}

void GridConvolution::back_over_rows(Matrix &grid) {
  const Index size = plan_.size, half = columns_ / 2;
  parallel_for(half / kLane, 1, [&](Index b, Index) {
    Lanes &lanes = Lanes::of_thread(size);
    const Index left = b * kLane, right = half + left;
    for (Index k = 0; k <= size / 2; ++k) {
      const Index mirror = (size - k) % size * kLane;
      const float *const left_re = re_.row(k) + left, *const left_im = im_.row(k) + left;
      const float *const right_re = re_.row(k) + right, *const right_im = im_.row(k) + right;
      float *const a = lanes.re.data() + k * kLane, *const c = lanes.re.data() + mirror;
      float *const bb = lanes.im.data() + k * kLane, *const d = lanes.im.data() + mirror;
      for (Index s = 0; s < kLane; ++s) {
        c[s] = left_re[s] + right_im[s], d[s] = right_re[s] - left_im[s];
        a[s] = left_re[s] - right_im[s], bb[s] = right_re[s] + left_im[s];
      }
    }
    kernels::fft(plan_, lanes.im.data(), lanes.re.data());
    for (Index t = 0; t < side_; ++t) {
      std::copy_n(lanes.re.data() + t * kLane, kLane, grid.row(t) + left);
      std::copy_n(lanes.im.data() + t * kLane, kLane, grid.row(t) + right);
    }
  });
}

void GridConvolution::run(Matrix &grid) {
  check(grid.rows() == side_ && grid.cols() == columns_, "convolution: expected a grid of ", side_,
        "x", columns_, " cells, got ", grid.rows(), "x", grid.cols());
  over_rows(grid);
  over_columns();
  back_over_rows(grid);
}

}  // namespace scrl
