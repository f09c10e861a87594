#include "paper/published_settings.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "io/toml.h"
#include "paper/settings_text.h"

namespace scrl {
namespace {

constexpr int kFirstRate = 20;  // of the splits that the data sets are published with

const toml::table& settings() {
  static const toml::table table = toml::parse(settings_text());
  return table;
}

// "any" and "base" are rows for all rates.
bool is_row(std::string_view key) {
  return key == "any" || key == "base" || (key[0] >= '0' && key[0] <= '9');
}

void append(const toml::node* row, KeyValues& out) {
  for (const auto& [key, value] : *row->as_table())
    out.emplace_back(std::string(key.str()), scalar_text(value).value());
}

// "acm 20, acm 40, citeseer": the data sets and rates of a method, as the file has them.
std::string known_cells(const toml::table& method) {
  std::vector<std::pair<toml::source_position, std::string>> cells;
  for (const auto& [data, rows] : method) {
    if (is_row(data.str())) continue;
    for (const auto& [rate, row] : *rows.as_table())
      cells.emplace_back(row.source().begin, rate.str() == "any"
                                                 ? std::string(data.str())
                                                 : cat(data.str(), " ", rate.str()));
  }
  std::sort(cells.begin(), cells.end(),
            [](const auto& a, const auto& b) { return a.first.line < b.first.line; });
  std::string out;
  for (const auto& [where, cell] : cells) out += (out.empty() ? "" : ", ") + cell;
  return out;
}

}  // namespace

KeyValues published_values(std::string_view method, std::string_view dataset, int labels) {
  const std::string rate = cat(labels == 0 ? kFirstRate : labels);
  KeyValues out;
  bool found = false;
  const toml::table* const rows = settings()[method].as_table();
  if (rows) {
    if (const toml::node* row = rows->get("base")) append(row, out);
    if (const toml::node* row = rows->get("any")) append(row, out), found = true;
    if (const toml::table* data = (*rows)[dataset].as_table(); data && !is_row(dataset))
      for (const std::string_view key : {std::string_view("any"), std::string_view(rate)})
        if (const toml::node* row = data->get(key)) append(row, out), found = true;
  }
  if (found) return out;
  const std::string known = rows ? known_cells(*rows) : std::string();
  fail(ErrorKind::kUsage, "profile paper: nothing is known for ", method, " on ", dataset, " with ",
       rate, " labels per class",
       known.empty() ? std::string("; its defaults are all there is") : cat("; there is: ", known));
}

}  // namespace scrl
