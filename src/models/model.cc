#include "models/model.h"

namespace scrl {

Param& Model::uniform_param(const std::string& name, Index rows, Index cols, double bound,
                            std::uint64_t seed, Layout layout) {
  const Rng rng(seed, Purpose::kInit, static_cast<std::uint32_t>(params.size()));
  params.push_back(std::make_unique<Param>(name, rows, cols, layout));
  Matrix& w = params.back()->value;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      w(i, j) = static_cast<float>(bound) *
                (2.0f * rng.uniform_at(static_cast<std::uint64_t>(i * cols + j)) - 1.0f);
  return *params.back();
}

Index Model::buffer_bytes() const {
  Index floats = 0;
  for (const auto& p : params) floats += 4 * p->value.size();
  for (const auto& node : tape.nodes()) floats += node->own_value.size() + node->own_grad.size();
  return floats * static_cast<Index>(sizeof(float));
}

}  // namespace scrl
