// Moments of columns, centring, batch normalisation.
#include "counters.h"
#include "inputs.h"
#include "kernels/columns.h"

namespace scrl::bench {
namespace {

void column_moments(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  std::vector<double> sums(static_cast<std::size_t>(x.cols())), dots = sums;
  for (auto _ : state) kernels::column_moments(x, x, sums, dots);
  count_bytes(state, x, 1);
}

void map_columns(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1), row = random_matrix(1, x.cols(), 2);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::map_columns(x, {&row, &row, &row}, out);
  count_bytes(state, x, 2);
}

void repeat_row(benchmark::State& state) {
  const Matrix row = random_matrix(1, state.range(0), 2);
  Matrix out(kNodes, row.cols());
  for (auto _ : state) kernels::repeat_row(row, out);
  count_bytes(state, out, 1);
}

void batch_norm_backward(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1), row = random_matrix(1, x.cols(), 2);
  Matrix dx(x.rows(), x.cols());
  for (auto _ : state) kernels::batch_norm_backward(x, x, {row, row, row, row}, dx);
  count_bytes(state, x, 2);
}

BENCHMARK(column_moments)->ArgName("h")->Arg(60)->Arg(512)->Apply(in_milliseconds);
BENCHMARK(map_columns)->ArgName("h")->Arg(60)->Arg(512)->Apply(in_milliseconds);
BENCHMARK(repeat_row)->ArgName("h")->Arg(512)->Apply(in_milliseconds);
BENCHMARK(batch_norm_backward)->ArgName("h")->Arg(60)->Arg(512)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
