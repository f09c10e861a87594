#include <cmath>

#include "kernels/reference.h"

namespace scrl::reference {

void fft(Index size, float* re, float* im) {
  for (Index lane = 0; lane < kLane; ++lane) {
    std::vector<double> out_re(static_cast<std::size_t>(size)), out_im(out_re.size());
    for (Index k = 0; k < size; ++k) {
      for (Index t = 0; t < size; ++t) {
        const double angle =
            -2 * M_PI * static_cast<double>(k * t % size) / static_cast<double>(size);
        const double c = std::cos(angle), s = std::sin(angle);
        const double a = re[t * kLane + lane], b = im[t * kLane + lane];
        out_re[k] += a * c - b * s;
        out_im[k] += a * s + b * c;
      }
    }
    for (Index k = 0; k < size; ++k) {
      re[k * kLane + lane] = static_cast<float>(out_re[k]);
      im[k * kLane + lane] = static_cast<float>(out_im[k]);
    }
  }
}

void attraction(const Csr& P, std::span<const float> x, std::span<const float> y,
                std::span<float> fx, std::span<float> fy) {
  for (Index i = 0; i < P.rows; ++i) {
    double sum_x = 0, sum_y = 0;
    for (Index e = P.row_ptr[i]; e < P.row_ptr[i + 1]; ++e) {
      const double dx = double{x[i]} - x[P.col[e]], dy = double{y[i]} - y[P.col[e]];
      const double pull = P.val[e] / (1 + dx * dx + dy * dy);
      sum_x += pull * dx;
      sum_y += pull * dy;
    }
    fx[i] = static_cast<float>(sum_x), fy[i] = static_cast<float>(sum_y);
  }
}

}  // namespace scrl::reference
