#include "plan/machine_ceilings.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/rng.h"
#include "kernels/reduce.h"
#include "kernels/targets.h"
#include "tensor/matrix.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plan/machine_ceilings.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#ifndef SCRL_MACHINE_CEILINGS_ONCE
#define SCRL_MACHINE_CEILINGS_ONCE
namespace scrl {
inline constexpr int kChains = 12;  // enough to hide the latency of a multiply-add
}
#endif

HWY_BEFORE_NAMESPACE();
namespace scrl::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));

// Does `rounds` multiply-adds in each chain; returns floating-point operations done.
double multiply_adds(Index rounds, float* sink) {
  hn::Vec<decltype(kTag)> sum[kChains];
  for (int c = 0; c < kChains; ++c) sum[c] = hn::Set(kTag, static_cast<float>(c));
  const auto a = hn::Set(kTag, 0.999f), b = hn::Set(kTag, 0.001f);
  for (Index r = 0; r < rounds; ++r) {
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) sum[c] = hn::MulAdd(sum[c], a, b);
  }
  for (int c = 1; c < kChains; ++c) sum[0] = hn::Add(sum[0], sum[c]);
  *sink += hn::GetLane(sum[0]);
  return 2.0 * kChains * static_cast<double>(rounds * kWidth);
}

// Reads rows of kPanel floats in the order of `rows`.
void gather(const float* x, std::span<const NodeId> rows, float* sink) {
  constexpr int kVectors = static_cast<int>(kPanel / kWidth);
  hn::Vec<decltype(kTag)> sum[kVectors];
  for (auto& s : sum) s = hn::Zero(kTag);
  for (const NodeId row : rows) {
    const float* const from = x + static_cast<Index>(row) * kPanel;
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::Add(sum[v], hn::Load(kTag, from + v * kWidth));
  }
  for (int v = 1; v < kVectors; ++v) sum[0] = hn::Add(sum[0], sum[v]);
  *sink += hn::GetLane(sum[0]);
}

}  // namespace scrl::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl {
HWY_EXPORT(multiply_adds);
HWY_EXPORT(gather);
namespace {

constexpr int kRepetitions = 9;
constexpr Index kHalfL2 = Index{1} << 18;  // floats: 1 MB

double fastest(const std::function<void()>& run) {
  double best = 1e300;
  for (int r = 0; r < kRepetitions; ++r) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

}  // namespace

MachineCeilings measure_ceilings(Index footprint) {
  const Index workers = threads();
  Matrix sinks(workers, kLane);
  MachineCeilings ceilings;

  constexpr Index kRounds = 200'000;
  const auto arithmetic = SCRL_DISPATCH(multiply_adds);
  double flops = 0;
  const double arithmetic_time = fastest([&] {
    parallel_for(workers, 1, [&](Index w, Index) {
      const double done = arithmetic(kRounds, sinks.row(w));
      if (w == 0) flops = done * static_cast<double>(workers);
    });
  });
  ceilings.flops = flops / arithmetic_time;

  constexpr Index kRows = kHalfL2 / kPanel, kGathers = 20 * kRows;
  const auto read = SCRL_DISPATCH(gather);
  Matrix buffers(workers, kHalfL2);
  buffers.fill(1.0f);
  std::vector<NodeId> rows(static_cast<std::size_t>(kGathers));
  Rng rng(1);
  for (NodeId& row : rows) row = static_cast<NodeId>(rng.uniform() * kRows);
  const double gather_time = fastest([&] {
    parallel_for(workers, 1, [&](Index w, Index) { read(buffers.row(w), rows, sinks.row(w)); });
  });
  ceilings.gather_bytes =
      static_cast<double>(workers * kGathers * kPanel) * sizeof(float) / gather_time;

  // Two buffers of half the footprint each, whole passes: what the previous pass left in the
  // caches helps here as much as it helps an epoch.
  constexpr Index kLeast = Index{1} << 20, kMost = Index{1} << 27;  // floats
  const Index half = std::clamp<Index>(footprint / 8, kLeast, kMost) / kLane * kLane;
  Matrix x(1, half), y(1, half);
  x.fill(1.0f);  // pages that nobody wrote are all the same page
  const double stream_time = fastest([&] { kernels::scale(0.5f, x, y, /*accumulate=*/true); });
  ceilings.memory_bytes = 3.0 * static_cast<double>(half) * sizeof(float) / stream_time;
  return ceilings;
}

}  // namespace scrl
#endif  // HWY_ONCE
