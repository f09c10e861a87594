#include "linear/softmax_newton.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace scrl::linear {
namespace {

constexpr int kMostSteps = 100, kMostProducts = 500, kMostHalvings = 40;
constexpr double kForcing = 0.25;    // a step solves its system to this, better near the solution
constexpr double kArmijo = 1e-4;     // share of the promised decrease that a step must bring
constexpr double kRounding = 1e-12;  // of the objective: below this a decrease is not seen

}  // namespace

SoftmaxProblems::SoftmaxProblems(const RowProducts& x, std::span<const std::int32_t> labels,
                                 Index classes, std::vector<std::uint8_t> seen, Index problems)
    : x_(x),
      labels_(labels.begin(), labels.end()),
      seen_(std::move(seen)),
      classes_(classes),
      problems_(problems),
      columns_((classes * problems + kWidth - 1) / kWidth * kWidth),
      rows_(x.rows()),
      dims_(x.dims()) {
  check(static_cast<Index>(labels_.size()) == rows_ &&
            static_cast<Index>(seen_.size()) == rows_ * problems,
        "softmax head: ", labels_.size(), " labels for ", rows_, " rows");
  for (Doubles* v : {&w_, &gradient_, &residual_, &direction_, &product_, &step_, &inverse_})
    *v = zeros(dims_);
  for (Doubles* v : {&margin_, &probability_, &along_, &trial_, &bent_}) *v = zeros(rows_);
  bend(1);
  start_ = dots(gradient_, gradient_, dims_);
  for (double& value : start_) value = std::sqrt(value);
}

// One number per problem.
Doubles SoftmaxProblems::dots(const Doubles& a, const Doubles& b, Index count) const {
  Doubles columns(static_cast<std::size_t>(columns_)), out(static_cast<std::size_t>(problems_));
  for (Index first = 0; first < columns_; first += kWidth) {
    const double *p = a.data() + first * count, *q = b.data() + first * count;
    double* sums = columns.data() + first;
    for (Index i = 0; i < count; ++i, p += kWidth, q += kWidth)
      for (Index l = 0; l < kWidth; ++l) sums[l] += p[l] * q[l];
  }
  for (Index f = 0; f < problems_; ++f)
    for (Index c = 0; c < classes_; ++c) out[f] += columns[f * classes_ + c];
  return out;
}

// y += factor * x, each problem with its own factor.
void SoftmaxProblems::add_scaled(const Doubles& factor, const Doubles& x, Index count,
                                 Doubles& y) const {
  for (Index first = 0; first < columns_; first += kWidth) {
    double of_column[kWidth] = {};
    for (Index l = 0; l < kWidth && first + l < classes_ * problems_; ++l)
      of_column[l] = factor[(first + l) / classes_];
    const double* from = x.data() + first * count;
    double* to = y.data() + first * count;
    for (Index i = 0; i < count; ++i, from += kWidth, to += kWidth)
      for (Index l = 0; l < kWidth; ++l) to[l] += of_column[l] * from[l];
  }
}

double SoftmaxProblems::log_sum(const Doubles& margins, Index row, Index problem) const {
  const Index first = problem * classes_;
  double top = margins[at(rows_, row, first)], sum = 0;
  for (Index c = 1; c < classes_; ++c) top = std::max(top, margins[at(rows_, row, first + c)]);
  for (Index c = 0; c < classes_; ++c) sum += std::exp(margins[at(rows_, row, first + c)] - top);
  return top + std::log(sum);
}

Doubles SoftmaxProblems::objective(double C, const Doubles& margins, const Doubles& squares) const {
  Doubles out(static_cast<std::size_t>(problems_));
  for (Index f = 0; f < problems_; ++f) {
    double sum = 0;
    for (Index i = 0; i < rows_; ++i)
      if (seen_[i * problems_ + f])
        sum += log_sum(margins, i, f) - margins[at(rows_, i, f * classes_ + labels_[i])];
    out[f] = 0.5 * squares[f] + C * sum;
  }
  return out;
}

// Probabilities, gradient, and the inverse of the preconditioner, at margin_.
void SoftmaxProblems::bend(double C) {
  Doubles mean(static_cast<std::size_t>(columns_)), slope = zeros(rows_);
  for (Index f = 0; f < problems_; ++f) {
    double seen = 0;
    for (Index i = 0; i < rows_; ++i) {
      if (!seen_[i * problems_ + f]) continue;
      ++seen;
      const double total = log_sum(margin_, i, f);
      for (Index c = 0; c < classes_; ++c) {
        const Index column = f * classes_ + c, e = at(rows_, i, column);
        const double p = std::exp(margin_[e] - total);
        probability_[e] = p;
        slope[e] = C * (p - (c == labels_[i] ? 1 : 0));
        mean[column] += C * p * (1 - p);
      }
    }
    for (Index c = 0; c < classes_; ++c) mean[f * classes_ + c] /= std::max(seen, 1.0);
  }
  gradient_ = w_;
  x_.add_transposed(slope, gradient_);
  for (Index column = 0; column < columns_; ++column)
    for (Index j = 0; j < dims_; ++j)
      inverse_[at(dims_, j, column)] = 1 / (1 + mean[column] * x_.squares()[j]);
}

// along_ = x direction_, and product_ = (1 + x^T D x) direction_ with D = C (diag(p) - p p^T) for
// each row that is seen.
void SoftmaxProblems::apply_hessian(double C) {
  x_.multiply(direction_, along_);
  for (Index f = 0; f < problems_; ++f) {
    for (Index i = 0; i < rows_; ++i) {
      if (!seen_[i * problems_ + f]) continue;
      double mean = 0;
      for (Index c = 0; c < classes_; ++c) {
        const Index e = at(rows_, i, f * classes_ + c);
        mean += probability_[e] * along_[e];
      }
      for (Index c = 0; c < classes_; ++c) {
        const Index e = at(rows_, i, f * classes_ + c);
        bent_[e] = C * probability_[e] * (along_[e] - mean);
      }
    }
  }
  product_ = direction_;
  x_.add_transposed(bent_, product_);
}

// Conjugate gradients: step_ with |Hessian step_ + gradient_| <= target, and trial_ = x step_.
void SoftmaxProblems::find_step(double C, const Doubles& target) {
  std::fill(step_.begin(), step_.end(), 0.0);
  std::fill(trial_.begin(), trial_.end(), 0.0);
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    residual_[i] = -gradient_[i];
    direction_[i] = inverse_[i] * residual_[i];
  }
  Doubles energy = dots(residual_, direction_, dims_), size = dots(residual_, residual_, dims_);
  Doubles advance(energy.size()), back(energy.size());
  for (int round = 0; round < kMostProducts; ++round) {
    bool all_done = true;
    for (Index f = 0; f < problems_; ++f) all_done &= !(std::sqrt(size[f]) > target[f]);
    if (all_done) return;
    apply_hessian(C);
    const Doubles bent = dots(direction_, product_, dims_);
    for (Index f = 0; f < problems_; ++f) {
      const bool open = std::sqrt(size[f]) > target[f] && bent[f] > 0;
      advance[f] = open ? energy[f] / bent[f] : 0;
      back[f] = -advance[f];
    }
    add_scaled(advance, direction_, dims_, step_);
    add_scaled(advance, along_, rows_, trial_);
    add_scaled(back, product_, dims_, residual_);
    size = dots(residual_, residual_, dims_);
    Doubles& scaled = product_;
    for (std::size_t i = 0; i < residual_.size(); ++i) scaled[i] = inverse_[i] * residual_[i];
    const Doubles next = dots(residual_, scaled, dims_);
    // direction_ = scaled + keep direction_
    Doubles keep(energy.size());
    for (Index f = 0; f < problems_; ++f) keep[f] = energy[f] > 0 ? next[f] / energy[f] : 0;
    add_scaled(keep, direction_, dims_, scaled);
    std::swap(direction_, product_);
    energy = next;
  }
}

// Halves `length` until each objective falls, then goes there. Returns the objectives; a problem
// that cannot fall any more is done.
Doubles SoftmaxProblems::walk(double C, const Doubles& value, const Doubles& decrease,
                              Doubles& length, std::vector<std::uint8_t>& done) {
  along_ = trial_;  // x step_
  const Doubles ww = dots(w_, w_, dims_), ws = dots(w_, step_, dims_),
                ss = dots(step_, step_, dims_);
  Doubles now;
  for (int halving = 0;; ++halving) {
    trial_ = margin_;
    add_scaled(length, along_, rows_, trial_);
    Doubles squares(ww);
    for (Index f = 0; f < problems_; ++f) squares[f] += length[f] * (2 * ws[f] + length[f] * ss[f]);
    now = objective(C, trial_, squares);
    bool all_fell = true;
    for (Index f = 0; f < problems_; ++f) {
      const double most =
          value[f] + kArmijo * length[f] * decrease[f] + kRounding * std::abs(value[f]);
      if (length[f] == 0 || now[f] <= most) continue;
      all_fell = false;
      length[f] = halving < kMostHalvings ? length[f] / 2 : 0;
      done[f] |= length[f] == 0;
    }
    if (all_fell) break;
  }
  std::swap(margin_, trial_);
  add_scaled(length, step_, dims_, w_);
  return now;
}

void SoftmaxProblems::solve(double C, double tolerance) {
  check(C > 0 && std::isfinite(C), "softmax head: C must be a number above 0, got ", C);
  Doubles value = objective(C, margin_, dots(w_, w_, dims_));
  std::vector<std::uint8_t> done(static_cast<std::size_t>(problems_));
  for (int iteration = 0; iteration < kMostSteps; ++iteration) {
    bend(C);
    const Doubles squared = dots(gradient_, gradient_, dims_);
    Doubles target(squared.size()), length(squared.size());
    bool all_done = true;
    for (Index f = 0; f < problems_; ++f) {
      const double norm = std::sqrt(squared[f]), first = C * start_[f];
      done[f] |= !(norm > tolerance * first);
      all_done &= done[f] != 0;
      target[f] = done[f] ? INFINITY : norm * std::min(kForcing, std::sqrt(norm / first));
      length[f] = done[f] ? 0 : 1;
    }
    if (all_done) return;
    find_step(C, target);
    value = walk(C, value, dots(gradient_, step_, dims_), length, done);
  }
}

double SoftmaxProblems::nll(Index row, Index problem) const {
  return log_sum(margin_, row, problem) -
         margin_[at(rows_, row, problem * classes_ + labels_[row])];
}

bool SoftmaxProblems::right(Index row, Index problem) const {
  const double own = margin_[at(rows_, row, problem * classes_ + labels_[row])];
  for (Index c = 0; c < classes_; ++c)
    if (c != labels_[row] && margin_[at(rows_, row, problem * classes_ + c)] >= own) return false;
  return true;
}

double SoftmaxProblems::residual(double C, Index row, Index problem, Index c) const {
  if (!seen_[row * problems_ + problem]) return 0;
  const double p =
      std::exp(margin_[at(rows_, row, problem * classes_ + c)] - log_sum(margin_, row, problem));
  return C * ((c == labels_[row] ? 1 : 0) - p);
}

double SoftmaxProblems::weight(Index j, Index problem, Index c) const {
  return w_[at(dims_, j, problem * classes_ + c)];
}

DenseRows::DenseRows(Doubles x, Index rows, Index dims)
    : x_(std::move(x)), squares_(static_cast<std::size_t>(dims)), rows_(rows), dims_(dims) {
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < dims; ++j) squares_[j] += x_[i * dims + j] * x_[i * dims + j];
}

void DenseRows::multiply(const Doubles& v, Doubles& u) const {
  constexpr Index kWidth = kernels::kDoublePanel;
  const Index panels = static_cast<Index>(v.size()) / (dims_ * kWidth);
  for (Index p = 0; p < panels; ++p)
    kernels::panel_product(x_.data(), dims_, 1, rows_, dims_, v.data() + p * dims_ * kWidth,
                           u.data() + p * rows_ * kWidth);
}

void DenseRows::add_transposed(const Doubles& u, Doubles& v) const {
  constexpr Index kWidth = kernels::kDoublePanel, kRowBlock = 64;  // rows that stay in a cache
  const Index panels = static_cast<Index>(v.size()) / (dims_ * kWidth);
  for (Index p = 0; p < panels; ++p)
    for (Index i = 0; i < rows_; i += kRowBlock)
      kernels::panel_product(x_.data() + i * dims_, 1, dims_, dims_, std::min(kRowBlock, rows_ - i),
                             u.data() + (p * rows_ + i) * kWidth, v.data() + p * dims_ * kWidth,
                             true);
}

}  // namespace scrl::linear
