// tensor/buffer.h: zeroed, aligned memory for numbers.
//
// Large buffers are mapped: their pages exist from the first time they are written, so a model can
// be laid out, and its size known, before any of its memory is used. Huge pages spare the processor
// most of its address look-ups when rows are gathered.
#pragma once
#include <cstddef>
#include <utility>

namespace scrl {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count);  // zeros; throws std::bad_alloc
  Buffer(const Buffer& other);
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  float* data() { return data_; }
  const float* data() const { return data_; }
  bool empty() const { return count_ == 0; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }
  bool mapped() const;

  float* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace scrl
