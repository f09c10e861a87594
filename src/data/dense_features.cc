#include "data/dense_features.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "data/column_names.h"
#include "data/credible.h"
#include "io/fields.h"

namespace scrl {
namespace {

// Appends rows of numbers to a Csr. Nearly all of a feature file is one zero after the other,
// written the same way, so runs of zeros are compared as blocks of text before anything is parsed.
class RowParser {
 public:
  explicit RowParser(Separator separator)
      : separator_(static_cast<char>(separator)), spaced_(separator == Separator::kSpace) {
    learn_zero(cat("0", separator_));
  }

  // Returns the number of values in `text`.
  Index append(std::string_view text, const LineReader& reader, Csr& out) {
    Index column = 0;
    const char* const end = text.data() + text.size();
    const char* p = skip_blanks(text.data(), end);
    while (p < end) {
      while (end - p >= run_size_ && std::memcmp(p, run_.data(), run_.size()) == 0) {
        p += run_size_;
        column += kRun;
      }
      p = skip_blanks(p, end);
      if (p == end) break;
      const bool quoted = *p == '"';
      const char* stop = quoted ? past_quote(p, end, column, reader) : p;
      while (!quoted && stop < end && !ends_number(*stop)) ++stop;
      const float value =
          quoted ? number({p + 1, stop - 1}, column, reader) : number({p, stop}, column, reader);
      if (value != 0) {
        out.col.push_back(static_cast<NodeId>(column));
        out.val.push_back(value);
      } else if (stop - p > 1 && stop < end) {
        learn_zero({p, stop + 1});
      }
      ++column;
      p = skip_blanks(stop, end);
      if (spaced_ || p == end) continue;
      if (*p != separator_) {
        reader.fail("value ", column, ": expected a separator after it, found ", shown({p, end}));
      }
      if (skip_blanks(++p, end) == end) refuse("", column, reader);
    }
    return column;
  }

 private:
  static constexpr int kRun = 16;

  const char* skip_blanks(const char* p, const char* end) const {
    while (p < end && (*p == ' ' || (*p == '\t' && separator_ != '\t'))) ++p;
    return p;
  }

  // `p` is at an opening quote. A number has none inside, so none is escaped.
  static const char* past_quote(const char* p, const char* end, Index column,
                                const LineReader& reader) {
    const auto* const close =
        static_cast<const char*>(std::memchr(p + 1, '"', static_cast<std::size_t>(end - p - 1)));
    if (close == nullptr) refuse({p, end}, column, reader);
    return close + 1;
  }

  bool ends_number(char c) const { return c == separator_ || c == ' ' || c == '\t'; }

  float number(std::string_view token, Index column, const LineReader& reader) const {
    if (token.size() == 1 && (token[0] == '0' || token[0] == '1')) return token[0] - '0';
    float value = 0;
    if (!parse_float(token, value) || !std::isfinite(value)) refuse(token, column, reader);
    return value;
  }

  [[noreturn]] static void refuse(std::string_view text, Index column, const LineReader& reader) {
    reader.fail("value ", column + 1, ": expected a finite number, found ", shown(text));
  }

  void learn_zero(std::string_view token_and_separator) {
    run_.clear();
    for (int i = 0; i < kRun; ++i) run_ += token_and_separator;
    run_size_ = static_cast<std::ptrdiff_t>(run_.size());
  }

  char separator_;
  bool spaced_;
  std::string run_;  // kRun zeros as this file writes them
  std::ptrdiff_t run_size_ = 0;
};

bool is_number(std::string_view field) {
  float value = 0;
  return parse_float(field, value);
}

class DenseReader {
 public:
  DenseReader(LineReader& reader, Separator separator, Index columns)
      : reader_(reader), fields_(separator), parser_(separator), columns_(columns) {}

  FeatureRows read(DenseLayout layout) {
    bool more = true;
    if (layout == DenseLayout::kTable) more = read_header();
    for (; more; more = reader_.next()) {
      reader_.refuse_gap("a row of values");
      read_row();
    }
    if (rows_.values.rows == 0)
      fail(ErrorKind::kData, reader_.name(), ": expected rows, found none");
    rows_.values.cols = width_;
    check_credible(width_, "columns", rows_.values.nnz(), reader_.name());
    return std::move(rows_);
  }

 private:
  // Looks at the first line, and at the second if the first is a header; false: no row follows.
  bool read_header() {
    const auto& names = fields_.split(reader_);
    const bool names_ids = names[0].empty() || names_a_node(names[0]);
    const bool header =
        names_ids || std::all_of(names.begin() + (names.size() > 1 ? 1 : 0), names.end(), is_name);
    if (header) {
      rows_.keyed = names_ids && names.size() > 1;
      width_ = static_cast<Index>(names.size());
      if (!reader_.next()) return false;
    }
    std::string_view rest;
    rows_.keyed = rows_.keyed || !is_number(fields_.first(reader_, rest));
    if (header && rows_.keyed) --width_;
    return true;
  }

  void read_row() {
    Csr& out = rows_.values;
    std::string_view text = reader_.line();
    if (rows_.keyed) {
      const std::string_view id = fields_.first(reader_, text);
      if (id.empty()) reader_.fail("id: expected a node id, found an empty field");
      check_name(id, "id", reader_, reader_.line_number());
      if (rows_.ids.add(id) != out.rows) reader_.fail("id: node ", shown(id), " has a row already");
    }
    const Index found = parser_.append(text, reader_, out);
    if (columns_ >= 0 && found != columns_)
      reader_.fail("expected ", columns_, " values, the columns of the training data, found ",
                   found);
    if (width_ < 0) width_ = found;
    if (found != width_) {
      reader_.fail("expected ", width_, " values as in the first line, found ", found);
    }
    if (++out.rows > kMaxNodes) reader_.fail("more than ", kMaxNodes, " rows");
    out.row_ptr.push_back(out.nnz());
  }

  LineReader& reader_;
  Fields fields_;
  RowParser parser_;
  FeatureRows rows_;
  const Index columns_;  // values a row must have, -1: any number
  Index width_ = -1;     // values per row, -1: not known yet
};

}  // namespace

FeatureRows read_dense_features(std::unique_ptr<ByteStream> stream, DenseLayout layout,
                                Index columns) {
  LineReader reader(std::move(stream));
  if (!reader.next()) fail(ErrorKind::kData, reader.name(), ": expected rows, found none");
  reader.refuse_gap("a row of values");
  return DenseReader(reader, detect_separator(reader), columns).read(layout);
}

}  // namespace scrl
