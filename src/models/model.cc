#include "models/model.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace scrl {

namespace {

Plan outputs(const Model& model, bool with_embedding) {
  std::vector<Var> wanted = {model.log_probs};
  if (with_embedding) wanted.push_back(model.embedding);
  return model.tape.plan(wanted);
}

}  // namespace

void fill_uniform(Matrix& w, double bound, const Rng& rng) {
  const float b = static_cast<float>(bound);
  parallel_for(w.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < w.cols(); ++j)
        w(i, j) = b * (2.0f * rng.uniform_at(static_cast<std::uint64_t>(i * w.cols() + j)) - 1.0f);
  });
}

void Model::evaluate() { tape.forward(outputs(*this, true), Pass{}); }

void Model::evaluate_for_new(bool with_embedding) {
  tape.params_changed();
  tape.forward(outputs(*this, with_embedding), Pass{.keep = true});
}

void Model::continue_from(const Model& known, bool with_embedding) {
  tape.continue_from(known.tape);
  tape.forward(outputs(*this, with_embedding), Pass{});
}

void Model::calibrate(double by) {
  check(temperature == 1, "calibrate: the model has a temperature already, ", temperature);
  temperature = by;
  if (by != 1) log_probs = log_softmax(log_probs, static_cast<float>(1 / by));
}

Param& Model::uniform_param(const std::string& name, Index rows, Index cols, double bound,
                            std::uint64_t seed, Layout layout) {
  const Rng rng(seed, Purpose::kInit, static_cast<std::uint32_t>(params.size()));
  params.push_back(std::make_unique<Param>(name, rows, cols, layout));
  if (seed != kDrawNothing) fill_uniform(params.back()->value, bound, rng);
  return *params.back();
}

Param& Model::glorot_param(const std::string& name, Index rows, Index cols, std::uint64_t seed) {
  return uniform_param(name, rows, cols, glorot(rows, cols), seed);
}

Param& Model::constant_param(const std::string& name, Index rows, Index cols, float value) {
  params.push_back(std::make_unique<Param>(name, rows, cols));
  if (value != 0.0f) params.back()->value.fill(value);
  return *params.back();
}

void Model::classify(const Inputs& in, Var Y) {
  log_probs = log_softmax(Y);
  if (!in.train.empty()) loss = nll(log_softmax(gather_rows(Y, in.train)), in.train_labels);
}

double own_work(const Model& model) {
  const auto* own = dynamic_cast<const OwnModel*>(&model);
  return own ? own->own_work() : 0;
}

Index Model::training_bytes() const {
  Index floats = 0;
  for (const auto& p : params) floats += (p->trained ? 4 : 1) * p->value.size();
  const Plan trained = loss.node() ? tape.plan({loss}) : Plan{};
  for (const auto& node : tape.nodes()) {
    const bool has_gradient =
        std::find(trained.begin(), trained.end(), node.get()) != trained.end();
    floats +=
        node->work_floats + node->own_value.size() + (has_gradient ? node->own_grad.size() : 0);
  }
  return floats * static_cast<Index>(sizeof(float));
}

}  // namespace scrl
