#include "io/pickle_writer.h"

#include <bit>
#include <limits>
#include <string_view>

#include "base/error.h"

namespace scrl {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

// The opcodes in use, by the names of Python's pickletools.
constexpr char kProto = '\x80', kStop = '.', kGlobal = 'c', kReduce = 'R', kBuild = 'b';
constexpr char kMark = '(', kTuple = 't', kTuple1 = '\x85', kTuple2 = '\x86', kTuple3 = '\x87';
constexpr char kEmptyTuple = ')', kEmptyDict = '}', kEmptyList = ']', kAppends = 'e';
constexpr char kSetItems = 'u', kNewObject = '\x81', kInt = 'J', kNone = 'N';
constexpr char kTrue = '\x88', kFalse = '\x89', kText = 'X', kBytes = 'B';

class Writer {
 public:
  Writer() {
    op(kProto);
    out_ += '\x03';
  }
  std::string finish() {
    op(kStop);
    return std::move(out_);
  }

  Writer& op(char code) {
    out_ += code;
    return *this;
  }
  Writer& global(std::string_view module, std::string_view name) {
    out_ += cat(kGlobal, module, "\n", name, "\n");
    return *this;
  }
  Writer& integer(Index value) {
    check(value >= std::numeric_limits<std::int32_t>::min() &&
              value <= std::numeric_limits<std::int32_t>::max(),
          "pickle: ", value, " has more than 32 bits");
    op(kInt);
    return little(static_cast<std::uint32_t>(value));
  }
  Writer& text(std::string_view value) { return sized(kText, value); }
  Writer& bytes(std::string_view value) { return sized(kBytes, value); }

  // As numpy's __reduce__ has it: an empty array, given its state.
  template <class T>
  Writer& array(std::span<const T> values, std::string_view type, std::vector<Index> shape) {
    global("numpy.core.multiarray", "_reconstruct")
        .global("numpy", "ndarray")
        .integer(0)
        .op(kTuple1);
    bytes("b").op(kTuple3).op(kReduce).op(kMark).integer(1).op(kMark);
    for (const Index size : shape) integer(size);
    op(kTuple).global("numpy", "dtype").text(type).op(kFalse).op(kTrue).op(kTuple3).op(kReduce);
    op(kMark).integer(3).text("<").op(kNone).op(kNone).op(kNone).integer(-1).integer(-1);
    integer(0).op(kTuple).op(kBuild).op(kFalse);
    bytes({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    return op(kTuple).op(kBuild);
  }

 private:
  Writer& little(std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out_ += static_cast<char>(value >> shift & 255);
    return *this;
  }
  Writer& sized(char code, std::string_view value) {
    check(value.size() <= std::numeric_limits<std::uint32_t>::max(), "pickle: an array of ",
          value.size(), " bytes is too large for protocol 3");
    op(code).little(static_cast<std::uint32_t>(value.size()));
    out_ += value;
    return *this;
  }

  std::string out_;
};

}  // namespace

std::string pickle_of(const Csr& matrix) {
  const std::vector<NodeId> indptr(matrix.row_ptr.begin(), matrix.row_ptr.end());
  const auto vector = [](const auto& values) { return std::vector<Index>{std::ssize(values)}; };
  Writer out;
  out.global("scipy.sparse", "csr_matrix").op(kEmptyTuple).op(kNewObject).op(kEmptyDict);
  out.op(kMark).text("_shape").integer(matrix.rows).integer(matrix.cols).op(kTuple2);
  out.text("maxprint").integer(50);
  out.text("data").array(std::span(matrix.val), "f4", vector(matrix.val));
  out.text("indices").array(std::span(matrix.col), "i4", vector(matrix.col));
  out.text("indptr").array(std::span(indptr), "i4", vector(indptr));
  return out.op(kSetItems).op(kBuild).finish();
}

std::string pickle_of(std::span<const std::int32_t> values, Index rows, Index cols) {
  Writer out;
  return out.array(values, "i4", {rows, cols}).finish();
}

std::string pickle_of(const std::vector<std::vector<NodeId>>& lists) {
  Writer out;
  out.global("collections", "defaultdict").global("builtins", "list").op(kTuple1).op(kReduce);
  out.op(kMark);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    out.integer(static_cast<Index>(i)).op(kEmptyList).op(kMark);
    for (const NodeId node : lists[i]) out.integer(node);
    out.op(kAppends);
  }
  return out.op(kSetItems).finish();
}

}  // namespace scrl
