#include "tensor/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace scrl {
namespace {

constexpr std::size_t kAlignment = 64;                  // a cache line
constexpr std::size_t kMapFrom = std::size_t{1} << 20;  // bytes; a page each would be a waste
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t rounded(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

bool Buffer::mapped() const { return count_ * sizeof(float) >= kMapFrom; }

Buffer::Buffer(std::size_t count) : count_(count) {
  if (count == 0) return;
  if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(float)) throw std::bad_alloc();
  const std::size_t bytes = count * sizeof(float);
  if (!mapped()) {
    data_ = static_cast<float*>(std::aligned_alloc(kAlignment, rounded(bytes, kAlignment)));
    if (data_ == nullptr) throw std::bad_alloc();
    std::fill_n(data_, count, 0.0f);
    return;
  }
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  if (bytes >= kHugePage) madvise(pages, bytes, MADV_HUGEPAGE);  // a wish; refusal does no harm
  data_ = static_cast<float*>(pages);
}

Buffer::Buffer(const Buffer& other) : Buffer(other.count_) {
  std::copy_n(other.data_, count_, data_);
}

Buffer::~Buffer() {
  if (data_ == nullptr) return;
  if (mapped()) {
    munmap(data_, count_ * sizeof(float));
  } else {
    std::free(data_);
  }
}

}  // namespace scrl
