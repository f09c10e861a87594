#include "embedding2d/tsne_descent.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "embedding2d/tsne_repulsion.h"
#include "kernels/attraction.h"

namespace scrl {
namespace {

constexpr int kReportEvery = 50;
constexpr float kSmallestGain = 0.01f;
constexpr float kLongestStep = 5;  // of a point: keeps a few far ones from overshooting
constexpr Index kGrain = 4096;

struct Phase {
  float exaggeration, rate, momentum;
};

class Descent {
 public:
  Descent(const Csr& P, const Matrix& coordinates, const TsneOptions& o) : P_(P) {
    for (Axis* const axis : {&x_, &y_}) axis->resize(P.rows);
    for (Index i = 0; i < P.rows; ++i) x_.at[i] = coordinates(i, 0), y_.at[i] = coordinates(i, 1);
    if (repels_exactly(P.rows, o.method)) {
      repulsion_ = std::make_unique<ExactRepulsion>();
    } else {
      repulsion_ = std::make_unique<GridRepulsion>();
    }
  }

  void step(const Phase& phase) {
    find_forces();
    const float repel = static_cast<float>(1 / z_);
    parallel_for(P_.rows, kGrain, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        x_.turn(i, phase, repel);
        y_.turn(i, phase, repel);
        const float length = std::sqrt(x_.step[i] * x_.step[i] + y_.step[i] * y_.step[i]);
        if (length > kLongestStep)
          x_.step[i] *= kLongestStep / length, y_.step[i] *= kLongestStep / length;
        x_.at[i] += x_.step[i];
        y_.at[i] += y_.step[i];
      }
    });
    x_.centre();
    y_.centre();
  }

  double divergence() {
    find_forces();  // for Z
    return tsne_divergence(P_, x_.at, y_.at, z_);
  }

  Matrix coordinates() const {
    Matrix out(P_.rows, 2);
    for (Index i = 0; i < P_.rows; ++i) out(i, 0) = x_.at[i], out(i, 1) = y_.at[i];
    return out;
  }

 private:
  struct Axis {
    std::vector<float> at, step, gain, attraction, repulsion;

    void resize(Index n) {
      for (auto* v : {&at, &step, &attraction, &repulsion}) v->resize(static_cast<std::size_t>(n));
      gain.assign(static_cast<std::size_t>(n), 1.0f);
    }
    void turn(Index i, const Phase& phase, float repel) {
      const float g = phase.exaggeration * attraction[i] - repel * repulsion[i];
      const bool onward = (g > 0) != (step[i] > 0);  // steps go against g
      gain[i] = onward ? gain[i] + 0.2f : std::max(gain[i] * 0.8f, kSmallestGain);
      step[i] = phase.momentum * step[i] - phase.rate * gain[i] * g;
    }
    void centre() {
      const double sum = std::accumulate(at.begin(), at.end(), 0.0);
      const auto mean = static_cast<float>(sum / static_cast<double>(at.size()));
      if (!std::isfinite(mean)) {
        fail(ErrorKind::kDiverged,
             "t-SNE: coordinates are no longer finite numbers; use a smaller learning_rate");
      }
      for (float& v : at) v -= mean;
    }
  };

  void find_forces() {
    kernels::attraction(P_, x_.at, y_.at, x_.attraction, y_.attraction);
    z_ = std::max(1e-30, repulsion_->run(x_.at, y_.at, x_.repulsion, y_.repulsion));
  }

  const Csr& P_;
  Axis x_, y_;
  std::unique_ptr<Repulsion> repulsion_;
  double z_ = 1;
};

}  // namespace

double tsne_divergence(const Csr& P, std::span<const float> x, std::span<const float> y, double Z) {
  std::vector<double> sums(static_cast<std::size_t>(chunk_count(P.rows, kGrain)));
  parallel_for(P.rows, kGrain, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) {
      for (Index e = P.row_ptr[i]; e < P.row_ptr[i + 1]; ++e) {
        const double dx = double{x[i]} - x[P.col[e]], dy = double{y[i]} - y[P.col[e]];
        sum += P.val[e] * std::log(P.val[e] * (1 + dx * dx + dy * dy) * Z);
      }
    }
    sums[begin / kGrain] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

Matrix descend(const Csr& P, const Matrix& coordinates, const TsneOptions& o,
               const TsneReport& report) {
  Descent descent(P, coordinates, o);
  const auto rate = [&](double exaggeration) {
    return static_cast<float>(o.learning_rate > 0 ? o.learning_rate
                                                  : static_cast<double>(P.rows) / exaggeration);
  };
  const Phase early = {static_cast<float>(o.early_exaggeration), rate(o.early_exaggeration), 0.5f};
  const Phase late = {1.0f, rate(1.0), 0.8f};
  for (int t = 1; t <= o.iterations; ++t) {
    descent.step(t <= o.exaggeration_iters ? early : late);
    if (report && (t % kReportEvery == 0 || t == o.iterations))
      report({t, o.iterations, descent.divergence()});
  }
  return descent.coordinates();
}

}  // namespace scrl
