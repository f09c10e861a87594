#include "linear/stacking.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 128;

double log_prob(const Matrix& member, Index row, Index c) {
  return std::max(member(row, c), kLeastLogProb);
}

// Objective, gradient and Hessian at one point.
struct Local {
  double value = 0;
  std::vector<double> gradient, hessian;  // K, K x K
};

class Problem {
 public:
  Problem(std::span<const Matrix* const> members, std::span<const NodeId> rows,
          std::span<const std::int32_t> labels, const StackingOptions& o)
      : members_(members), rows_(rows), labels_(labels), o_(o), K_(members.size()) {}

  double value(const std::vector<double>& w) const { return at(w, false).value; }

  Local at(const std::vector<double>& w, bool derivatives) const {
    const Index n = static_cast<Index>(rows_.size());
    std::vector<Local> parts(static_cast<std::size_t>(chunk_count(n, kRowsPerChunk)));
    parallel_for(n, kRowsPerChunk, [&](Index begin, Index end) {
      parts[static_cast<std::size_t>(begin / kRowsPerChunk)] = of_rows(begin, end, w, derivatives);
    });
    Local sum = empty();
    for (const Local& part : parts) {
      sum.value += part.value;
      for (std::size_t k = 0; k < K_; ++k) sum.gradient[k] += part.gradient[k];
      for (std::size_t k = 0; k < K_ * K_; ++k) sum.hessian[k] += part.hessian[k];
    }
    for (std::size_t k = 0; k < K_; ++k) {
      const double off = w[k] - 1.0 / static_cast<double>(K_);
      sum.value += 0.5 * o_.prior * off * off;
      sum.gradient[k] += o_.prior * off;
      sum.hessian[k * K_ + k] += o_.prior;
    }
    return sum;
  }

 private:
  Local empty() const {
    return {0, std::vector<double>(K_, 0.0), std::vector<double>(K_ * K_, 0.0)};
  }

  Local of_rows(Index begin, Index end, const std::vector<double>& w, bool derivatives) const {
    const Index M = members_[0]->cols();
    Local out = empty();
    std::vector<double> p(static_cast<std::size_t>(M)), mean(K_);
    for (Index i = begin; i < end; ++i) {
      const Index row = rows_[static_cast<std::size_t>(i)];
      const std::int32_t y = labels_[static_cast<std::size_t>(i)];
      const double c = o_.class_weights.empty() ? 1 : o_.class_weights[static_cast<std::size_t>(y)];
      double top = -INFINITY, total = 0;
      for (Index b = 0; b < M; ++b) {
        double z = 0;
        for (std::size_t k = 0; k < K_; ++k) z += w[k] * log_prob(*members_[k], row, b);
        p[static_cast<std::size_t>(b)] = z;
        top = std::max(top, z);
      }
      const double z_y = p[static_cast<std::size_t>(y)];
      for (double& z : p) total += z = std::exp(z - top);
      out.value += c * (top + std::log(total) - z_y);
      if (!derivatives) continue;
      std::fill(mean.begin(), mean.end(), 0.0);
      for (Index b = 0; b < M; ++b) {
        const double share = p[static_cast<std::size_t>(b)] /= total;
        for (std::size_t k = 0; k < K_; ++k) mean[k] += share * log_prob(*members_[k], row, b);
      }
      for (std::size_t k = 0; k < K_; ++k)
        out.gradient[k] += c * (mean[k] - log_prob(*members_[k], row, y));
      for (Index b = 0; b < M; ++b)  // covariance of the members' log-probabilities under p
        for (std::size_t k = 0; k < K_; ++k) {
          const double left =
              c * p[static_cast<std::size_t>(b)] * (log_prob(*members_[k], row, b) - mean[k]);
          for (std::size_t l = 0; l <= k; ++l)
            out.hessian[k * K_ + l] += left * (log_prob(*members_[l], row, b) - mean[l]);
        }
    }
    for (std::size_t k = 0; k < K_; ++k)
      for (std::size_t l = 0; l < k; ++l) out.hessian[l * K_ + k] = out.hessian[k * K_ + l];
    return out;
  }

  std::span<const Matrix* const> members_;
  std::span<const NodeId> rows_;
  std::span<const std::int32_t> labels_;
  const StackingOptions& o_;
  std::size_t K_;
};

// Solves H d = -g over the free variables by Cholesky; the others stay, d = 0 there.
// REQUIRES: H positive definite, which the prior makes it.
std::vector<double> newton_step(const Local& at, const std::vector<bool>& free) {
  const std::size_t K = at.gradient.size();
  std::vector<std::size_t> index;
  for (std::size_t k = 0; k < K; ++k)
    if (free[k]) index.push_back(k);
  const std::size_t f = index.size();
  std::vector<double> L(f * f), x(f), step(K, 0.0);
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = at.hessian[index[i] * K + index[j]];
      for (std::size_t k = 0; k < j; ++k) sum -= L[i * f + k] * L[j * f + k];
      L[i * f + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / L[j * f + j];
    }
    double sum = -at.gradient[index[i]];
    for (std::size_t k = 0; k < i; ++k) sum -= L[i * f + k] * x[k];
    x[i] = sum / L[i * f + i];
  }
  for (std::size_t i = f; i-- > 0;) {
    for (std::size_t k = i + 1; k < f; ++k) x[i] -= L[k * f + i] * x[k];
    x[i] /= L[i * f + i];
    step[index[i]] = x[i];
  }
  return step;
}

}  // namespace

void pool_log_probs(std::span<const Matrix* const> members, std::span<const double> weights,
                    Matrix& out) {
  check(!members.empty() && members.size() == weights.size(), "pool_log_probs: ", members.size(),
        " members and ", weights.size(), " weights");
  parallel_for(out.rows(), kRowsPerChunk, [&](Index begin, Index end) {
    std::vector<double> z(static_cast<std::size_t>(out.cols()));
    for (Index i = begin; i < end; ++i) {
      double top = -INFINITY, total = 0;
      for (Index b = 0; b < out.cols(); ++b) {
        double sum = 0;
        for (std::size_t k = 0; k < members.size(); ++k)
          sum += weights[k] * log_prob(*members[k], i, b);
        z[static_cast<std::size_t>(b)] = sum;
        top = std::max(top, sum);
      }
      for (const double v : z) total += std::exp(v - top);
      const double norm = top + std::log(total);
      for (Index b = 0; b < out.cols(); ++b)
        out(i, b) = static_cast<float>(z[static_cast<std::size_t>(b)] - norm);
    }
  });
}

// Projected Newton (Bertsekas): variables at 0 that want to go below stay, the others take a Newton
// step, which is halved until the objective falls.
std::vector<double> stack_weights(std::span<const Matrix* const> members,
                                  std::span<const NodeId> rows,
                                  std::span<const std::int32_t> labels, const StackingOptions& o) {
  constexpr int kSteps = 100, kHalvings = 40;
  constexpr double kEnough = 1e-4, kTolerance = 1e-7;
  check(!members.empty(), "stack_weights: there are no members");
  check(rows.size() == labels.size(), "stack_weights: ", rows.size(), " rows and ", labels.size(),
        " labels");
  check(o.prior > 0, "stack_weights: prior must be above 0, got ", o.prior);
  const std::size_t K = members.size();
  const Problem problem(members, rows, labels, o);
  std::vector<double> w(K, 1.0 / static_cast<double>(K));
  for (int step = 0; step < kSteps; ++step) {
    const Local at = problem.at(w, true);
    std::vector<bool> free(K);
    double slope = 0;
    for (std::size_t k = 0; k < K; ++k) {
      free[k] = w[k] > 0 || at.gradient[k] < 0;
      if (free[k]) slope = std::max(slope, std::fabs(at.gradient[k]));
    }
    if (slope <= kTolerance * (1 + std::fabs(at.value))) break;
    const std::vector<double> d = newton_step(at, free);
    double length = 1;
    for (int halving = 0;; ++halving, length /= 2) {
      if (halving == kHalvings) return w;  // no further than rounding allows
      std::vector<double> next(K);
      double expected = 0;
      for (std::size_t k = 0; k < K; ++k) {
        next[k] = std::max(0.0, w[k] + length * d[k]);
        expected += at.gradient[k] * (next[k] - w[k]);
      }
      if (problem.value(next) <= at.value + kEnough * expected) {
        w = std::move(next);
        break;
      }
    }
  }
  return w;
}

}  // namespace scrl
