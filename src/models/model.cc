#include "models/model.h"

#include <algorithm>

#include "base/parallel.h"

namespace scrl {

Param& Model::uniform_param(const std::string& name, Index rows, Index cols, double bound,
                            std::uint64_t seed, Layout layout) {
  const Rng rng(seed, Purpose::kInit, static_cast<std::uint32_t>(params.size()));
  params.push_back(std::make_unique<Param>(name, rows, cols, layout));
  Matrix& w = params.back()->value;
  parallel_for(rows, 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < cols; ++j)
        w(i, j) = static_cast<float>(bound) *
                  (2.0f * rng.uniform_at(static_cast<std::uint64_t>(i * cols + j)) - 1.0f);
  });
  return *params.back();
}

Index Model::training_bytes() const {
  Index floats = 0;
  for (const auto& p : params) floats += 4 * p->value.size();
  const Plan trained = tape.plan({loss});
  for (const auto& node : tape.nodes()) {
    const bool has_gradient =
        std::find(trained.begin(), trained.end(), node.get()) != trained.end();
    floats += node->own_value.size() + (has_gradient ? node->own_grad.size() : 0);
  }
  return floats * static_cast<Index>(sizeof(float));
}

}  // namespace scrl
