// support/text_stream.h: a ByteStream over a string, delivered in small pieces.
#pragma once
#include <algorithm>
#include <memory>
#include <string>

#include "io/byte_stream.h"

namespace scrl {

class TextStream final : public ByteStream {
 public:
  TextStream(std::string name, std::string text, std::size_t piece)
      : ByteStream(std::move(name)), text_(std::move(text)), piece_(piece) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t n = std::min({buffer.size(), piece_, text_.size() - at_});
    std::copy_n(text_.data() + at_, n, buffer.data());
    at_ += n;
    return n;
  }
  Index stored_bytes() const override { return static_cast<Index>(at_); }

 private:
  std::string text_;
  std::size_t piece_, at_ = 0;
};

inline std::unique_ptr<ByteStream> text_stream(std::string text, std::string name = "file",
                                               std::size_t piece = 7) {
  return std::make_unique<TextStream>(std::move(name), std::move(text), piece);
}

}  // namespace scrl
