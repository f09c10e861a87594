#include "report/report_views.h"

#include <algorithm>

#include "eval/metrics.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

// Of a classifier over [Z_t | Z_f]; empty when the model has none of that shape.
std::vector<float> topology_shares(const Model& model, const std::vector<std::int32_t>& predicted) {
  const Matrix& Z = model.embedding.value();
  const auto found = std::find_if(model.params.begin(), model.params.end(),
                                  [](const auto& p) { return p->name == "W"; });
  if (found == model.params.end() || (*found)->value.rows() != Z.cols() || Z.cols() % 2 != 0)
    return {};
  const Matrix& W = (*found)->value;
  const Index classes = W.cols(), h = Z.cols() / 2;
  std::vector<double> mean(static_cast<std::size_t>(Z.cols()));
  for (Index j = 0; j < Z.cols(); ++j) {
    for (Index c = 0; c < classes; ++c) mean[j] += W(j, c);
    mean[j] /= static_cast<double>(classes);
  }
  std::vector<float> out;
  for (Index i = 0; i < Z.rows(); ++i) {
    double part[2] = {0, 0};
    for (Index j = 0; j < Z.cols(); ++j)
      part[j / h] += Z(i, j) * (static_cast<double>(W(j, predicted[i])) - mean[j]);
    const double t = std::max(part[0], 0.0), f = std::max(part[1], 0.0);
    out.push_back(t + f > 0 ? static_cast<float>(t / (t + f)) : 0.5f);
  }
  return out;
}

}  // namespace

std::optional<ViewFacts> view_facts(Model& model, const std::vector<std::int32_t>& predicted) {
  if (model.view_scores.size() != 2) return {};
  Tape& tape = model.view_scores[0].tape();  // of an ensemble, that of its first member
  tape.forward(tape.plan(model.view_scores), Pass{});
  ViewFacts out;
  for (std::size_t v = 0; v < 2; ++v)
    kernels::argmax_rows(model.view_scores[v].value(), out.nearest[v]);
  out.prototypes = model.view_scores[0].cols();
  out.agreement = percent_equal(out.nearest[0], out.nearest[1]);
  out.topology_share = topology_shares(model, predicted);
  return out;
}

}  // namespace scrl
