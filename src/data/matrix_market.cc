#include "data/matrix_market.h"

#include "data/credible.h"
#include "io/fields.h"

namespace scrl {
namespace {

class MarketReader {
 public:
  explicit MarketReader(std::unique_ptr<ByteStream> stream) : reader_(std::move(stream)) {}

  Csr read() {
    read_banner();
    read_sizes();
    Index seen = 0;
    for (; reader_.next(); ++seen) {
      if (seen == entries_) reader_.fail("expected ", entries_, " entries, found more");
      read_entry();
    }
    if (seen != entries_) {
      fail(ErrorKind::kData, reader_.name(), ": expected ", entries_, " entries, found ", seen);
    }
    check_credible(rows_, "rows", seen, reader_.name());
    check_credible(cols_, "columns", seen, reader_.name());
    Csr out = csr_from_triplets(rows_, cols_, row_, col_, val_, Dup::kSum);
    if (out.nnz() != static_cast<Index>(row_.size())) {
      fail(ErrorKind::kData, reader_.name(), ": expected every cell once, found ",
           static_cast<Index>(row_.size()) - out.nnz(), " repeated");
    }
    return out;
  }

 private:
  void read_banner() {
    const bool any = reader_.next_any();
    const std::string banner = any ? lower(reader_.line()) : "";
    if (!banner.starts_with("%%matrixmarket")) {
      fail(ErrorKind::kData, reader_.name(), ":1: expected a line starting with %%MatrixMarket");
    }
    const auto& words = fields_.split(reader_);
    const auto word = [&](std::size_t i) { return i < words.size() ? lower(words[i]) : ""; };
    pattern_ = word(3) == "pattern";
    if (word(1) == "matrix" && word(2) == "array") {
      reader_.fail("expected a sparse matrix (coordinate), found a dense one (array); convert it: ",
                   "scipy.io.mmwrite(file, scipy.sparse.csr_matrix(scipy.io.mmread(file)))");
    }
    if (word(1) != "matrix" || word(2) != "coordinate" || word(4) != "general" ||
        !(pattern_ || word(3) == "real" || word(3) == "integer")) {
      reader_.fail("expected \"matrix coordinate real|integer|pattern general\", found ",
                   shown(trimmed(reader_.line().substr(14))));
    }
  }

  void read_sizes() {
    if (!reader_.next()) reader_.fail("expected a line \"rows columns entries\", found none");
    const auto& fields = fields_.split(reader_);
    if (fields.size() != 3) {
      reader_.fail("expected \"rows columns entries\", found ", fields.size(), " fields");
    }
    rows_ = integer("rows", fields[0], 1, kMaxNodes);
    cols_ = integer("columns", fields[1], 1, kMaxNodes);
    entries_ = integer("entries", fields[2], 0, rows_ * cols_);
  }

  void read_entry() {
    const auto& fields = fields_.split(reader_);
    const std::size_t expected = pattern_ ? 2 : 3;
    if (fields.size() != expected) {
      reader_.fail("expected ", expected, " fields, found ", fields.size());
    }
    const Index row = integer("row", fields[0], 1, rows_);
    const Index col = integer("column", fields[1], 1, cols_);
    const float value = pattern_ ? 1.0f : finite_float(fields[2], "value", reader_);
    if (value == 0) return;
    row_.push_back(static_cast<NodeId>(row - 1));
    col_.push_back(static_cast<NodeId>(col - 1));
    val_.push_back(value);
  }

  Index integer(std::string_view what, std::string_view text, Index low, Index high) const {
    Index value = 0;
    if (!parse_int(text, value) || value < low || value > high) {
      reader_.fail(what, ": expected an integer ", low, "..", high, ", found ", shown(text));
    }
    return value;
  }

  LineReader reader_;
  Fields fields_{Separator::kSpace};
  bool pattern_ = false;
  Index rows_ = 0, cols_ = 0, entries_ = 0;
  std::vector<NodeId> row_, col_;
  std::vector<float> val_;
};

}  // namespace

Csr read_matrix_market(std::unique_ptr<ByteStream> stream) {
  return MarketReader(std::move(stream)).read();
}

}  // namespace scrl
