#include "data/labels.h"

#include <algorithm>
#include <unordered_map>

#include "data/column_names.h"
#include "io/fields.h"

namespace scrl {
namespace {

bool looks_like_header(const std::vector<std::string_view>& fields) {
  if (fields.size() == 1) return names_a_label(fields[0]);
  return names_a_node(fields[0]) || names_a_label(fields[1]);
}

bool first_label_occurs_again(const LabelRows& rows) {
  return std::count(rows.labels.begin(), rows.labels.end(), rows.labels[0]) > 1;
}

bool means_unlabelled(std::string_view label) {
  return label.empty() || label == "-1" || label == "?" || label == "NA";
}

std::vector<std::string> sorted_classes(const std::vector<std::string>& labels) {
  std::vector<std::string> classes;
  for (const std::string& label : labels) {
    if (!label.empty()) classes.push_back(label);
  }
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  std::vector<std::pair<Index, std::string>> by_value;
  for (const std::string& name : classes) {
    Index value = 0;
    if (!parse_int(name, value)) return classes;
    by_value.emplace_back(value, name);
  }
  std::sort(by_value.begin(), by_value.end());
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = by_value[i].second;
  return classes;
}

}  // namespace

LabelRows read_label_rows(std::unique_ptr<ByteStream> stream) {
  LineReader reader(std::move(stream));
  if (!reader.next()) fail(ErrorKind::kData, reader.name(), ": expected labels, found none");
  Fields fields(detect_separator(reader));
  LabelRows rows;
  rows.file = reader.name();
  const bool like_header = looks_like_header(fields.split(reader));
  const std::size_t width = fields.split(reader).size();
  for (bool more = true; more; more = reader.next()) {
    const auto& found = fields.split(reader);
    if (width > 2 || found.size() != width) {
      reader.fail("expected ", width == 1 ? "one label" : "id and label", ", found ", found.size(),
                  found.size() == 1 ? " field" : " fields");
    }
    if (width == 2) {
      check_name(found[0], "id", reader, reader.line_number());
      rows.ids.emplace_back(found[0]);
    } else if (!(like_header && rows.labels.empty())) {
      reader.refuse_gap("a label (? for none)");
    }
    check_name(found.back(), "label", reader, reader.line_number());
    rows.labels.emplace_back(means_unlabelled(found.back()) ? "" : found.back());
    rows.lines.push_back(reader.line_number());
  }
  rows.maybe_header = like_header;
  return rows;
}

bool first_row_is_of_a_node(const LabelRows& rows, const IdMap& ids) {
  if (!rows.ids.empty()) return ids.find(rows.ids[0]).has_value();
  return first_label_occurs_again(rows) && static_cast<Index>(rows.labels.size()) != ids.size() + 1;
}

bool first_row_is_like_others(const LabelRows& rows) {
  return !names_a_node(rows.ids[0]) && first_label_occurs_again(rows);
}

void resolve_header(LabelRows& rows, bool is_row) {
  if (rows.maybe_header && !is_row) {
    if (!rows.ids.empty()) rows.ids.erase(rows.ids.begin());
    rows.labels.erase(rows.labels.begin());
    rows.lines.erase(rows.lines.begin());
  }
  rows.maybe_header = false;
  if (rows.labels.empty()) fail(ErrorKind::kData, rows.file, ": expected labels, found none");
}

void assign_labels(const LabelRows& rows, const IdMap& ids, Dataset& data) {
  const bool keyed = !rows.ids.empty();
  const Index count = static_cast<Index>(rows.labels.size());
  if (!keyed && count != data.nodes) {
    fail(ErrorKind::kData, rows.file, ": expected ", data.nodes, " rows (one per node), found ",
         count);
  }
  data.classes = sorted_classes(rows.labels);
  std::unordered_map<std::string_view, std::int32_t> number_of;
  for (const std::string& name : data.classes) {
    number_of.emplace(name, static_cast<std::int32_t>(number_of.size()));
  }
  data.labels.assign(static_cast<std::size_t>(data.nodes), kUnlabelled);
  std::vector<Index> line_of(static_cast<std::size_t>(data.nodes), 0);
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    std::size_t node = row;
    if (keyed) {
      const auto number = ids.find(rows.ids[row]);
      if (!number) {
        fail(ErrorKind::kData, rows.file, ":", rows.lines[row], ": id: expected ", ids.expected(),
             ", found ", shown(rows.ids[row]));
      }
      node = static_cast<std::size_t>(*number);
      if (line_of[node] != 0) {
        fail(ErrorKind::kData, rows.file, ":", rows.lines[row], ": id: node ", shown(rows.ids[row]),
             " has a label already, in line ", line_of[node]);
      }
      line_of[node] = rows.lines[row];
    }
    if (!rows.labels[row].empty()) data.labels[node] = number_of.at(rows.labels[row]);
  }
}

}  // namespace scrl
