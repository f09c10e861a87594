#include "linear/newton.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/panel_product.h"

namespace scrl::linear {
namespace {

constexpr Index kWidth = kernels::kDoublePanel;
constexpr Index kRowBlock = 64;  // rows that stay in the second-level cache for both products
constexpr int kMostSteps = 200, kMostProducts = 1000, kMostHalvings = 40;
constexpr double kForcing = 0.25;    // a step solves its system to this, better near the solution
constexpr double kArmijo = 1e-4;     // share of the promised decrease that a step must bring
constexpr double kRounding = 1e-13;  // of the objective, that a decrease may drown in

using Each = std::array<double, kWidth>;  // one number per problem
using Doubles = std::vector<double>;

// One number per problem, summed over `count` rows of two panels.
Each dots(const Doubles& a, const Doubles& b, Index count) {
  Each sums{};
  for (Index i = 0; i < count * kWidth; i += kWidth)
    for (Index p = 0; p < kWidth; ++p) sums[p] += a[i + p] * b[i + p];
  return sums;
}

// y += factor * x, each problem with its own factor.
void add_scaled(const Each& factor, const Doubles& x, Doubles& y) {
  for (std::size_t i = 0; i < x.size(); i += kWidth)
    for (Index p = 0; p < kWidth; ++p) y[i + p] += factor[p] * x[i + p];
}

}  // namespace

class LogisticProblems::Panel {
 public:
  Panel(const Features& f, Doubles signs) : f_(f), sign_(std::move(signs)) {
    const auto of = [](Index count) { return Doubles(static_cast<std::size_t>(count * kWidth)); };
    for (Doubles* v : {&w_, &gradient_, &residual_, &direction_, &product_, &step_, &inverse_})
      *v = of(f.dims);
    for (Doubles* v : {&margin_, &slope_, &curvature_, &along_, &trial_}) *v = of(f.rows);
    block_ = of(kRowBlock);
    for (std::size_t i = 0; i < sign_.size(); ++i) slope_[i] = -0.5 * sign_[i];
    add_transposed(slope_, gradient_);
    start_ = dots(gradient_, gradient_, f.dims);
    for (double& value : start_) value = std::sqrt(value);
  }

  void solve(double C, double tolerance) {
    Each decrease{}, length{};
    kernels::panel_product(f_.x.data(), f_.dims, 1, f_.rows, f_.dims, w_.data(), margin_.data());
    trial_ = margin_;
    Each value = objective(C, dots(w_, w_, f_.dims));
    std::array<bool, kWidth> done{};
    for (int iteration = 0; iteration < kMostSteps; ++iteration) {
      bend(C);
      const Each squared = dots(gradient_, gradient_, f_.dims);
      Each target{};
      bool all_done = true;
      for (Index p = 0; p < kWidth; ++p) {
        const double norm = std::sqrt(squared[p]), first = C * start_[p];
        done[p] = done[p] || !(norm > tolerance * first);
        all_done = all_done && done[p];
        target[p] = done[p] ? INFINITY : norm * std::min(kForcing, std::sqrt(norm / first));
      }
      if (all_done) return;
      find_step(target);
      decrease = dots(gradient_, step_, f_.dims);
      for (Index p = 0; p < kWidth; ++p) length[p] = done[p] ? 0 : 1;
      value = walk(C, value, decrease, length, done);
    }
  }

  double margin(Index i, Index p) const { return margin_[i * kWidth + p]; }
  double weight(Index j, Index p) const { return w_[j * kWidth + p]; }

 private:
  // out += x^T u
  void add_transposed(const Doubles& u, Doubles& out) const {
    for (Index begin = 0; begin < f_.rows; begin += kRowBlock)
      kernels::panel_product(f_.x.data() + begin * f_.dims, 1, f_.dims, f_.dims,
                             std::min(kRowBlock, f_.rows - begin), u.data() + begin * kWidth,
                             out.data(), true);
  }

  // Of the margins in trial_; `squares` is |w|^2.
  Each objective(double C, const Each& squares) const {
    Each sums{};
    for (std::size_t i = 0; i < trial_.size(); i += kWidth) {
      for (Index p = 0; p < kWidth; ++p) {
        if (sign_[i + p] == 0) continue;
        const double t = sign_[i + p] * trial_[i + p];
        sums[p] += std::log1p(std::exp(-std::abs(t))) + std::max(-t, 0.0);
      }
    }
    for (Index p = 0; p < kWidth; ++p) sums[p] = 0.5 * squares[p] + C * sums[p];
    return sums;
  }

  // Gradient, curvature of every row, and the inverse of the preconditioner, at margin_.
  void bend(double C) {
    Each mean{}, seen{};
    for (std::size_t i = 0; i < margin_.size(); i += kWidth) {
      for (Index p = 0; p < kWidth; ++p) {
        const double y = sign_[i + p];
        if (y == 0) {
          slope_[i + p] = curvature_[i + p] = 0;
          continue;
        }
        const double t = y * margin_[i + p], e = std::exp(-std::abs(t));
        const double wrong = (t >= 0 ? e : 1.0) / (1 + e);  // probability of the other sign
        slope_[i + p] = -C * y * wrong;
        curvature_[i + p] = C * wrong * (1 - wrong);
        mean[p] += curvature_[i + p];
        seen[p] += 1;
      }
    }
    gradient_ = w_;
    add_transposed(slope_, gradient_);
    for (Index p = 0; p < kWidth; ++p) mean[p] /= std::max(seen[p], 1.0);
    for (Index j = 0; j < f_.dims; ++j)
      for (Index p = 0; p < kWidth; ++p)
        inverse_[j * kWidth + p] = 1 / (1 + mean[p] * f_.squares[j]);
  }

  // product_ = (1 + x^T D x) direction_, and along_ = x direction_.
  void apply_hessian() {
    product_ = direction_;
    for (Index begin = 0; begin < f_.rows; begin += kRowBlock) {
      const Index count = std::min(kRowBlock, f_.rows - begin);
      const double* rows = f_.x.data() + begin * f_.dims;
      double* along = along_.data() + begin * kWidth;
      kernels::panel_product(rows, f_.dims, 1, count, f_.dims, direction_.data(), along);
      for (Index e = 0; e < count * kWidth; ++e)
        block_[e] = along[e] * curvature_[begin * kWidth + e];
      kernels::panel_product(rows, 1, f_.dims, f_.dims, count, block_.data(), product_.data(),
                             true);
    }
  }

  // Conjugate gradients: step_ with |Hessian step_ + gradient_| <= target, and trial_ = x step_.
  void find_step(const Each& target) {
    std::fill(step_.begin(), step_.end(), 0.0);
    std::fill(trial_.begin(), trial_.end(), 0.0);
    for (std::size_t i = 0; i < residual_.size(); ++i) {
      residual_[i] = -gradient_[i];
      direction_[i] = inverse_[i] * residual_[i];
    }
    Each energy = dots(residual_, direction_, f_.dims), size = dots(residual_, residual_, f_.dims);
    for (int round = 0; round < kMostProducts; ++round) {
      std::array<bool, kWidth> open{};
      for (Index p = 0; p < kWidth; ++p) open[p] = std::sqrt(size[p]) > target[p];
      if (std::none_of(open.begin(), open.end(), [](bool b) { return b; })) return;
      apply_hessian();
      const Each bent = dots(direction_, product_, f_.dims);
      Each advance{}, back{}, next{};
      for (Index p = 0; p < kWidth; ++p) {
        advance[p] = open[p] && bent[p] > 0 ? energy[p] / bent[p] : 0;
        back[p] = -advance[p];
      }
      add_scaled(advance, direction_, step_);
      add_scaled(advance, along_, trial_);
      add_scaled(back, product_, residual_);
      size = dots(residual_, residual_, f_.dims);
      for (std::size_t i = 0; i < residual_.size(); i += kWidth)
        for (Index p = 0; p < kWidth; ++p)
          next[p] += residual_[i + p] * inverse_[i + p] * residual_[i + p];
      Each keep{};
      for (Index p = 0; p < kWidth; ++p) keep[p] = energy[p] > 0 ? next[p] / energy[p] : 0;
      energy = next;
      for (std::size_t i = 0; i < direction_.size(); i += kWidth)
        for (Index p = 0; p < kWidth; ++p)
          direction_[i + p] = inverse_[i + p] * residual_[i + p] + keep[p] * direction_[i + p];
    }
  }

  // Halves `length` until each objective falls, then goes there. Returns the objectives; a problem
  // that cannot fall any more is done.
  Each walk(double C, const Each& value, const Each& decrease, Each& length,
            std::array<bool, kWidth>& done) {
    along_ = trial_;  // x step_
    const Each ww = dots(w_, w_, f_.dims), ws = dots(w_, step_, f_.dims),
               ss = dots(step_, step_, f_.dims);
    Each now{};
    for (int halving = 0;; ++halving) {
      trial_ = margin_;
      add_scaled(length, along_, trial_);
      Each squares{};
      for (Index p = 0; p < kWidth; ++p)
        squares[p] = ww[p] + length[p] * (2 * ws[p] + length[p] * ss[p]);
      now = objective(C, squares);
      bool all_fell = true;
      for (Index p = 0; p < kWidth; ++p) {
        const double most =
            value[p] + kArmijo * length[p] * decrease[p] + kRounding * std::abs(value[p]);
        if (length[p] == 0 || now[p] <= most) continue;
        all_fell = false;
        length[p] = halving < kMostHalvings ? length[p] / 2 : 0;
        done[p] = done[p] || length[p] == 0;
      }
      if (all_fell) break;
    }
    margin_ = trial_;
    add_scaled(length, step_, w_);
    return now;
  }

  const Features& f_;
  Doubles sign_;                                                            // rows
  Doubles w_, gradient_, residual_, direction_, product_, step_, inverse_;  // dims
  Doubles margin_, slope_, curvature_, along_, trial_, block_;              // rows
  Each start_{};  // |gradient| at w = 0 and C = 1
};

LogisticProblems::LogisticProblems(const Features& features, const std::vector<std::int8_t>& signs,
                                   Index problems)
    : features_(features) {
  check(static_cast<Index>(signs.size()) == features.rows * problems,
        "logistic head: ", signs.size(), " signs for ", features.rows, " rows and ", problems,
        " problems");
  for (Index first = 0; first < problems; first += kWidth) {
    Doubles part(static_cast<std::size_t>(features.rows * kWidth));
    for (Index i = 0; i < features.rows; ++i)
      for (Index p = first; p < std::min(problems, first + kWidth); ++p)
        part[i * kWidth + p - first] = signs[i * problems + p];
    panels_.emplace_back(features, std::move(part));
  }
}

LogisticProblems::~LogisticProblems() = default;

void LogisticProblems::solve(double C, double tolerance) {
  check(C > 0 && std::isfinite(C), "logistic head: C must be a number above 0, got ", C);
  parallel_for(static_cast<Index>(panels_.size()), 1,
               [&](Index p, Index) { panels_[p].solve(C, tolerance); });
}

double LogisticProblems::margin(Index row, Index problem) const {
  return panels_[problem / kWidth].margin(row, problem % kWidth);
}

std::vector<double> LogisticProblems::weights(Index problem) const {
  std::vector<double> out(static_cast<std::size_t>(features_.columns));
  for (Index j = 0; j < features_.dims; ++j) {
    const double v = panels_[problem / kWidth].weight(j, problem % kWidth);
    const double* axis = features_.basis.data() + j * features_.columns;
    for (Index c = 0; c < features_.columns; ++c) out[c] += v * axis[c];
  }
  return out;
}

}  // namespace scrl::linear
