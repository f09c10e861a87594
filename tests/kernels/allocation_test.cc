// A training loop calls the same kernels on the same shapes again and again: after the first pass
// none of them may touch the heap. This file replaces the allocation functions of the test program.
#include <atomic>
#include <cstdlib>
#include <new>

#include "kernels/adam.h"
#include "kernels/attention.h"
#include "kernels/columns.h"
#include "kernels/grouped_gemm.h"
#include "kernels/info_nce.h"
#include "kernels/layers.h"
#include "kernels/nonlinear.h"
#include "kernels/products.h"
#include "kernels/reduce.h"
#include "kernels/rows.h"
#include "kernels/sinkhorn.h"
#include "support/every_level.h"

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
}  // namespace

void* operator new(std::size_t size) { return counted(size, 16); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace scrl {
namespace {

using kernels::Op;
using AllocationTest = EveryLevel;
SCRL_EVERY_LEVEL(AllocationTest);

TEST_P(AllocationTest, NothingIsAllocatedAfterTheFirstPass) {
  const Csr A = random_csr(3000, 3000, 0.01, 1);
  const Matrix X = random_matrix(3000, 130, 2), W = random_matrix(130, 40, 3);
  const Matrix bias = random_matrix(1, 130, 4);
  Matrix AX(3000, 130), H(3000, 130), Z(3000, 40), dW(130, 40), dH(3000, 130), Q(3000, 40);
  Matrix dbias(1, 130), sums(1, 40), m(130, 40), v(130, 40), weights = W;
  std::vector<float> norms, values(A.val.size());
  std::vector<std::int32_t> classes;
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(3000 * kernels::hidden_words(130)));
  const Rng rng(5, Purpose::kDropout);
  std::vector<double> column(130), other(130), products(130 * 40);
  const Csr At = transpose(A);
  const std::vector<Index> from = transpose_positions(A, At);
  const kernels::RowGroups groups = kernels::row_groups(std::vector<std::int32_t>(3000, 1), 2);
  Matrix s(3000, 8), ds(3000, 8), G(260, 40), dG(260, 40), dZ(3000, 40);
  std::vector<float> shares(static_cast<std::size_t>(kernels::attention_floats(A, 8)));
  std::vector<float> slopes(shares.size());
  std::vector<double> contrast_sums;
  const auto pass = [&] {
    kernels::grouped_gemm(groups, X, Op::kN, G, Z);
    kernels::grouped_gemm_gradient(groups, X, Z, dG);
    kernels::attention(A, s, s, Z, 0.5f, &rng, shares, Q);
    kernels::attention_backward(A, At, from, s, s, Z, 0.5f, shares, Q, slopes,
                                {&ds, nullptr, &dZ, false, false, true});
    kernels::info_nce(Z, Q, 0.5f, contrast_sums);
    kernels::info_nce_backward(Z, Q, 0.5f, contrast_sums, 1.0f, {&dZ, nullptr, true, false});
    kernels::dropout(A.val, 0.5f, rng, values);
    kernels::spmm(A, values, X, AX);
    kernels::bias_relu_dropout(AX, &bias, 0.5f, &rng, H);
    kernels::gemm(Op::kN, H, Op::kN, weights, Z);
    kernels::sinkhorn(Z, 0.3f, 5, {}, Q);
    kernels::log_softmax(Z, 2.0f, Q);
    kernels::log_softmax_backward(Q, Z, 2.0f, Q);
    kernels::argmax_rows(Q, classes);
    kernels::column_sums(Q, sums);
    kernels::gemm(Op::kT, H, Op::kN, Q, dW);
    kernels::gemm(Op::kN, Q, Op::kT, weights, dH);
    kernels::bias_relu_dropout_backward(H, dH, 2.0f, dH);
    kernels::l2_normalize_rows(dH, dH, norms);
    kernels::hidden_gemm(AX, bias, 0.5f, &rng, weights, bits.data(), Z);
    kernels::hidden_gemm(AX, bias, 0.5f, nullptr, weights, nullptr, Z);
    kernels::hidden_gemm_backward(AX, bias, bits.data(), 2.0f, weights, Z,
                                  {dH, dbias, dW, false, true});
    kernels::scale(0.5f, dW, dW);
    kernels::adam({0.01, 0.9, 0.999, 1e-8, 0.0, 0.1, 0.001}, dW, weights, m, v);
    kernels::column_moments(AX, H, column, other);
    kernels::gram(AX, Z, products);
    products[0] += kernels::prelu_slope_gradient(AX, H);
    return kernels::dot(dW, dW);
  };
  set_threads(1);  // with more, a worker may see its first chunk only in a later pass
  pass();
  const long before = allocations;
  EXPECT_GT(pass(), 0.0);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace scrl
