#include "data/edge_list.h"

#include <algorithm>
#include <cmath>

#include "data/column_names.h"
#include "io/fields.h"

namespace scrl {
namespace {

bool is_integer(std::string_view field) {
  Index value = 0;
  return parse_int(field, value);
}

using FieldList = std::vector<std::string_view>;

class EdgeReader {
 public:
  EdgeReader(LineReader& reader, IdMap& ids, UnknownId unknown)
      : reader_(reader), fields_(detect_separator(reader)), ids_(ids), unknown_(unknown) {}

  // The reader stands on the first line.
  Edges read() {
    const FieldList& found = fields_.split(reader_);
    const std::vector<std::string> copy(found.begin(), found.end());
    const FieldList first(copy.begin(), copy.end());
    const Index line = reader_.line_number();
    bool more = reader_.next();
    const bool like_header = names_columns(first) || (more && all_or_none(first, false) &&
                                                      all_or_none(fields_.split(reader_), true));
    if (!like_header) add(first, line);
    for (; more; more = reader_.next()) add(fields_.split(reader_), reader_.line_number());
    // A column is called like a node only by accident, and an edge must not get lost.
    if (like_header && (ids_.find(first[0]) || ids_.find(first[1]))) {
      add(first, line);
      first_edge_came_last();
    }
    if (edges_.size() == 0) fail(ErrorKind::kData, reader_.name(), ": expected edges, found none");
    if (std::all_of(edges_.weight.begin(), edges_.weight.end(), [](float w) { return w == 1; })) {
      edges_.weight.clear();
    }
    return std::move(edges_);
  }

 private:
  static bool names_columns(const FieldList& fields) {
    if (fields.size() == 3) {
      float number = 0;
      return is_name(fields[2]) ||
             (names_an_edge(fields[0], fields[1]) && !parse_float(fields[2], number));
    }
    return fields.size() >= 2 && names_an_edge(fields[0], fields[1]);
  }

  // Both ids are integers, or both are not.
  static bool all_or_none(const FieldList& fields, bool integers) {
    return fields.size() >= 2 && is_integer(fields[0]) == integers &&
           is_integer(fields[1]) == integers;
  }

  // Edges are kept in the order of the file.
  void first_edge_came_last() {
    const auto to_front = [](auto& values) {
      if (!values.empty()) std::rotate(values.begin(), values.end() - 1, values.end());
    };
    to_front(edges_.source);
    to_front(edges_.target);
    to_front(edges_.weight);
  }

  void add(const FieldList& fields, Index line) {
    if (width_ == 0 && (fields.size() == 2 || fields.size() == 3)) width_ = fields.size();
    if (width_ == 0) {
      reader_.fail_at(line, "expected source, target and possibly a weight, found ", fields.size(),
                      fields.size() == 1 ? " field" : " fields");
    }
    if (fields.size() != width_) {
      reader_.fail_at(line, "expected ", width_, " fields as in the first edge, found ",
                      fields.size());
    }
    edges_.source.push_back(node("source", fields[0], line));
    edges_.target.push_back(node("target", fields[1], line));
    if (width_ == 3) edges_.weight.push_back(weight(fields[2], line));
  }

  NodeId node(std::string_view what, std::string_view id, Index line) {
    if (id.empty()) reader_.fail_at(line, what, ": expected a node id, found an empty field");
    if (const auto number = ids_.find(id)) return *number;
    if (unknown_ == UnknownId::kRefuse) {
      reader_.fail_at(line, what, ": expected ", ids_.expected(), ", found ", shown(id));
    }
    check_name(id, what, reader_, line);
    return ids_.add(id);
  }

  float weight(std::string_view text, Index line) const {
    float value = 0;
    if (!parse_float(text, value) || !std::isfinite(value) || !(value > 0)) {
      reader_.fail_at(line, "weight: expected a finite number above 0, found ", shown(text));
    }
    return value;
  }

  LineReader& reader_;
  Fields fields_;
  IdMap& ids_;
  UnknownId unknown_;
  Edges edges_;
  std::size_t width_ = 0;  // fields per edge, 0: not known yet
};

}  // namespace

Edges read_edge_list(std::unique_ptr<ByteStream> stream, IdMap& ids, UnknownId unknown) {
  LineReader reader(std::move(stream));
  if (!reader.next()) fail(ErrorKind::kData, reader.name(), ": expected edges, found none");
  return EdgeReader(reader, ids, unknown).read();
}

}  // namespace scrl
