#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;

}  // namespace

Var sharpen(std::vector<Var> parts, float temperature) {
  check(!parts.empty(), "sharpen: no part");
  check(temperature > 0.0f, "sharpen: the temperature must be above 0, got ", temperature);
  const Index n = parts.front().rows(), width = parts.front().cols();
  for (const Var& part : parts)
    check(part.rows() == n && part.cols() == width && part.value().layout() == Layout::kRows,
          "sharpen: the first part is ", n, "x", width, ", another is ", part.rows(), "x",
          part.cols(), "; the shapes must agree");
  return parts.front().tape().record(
      "sharpen", parts, n, width,
      [parts, temperature](const Pass&, Matrix& out) {
        const float power = 1.0f / temperature;
        parallel_for(out.rows(), kRowsPerChunk, [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i) {
            float* const to = out.row(i);
            std::copy_n(parts.front().value().row(i), out.cols(), to);
            for (std::size_t s = 1; s < parts.size(); ++s)
              for (Index j = 0; j < out.cols(); ++j) to[j] += parts[s].value()(i, j);
            // Powers of shares of the largest entry neither overflow nor vanish all together.
            const float top = *std::max_element(to, to + out.cols());
            double total = 0.0;
            for (Index j = 0; j < out.cols(); ++j) {
              to[j] = std::pow(to[j] / top, power);
              total += static_cast<double>(to[j]);
            }
            const float scale = static_cast<float>(1.0 / total);
            for (Index j = 0; j < out.cols(); ++j) to[j] *= scale;
          }
        });
      },
      nullptr);
}

}  // namespace scrl
