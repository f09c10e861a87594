// Rows at random, drawn anew for every epoch.
#include <algorithm>
#include <numeric>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;

void check_rows(const char* op, Var x) {
  check(x.value().layout() == Layout::kRows, op, ": x is in panels, expected rows");
}

// to = or += x, for one row.
void copy_row(const float* x, Index count, float* to, bool add) {
  if (!add) {
    std::copy_n(x, count, to);
  } else {
    for (Index j = 0; j < count; ++j) to[j] += x[j];
  }
}

// A permutation for this epoch; in evaluation the rows as they are.
void draw_order(const Pass& pass, std::uint32_t site, std::vector<NodeId>& order) {
  std::iota(order.begin(), order.end(), NodeId{0});
  if (pass.training) Rng(pass.seed, Purpose::kDropout, site, pass.epoch).shuffle(std::span(order));
}

// out = x[rows], and its adjoint.
void take(const Matrix& x, std::span<const NodeId> rows, Matrix& out) {
  parallel_for(out.rows(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) std::copy_n(x.row(rows[i]), out.cols(), out.row(i));
  });
}
void give_back(const Matrix& dout, std::span<const NodeId> rows, Matrix& dx, bool add) {
  parallel_for(dout.rows(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) copy_row(dout.row(i), dout.cols(), dx.row(rows[i]), add);
  });
}

}  // namespace

Var shuffle_rows(Var x) {
  check_rows("shuffle_rows", x);
  const std::uint32_t site = x.tape().new_dropout_site();
  auto order = std::make_shared<std::vector<NodeId>>(static_cast<std::size_t>(x.rows()));
  return x.tape().record(
      "shuffle_rows", {x}, x.rows(), x.cols(),
      [x, site, order](const Pass& pass, Matrix& out) {
        draw_order(pass, site, *order);
        take(x.value(), *order, out);
      },
      [x, order](const Pass&, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        give_back(dout, *order, dx, add);
      },
      /*random=*/true);
}

std::vector<Var> sample_rows(std::vector<Var> parts, Index count) {
  check(!parts.empty(), "sample_rows: no part");
  const Index n = parts.front().rows();
  check(count > 0 && count <= n, "sample_rows: ", count, " of ", n, " rows");
  const std::uint32_t site = parts.front().tape().new_dropout_site();
  for (Var& x : parts) {
    check_rows("sample_rows", x);
    check(x.rows() == n, "sample_rows: the first part has ", n, " rows, another ", x.rows());
    auto order = std::make_shared<std::vector<NodeId>>(static_cast<std::size_t>(n));
    const auto chosen = [order, count] {
      return std::span<const NodeId>(*order).first(static_cast<std::size_t>(count));
    };
    x = x.tape().record(
        "sample_rows", {x}, count, x.cols(),
        [x, site, order, chosen](const Pass& pass, Matrix& out) {
          draw_order(pass, site, *order);
          take(x.value(), chosen(), out);
        },
        [x, chosen](const Pass&, const Matrix&, const Matrix& dout) {
          auto [dx, add] = x.sink();
          if (!add) dx.fill(0.0f);
          give_back(dout, chosen(), dx, true);
        },
        /*random=*/true);
  }
  return parts;
}

Var drop_rows(Var x, float p) {
  check(p >= 0.0f && p < 1.0f, "drop_rows: the rate must be in [0, 1), got ", p);
  check_rows("drop_rows", x);
  if (p == 0.0f) return x;
  const std::uint32_t site = x.tape().new_dropout_site();
  // The rows that this pass keeps, from one matrix to another; its own adjoint.
  const auto keep_rows = [p, site](const Pass& pass, const Matrix& from, Matrix& to, bool add) {
    const Rng rng(pass.seed, Purpose::kDropout, site, pass.epoch);
    parallel_for(from.rows(), kRowsPerChunk, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        if (!pass.training || rng.uniform_at(static_cast<std::uint64_t>(i)) >= p) {
          copy_row(from.row(i), from.cols(), to.row(i), add);
        } else if (!add) {
          std::fill_n(to.row(i), to.cols(), 0.0f);
        }
      }
    });
  };
  return x.tape().record(
      "drop_rows", {x}, x.rows(), x.cols(),
      [x, keep_rows](const Pass& pass, Matrix& out) { keep_rows(pass, x.value(), out, false); },
      [x, keep_rows](const Pass& pass, const Matrix&, const Matrix& dout) {
        auto [dx, add] = x.sink();
        keep_rows(pass, dout, dx, add);
      },
      /*random=*/true);
}

}  // namespace scrl
