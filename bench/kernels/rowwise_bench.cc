// Softmax over classes and prototypes, norms of embeddings, predicted classes.
#include "counters.h"
#include "inputs.h"
#include "kernels/rows.h"

namespace scrl::bench {
namespace {

void log_softmax(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::log_softmax(x, 3.0f, out);
  count_bytes(state, x, 2);
}

void log_softmax_backward(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix L(x.rows(), x.cols()), dx = L;
  kernels::log_softmax(x, 3.0f, L);
  for (auto _ : state) kernels::log_softmax_backward(L, x, 3.0f, dx);
  count_bytes(state, x, 3);
}

void softmax(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols());
  for (auto _ : state) kernels::softmax(x, out);
  count_bytes(state, x, 2);
}

void softmax_backward(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols()), dx = out;
  kernels::softmax(x, out);
  for (auto _ : state) kernels::softmax_backward(out, x, dx);
  count_bytes(state, x, 3);
}

void l2_normalize_rows(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  Matrix out(x.rows(), x.cols());
  std::vector<float> norms;
  for (auto _ : state) kernels::l2_normalize_rows(x, out, norms);
  count_bytes(state, x, 2);
}

void argmax_rows(benchmark::State& state) {
  const Matrix x = random_matrix(kNodes, state.range(0), 1);
  std::vector<std::int32_t> classes;
  for (auto _ : state) kernels::argmax_rows(x, classes);
  count_bytes(state, x, 1);
}

BENCHMARK(log_softmax)->ArgName("B")->Arg(9)->Arg(18)->Apply(in_milliseconds);
BENCHMARK(log_softmax_backward)->ArgName("B")->Arg(18)->Apply(in_milliseconds);
BENCHMARK(softmax)->ArgName("B")->Arg(3)->Arg(18)->Apply(in_milliseconds);
BENCHMARK(softmax_backward)->ArgName("B")->Arg(3)->Arg(18)->Apply(in_milliseconds);
BENCHMARK(l2_normalize_rows)->ArgName("h")->Arg(128)->Apply(in_milliseconds);
BENCHMARK(argmax_rows)->ArgName("B")->Arg(9)->Apply(in_milliseconds);

}  // namespace
}  // namespace scrl::bench
