#include "data/column_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "io/fields.h"

namespace scrl {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view field) {
  return std::find(names.begin(), names.end(), lower(field)) != names.end();
}

constexpr std::array<std::string_view, 11> kNodeNames = {
    "id", "ids", "node", "nodes", "node_id", "nodeid", "node id", "vertex", "name", "key", "index"};
constexpr std::array<std::string_view, 8> kLabelNames = {"label",    "labels", "class", "classes",
                                                         "category", "target", "y",     "group"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kEdgeNames = {{
    {"source", "target"},
    {"source", "destination"},
    {"source_id", "target_id"},
    {"src", "dst"},
    {"src", "dest"},
    {"from", "to"},
    {"u", "v"},
    {"i", "j"},
    {"head", "tail"},
    {"node1", "node2"},
    {"id1", "id2"},
    {"id_1", "id_2"},
}};

}  // namespace

bool is_name(std::string_view field) {
  float number = 0;
  return !field.empty() && field != "?" && field != "NA" && field != "-" &&
         !parse_float(field, number);
}

bool names_a_node(std::string_view field) { return contains(kNodeNames, field); }

bool names_a_label(std::string_view field) { return contains(kLabelNames, field); }

bool names_an_edge(std::string_view first, std::string_view second) {
  return std::find(kEdgeNames.begin(), kEdgeNames.end(),
                   std::pair<std::string_view, std::string_view>(lower(first), lower(second))) !=
         kEdgeNames.end();
}

}  // namespace scrl
