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

// The classes of which there is a row, by number; numbers of the others stay unset.
std::vector<std::string> used_names(const LabelRows& rows) {
  std::vector<bool> used(rows.names.size());
  for (auto row = static_cast<std::size_t>(rows.first); row < rows.labels.size(); ++row)
    if (rows.labels[row] != kUnlabelled) used[static_cast<std::size_t>(rows.labels[row])] = true;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) out.push_back(rows.names[i]);
  return out;
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
  rows.keyed = width == 2;
  std::unordered_map<std::string, std::int32_t> number_of;
  for (bool more = true; more; more = reader.next()) {
    const auto& found = fields.split(reader);
    if (width > 2 || found.size() != width) {
      reader.fail("expected ", width == 1 ? "one label" : "id and label", ", found ", found.size(),
                  found.size() == 1 ? " field" : " fields");
    }
    if (rows.keyed) {
      check_name(found[0], "id", reader, reader.line_number());
      const NodeId row = rows.ids.add(found[0]);
      if (row < std::ssize(rows.lines))
        reader.fail("id: node ", shown(found[0]), " has a label already, in line ",
                    rows.lines[static_cast<std::size_t>(row)]);
      rows.lines.push_back(reader.line_number());
    } else if (!(like_header && rows.labels.empty())) {
      reader.refuse_gap("a label (? for none)");
    }
    check_name(found.back(), "label", reader, reader.line_number());
    std::int32_t label = kUnlabelled;
    if (!means_unlabelled(found.back())) {
      const auto number = static_cast<std::int32_t>(rows.names.size());
      const auto [at, is_new] = number_of.try_emplace(std::string(found.back()), number);
      if (is_new) rows.names.emplace_back(found.back());
      label = at->second;
    }
    rows.labels.push_back(label);
  }
  rows.maybe_header = like_header;
  return rows;
}

bool first_row_is_of_a_node(const LabelRows& rows, const IdMap& ids) {
  if (rows.keyed) return ids.find(rows.ids.name(0)).has_value();
  return first_label_occurs_again(rows) && static_cast<Index>(rows.labels.size()) != ids.size() + 1;
}

bool first_row_is_like_others(const LabelRows& rows) {
  return !names_a_node(rows.ids.name(0)) && first_label_occurs_again(rows);
}

void resolve_header(LabelRows& rows, bool is_row) {
  rows.first = rows.maybe_header && !is_row ? 1 : 0;
  rows.maybe_header = false;
  if (rows.rows() == 0) fail(ErrorKind::kData, rows.file, ": expected labels, found none");
}

void assign_labels(const LabelRows& rows, const IdMap& ids, Dataset& data) {
  if (!rows.keyed && rows.rows() != data.nodes) {
    fail(ErrorKind::kData, rows.file, ": expected ", data.nodes, " rows (one per node), found ",
         rows.rows());
  }
  data.classes = sorted_classes(used_names(rows));
  std::unordered_map<std::string_view, std::int32_t> class_of;
  for (const std::string& name : data.classes)
    class_of.emplace(name, static_cast<std::int32_t>(class_of.size()));
  data.labels.assign(static_cast<std::size_t>(data.nodes), kUnlabelled);
  for (Index row = rows.first; row < static_cast<Index>(rows.labels.size()); ++row) {
    Index node = row - rows.first;
    if (rows.keyed) {
      const std::string id = rows.ids.name(row);
      const auto number = ids.find(id);
      if (!number) {
        fail(ErrorKind::kData, rows.file, ":", rows.lines[static_cast<std::size_t>(row)],
             ": id: expected ", ids.expected(), ", found ", shown(id));
      }
      node = *number;
    }
    const std::int32_t label = rows.labels[static_cast<std::size_t>(row)];
    if (label != kUnlabelled)
      data.labels[static_cast<std::size_t>(node)] =
          class_of.at(rows.names[static_cast<std::size_t>(label)]);
  }
}

bool means_unlabelled(std::string_view label) {
  return label.empty() || label == "-1" || label == "?" || label == "NA";
}

std::vector<std::string> sorted_classes(std::vector<std::string> classes) {
  std::sort(classes.begin(), classes.end());
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

void order_classes(std::vector<std::string> listed, const std::string& where, Dataset& data) {
  std::unordered_map<std::string_view, std::int32_t> number_of;
  for (const std::string& name : listed)
    if (!number_of.emplace(name, static_cast<std::int32_t>(number_of.size())).second)
      fail(ErrorKind::kData, where, ": class ", shown(name), " is listed twice");
  std::vector<std::int32_t> renumbered;
  for (const std::string& name : data.classes) {
    const auto at = number_of.find(name);
    if (at == number_of.end())
      fail(ErrorKind::kData, where, ": expected every class of the labels, found no ", shown(name));
    renumbered.push_back(at->second);
  }
  for (std::int32_t& label : data.labels)
    if (label != kUnlabelled) label = renumbered[static_cast<std::size_t>(label)];
  data.classes = std::move(listed);
}

}  // namespace scrl
