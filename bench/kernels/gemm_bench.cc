// Dense products of training, ours and (if found when configuring) oneDNN's in the same run.
#ifdef SCRL_HAVE_DNNL
#include <dnnl.h>
#endif

#include "counters.h"
#include "inputs.h"
#include "kernels/products.h"

namespace scrl::bench {
namespace {

using kernels::Op;

struct Product {
  Op ta, tb;
  Index m, n, k;
  Matrix A, B, C;
};

// Arguments: ta, tb (1: transposed), m, n, k.
Product make(const benchmark::State& state) {
  Product p{};
  p.ta = state.range(0) ? Op::kT : Op::kN, p.tb = state.range(1) ? Op::kT : Op::kN;
  p.m = state.range(2), p.n = state.range(3), p.k = state.range(4);
  p.A = p.ta == Op::kN ? random_matrix(p.m, p.k, 1) : random_matrix(p.k, p.m, 1);
  p.B = p.tb == Op::kN ? random_matrix(p.k, p.n, 2) : random_matrix(p.n, p.k, 2);
  p.C = Matrix(p.m, p.n);
  return p;
}

void count_flops(benchmark::State& state, const Product& p) {
  count(state, "FLOP/s", 2.0 * static_cast<double>(p.m * p.n * p.k));
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"ta", "tb", "m", "n", "k"});
  b->Args({0, 0, kNodes, 128, 512});  // hidden layer
  b->Args({1, 0, 512, 128, kNodes});  // its weight gradient
  b->Args({0, 1, kNodes, 512, 128});  // its input gradient
  b->Args({0, 0, kNodes, 18, 128});   // prototypes
  b->Args({1, 0, 128, 18, kNodes});
  b->Args({1, 0, 512, 18, kNodes});
  b->Args({0, 1, kNodes, 128, 18});
  b->Args({0, 0, kNodes, 9, 256});  // classes
  b->Args({0, 0, 1024, 1024, 1024});
  b->Apply(in_milliseconds);
}

void gemm(benchmark::State& state) {
  Product p = make(state);
  for (auto _ : state) kernels::gemm(p.ta, p.A, p.tb, p.B, p.C);
  count_flops(state, p);
}
BENCHMARK(gemm)->Apply(shapes);

#ifdef SCRL_HAVE_DNNL
void gemm_onednn(benchmark::State& state) {
  Product p = make(state);
  for (auto _ : state) {
    dnnl_sgemm(p.ta == Op::kT ? 'T' : 'N', p.tb == Op::kT ? 'T' : 'N', p.m, p.n, p.k, 1.0f,
               p.A.data(), p.A.stride(), p.B.data(), p.B.stride(), 0.0f, p.C.data(), p.C.stride());
  }
  count_flops(state, p);
}
BENCHMARK(gemm_onednn)->Apply(shapes);
#endif

}  // namespace
}  // namespace scrl::bench
