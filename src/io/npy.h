// io/npy.h: numpy's .npy arrays: numbers are read as a stream, matrices are written.
//
// Versions 1 to 3 of the header; f2 f4 f8, i1..i8, u1..u8, b1 in little endian, and fixed-length
// text for the few labels scipy stores. Leaves out: objects (they are pickles), structured types,
// big endian, complex numbers. Format:
// numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "io/byte_stream.h"
#include "tensor/matrix.h"

namespace scrl {

struct NpyHeader {
  char kind = 0;  // 'f', 'i', 'u', 'b', or text: 'S' (one byte per letter), 'U' (four)
  int width = 0;  // bytes per number; letters of a text
  bool fortran_order = false;
  std::vector<Index> shape;  // empty: a single value

  Index count() const;  // product of the shape
};

// Reads one array front to back. Throws Error(kData) "NAME: ..." on anything malformed; memory
// grows with what is read, never with what the header claims.
class NpyReader {
 public:
  explicit NpyReader(std::unique_ptr<ByteStream> stream);

  const NpyHeader& header() const { return header_; }
  const std::string& name() const { return stream_->name(); }

  // The next values.size() numbers. Refuses text; as Index also refuses f2 f4 f8.
  void read(std::span<float> values);
  void read(std::span<Index> values);

  // All numbers from here to the end, which must be where the shape says.
  template <class T>
  std::vector<T> rest() {
    std::vector<T> out;
    while (left_ > 0) {
      const std::size_t had = out.size();
      out.resize(had + static_cast<std::size_t>(std::min<Index>(left_, Index{1} << 20)));
      read(std::span(out).subspan(had));
    }
    expect_end();
    return out;
  }
  std::string text();                // a single text value
  std::vector<std::string> texts();  // in UTF-8; letters of one byte are taken as they are
  void expect_end();

 private:
  std::size_t read_raw(std::span<char> buffer);
  void parse_header();
  template <class T, class Convert>
  void read_as(std::span<T> values, Convert convert);

  std::unique_ptr<ByteStream> stream_;
  NpyHeader header_;
  Index left_ = 0;  // values not read yet
};

// A complete .npy file: float32 in row order.
std::string npy_bytes(const Matrix& matrix);
// The same in float16, rounded to the nearest; beyond its range the largest number it has.
std::string npy_half_bytes(const Matrix& matrix);

}  // namespace scrl
