#include "autograd/propagate.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/products.h"
#include "kernels/reduce.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 512;

template <class Use>
void each_row(Index rows, const Use& use) {
  parallel_for(rows, kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) use(i);
  });
}

void copy(const Matrix& from, Matrix& to) { kernels::scale(1.0f, from, to); }

Index class_of(const Matrix& targets, Index i) { return static_cast<Index>(targets(i, 0)); }

struct Work {
  Work(std::shared_ptr<const Csr> S_, Index classes)
      : S(std::move(S_)), spread(*S, classes), error(S->rows, classes) {}
  std::shared_ptr<const Csr> S;
  Propagator spread;
  Matrix error;
};

// P += s_i E_i, E the spread errors of the training nodes.
void correct(Work& work, const Matrix& targets, const CorrectSmoothOptions& o, Matrix& P) {
  Matrix& E = work.error;
  E.fill(0.0f);
  double sum = 0;
  Index labelled = 0;
  for (Index i = 0; i < P.rows(); ++i) {
    const Index y = class_of(targets, i);
    if (y < 0) continue;
    ++labelled;
    for (Index c = 0; c < P.cols(); ++c) {
      E(i, c) = (c == y ? 1.0f : 0.0f) - P(i, c);
      sum += std::abs(E(i, c));
    }
  }
  if (labelled == 0) return;
  const double mean = sum / static_cast<double>(labelled);
  work.spread.run({.alpha = static_cast<float>(o.correct_alpha),
                   .steps = o.correct_steps,
                   .low = -1.0f,
                   .high = 1.0f},
                  E);
  each_row(P.rows(), [&](Index i) {
    double size = 0;
    for (Index c = 0; c < P.cols(); ++c) size += std::abs(E(i, c));
    double factor = 1;
    if (o.autoscale) factor = mean <= 1000 * size && size > 0 ? mean / size : 1;
    for (Index c = 0; c < P.cols(); ++c) P(i, c) += static_cast<float>(factor * E(i, c));
  });
}

void smooth(Work& work, const Matrix& targets, const CorrectSmoothOptions& o, Matrix& P) {
  each_row(P.rows(), [&](Index i) {
    if (const Index y = class_of(targets, i); y >= 0)
      for (Index c = 0; c < P.cols(); ++c) P(i, c) = c == y ? 1.0f : 0.0f;
  });
  work.spread.run({.alpha = static_cast<float>(o.smooth_alpha), .steps = o.smooth_steps}, P);
}

}  // namespace

void Propagator::run(const Spread& spread, Matrix& F) {
  check(F.same_shape(first_), "propagation: ", F.rows(), "x", F.cols(), " values on ",
        first_.rows(), " nodes and ", first_.cols(), " classes");
  copy(F, first_);
  for (int step = 0; step < spread.steps; ++step) {
    kernels::spmm(S_, F, next_);
    each_row(F.rows(), [&](Index i) {
      for (Index c = 0; c < F.cols(); ++c)
        F(i, c) = std::clamp(spread.alpha * next_(i, c) + (1 - spread.alpha) * first_(i, c),
                             spread.low, spread.high);
    });
  }
}

void log_shares(const Matrix& F, Matrix& out) {
  constexpr double kUniform = 1e-3;
  const double classes = static_cast<double>(F.cols());
  each_row(F.rows(), [&](Index i) {
    double sum = 0;
    for (Index c = 0; c < F.cols(); ++c) sum += F(i, c);
    for (Index c = 0; c < F.cols(); ++c) {
      const double share = sum > 0 ? F(i, c) / sum : 1 / classes;
      out(i, c) = static_cast<float>(std::log((1 - kUniform) * share + kUniform / classes));
    }
  });
}

Var correct_and_smooth(const std::shared_ptr<const Csr>& S, Var log_probs, Var targets,
                       const CorrectSmoothOptions& o) {
  check(S->rows == log_probs.rows() && targets.rows() == S->rows && targets.cols() == 1,
        "correct_and_smooth: ", log_probs.rows(), " rows and ", targets.rows(),
        " targets on a graph of ", S->rows, " nodes");
  auto work = std::make_shared<Work>(S, log_probs.cols());
  const Var out = log_probs.tape().record(
      "correct_and_smooth", {log_probs, targets}, log_probs.rows(), log_probs.cols(),
      [work, log_probs, targets, o](const Pass&, Matrix& P) {
        each_row(P.rows(), [&](Index i) {
          for (Index c = 0; c < P.cols(); ++c) P(i, c) = std::exp(log_probs.value()(i, c));
        });
        correct(*work, targets.value(), o, P);
        smooth(*work, targets.value(), o, P);
        log_shares(P, P);
      },
      nullptr);
  Node& node = *out.node();
  node.work_floats = 3 * out.value().size();
  const double products = o.correct_steps + o.smooth_steps;
  const double values = static_cast<double>(out.rows() * out.cols());
  const double entries = static_cast<double>(S->nnz()), width = static_cast<double>(out.cols());
  node.forward_cost = {.flops = products * (2 * entries * width + 3 * values),
                       .streamed = products * (entries * (sizeof(float) + sizeof(NodeId)) +
                                               3 * values * sizeof(float)),
                       .gathered = products * entries * width * sizeof(float)};
  return out;
}

}  // namespace scrl
