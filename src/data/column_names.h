// data/column_names.h: the names by which header lines are recognised; case does not matter.
#pragma once
#include <string_view>

namespace scrl {

// Could be the name of any column: neither empty, nor a number, nor a mark for a missing value.
bool is_name(std::string_view field);
bool names_a_node(std::string_view field);   // id, node, node_id, name, ...
bool names_a_label(std::string_view field);  // label, class, y, ...
// source/target, src/dst, from/to, u/v, ...
bool names_an_edge(std::string_view first, std::string_view second);

}  // namespace scrl
