// io/pickle.h: reads the pickles of Planetoid data sets without running anything in them.
//
// A pickle is a program that may call any Python function. This reader knows the handful of calls
// that make scipy CSR matrices, numpy arrays and dictionaries of lists (protocols 0 to 4), treats
// them as plain data, and refuses everything else by name: other calls, classes, opcodes, floats
// outside arrays, arrays of objects, big endian.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"
#include "io/byte_stream.h"

namespace scrl {

struct PickleArray {
  char kind = 0;  // 'f', 'i', 'u', 'b'
  int width = 0;  // bytes per number
  bool fortran_order = false;
  std::vector<Index> shape;
  std::string_view bytes;  // exactly the product of shape and width; lives as long as the Pickle

  Index size() const { return width == 0 ? 0 : static_cast<Index>(bytes.size()) / width; }
  double number(Index i) const;
  Index integer(Index i) const;  // REQUIRES: is_integer()
  bool is_integer() const { return kind != 'f'; }
};

struct PickleCsr {
  Index rows = 0, cols = 0;
  PickleArray indptr, indices, data;  // one dimension each; the first two are whole numbers
};

// Every function throws Error(kData) "NAME: byte B: ..." or "NAME: ..." on anything unexpected.
class Pickle {
 public:
  explicit Pickle(ByteStream& stream);
  ~Pickle();
  Pickle(const Pickle&) = delete;
  Pickle& operator=(const Pickle&) = delete;

  // The content as what it should be.
  PickleCsr csr() const;
  PickleArray array() const;
  // A dictionary from whole numbers to lists of whole numbers, ascending by key.
  std::vector<std::pair<Index, std::vector<Index>>> lists() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace scrl
