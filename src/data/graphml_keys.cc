#include "data/graphml_keys.h"

#include <algorithm>
#include <cmath>

#include "data/graphml.h"
#include "io/fields.h"

namespace scrl {
namespace {

constexpr std::string_view kDomains[] = {"node",    "edge", "graph",    "all",
                                         "graphml", "port", "endpoint", "hyperedge"};
constexpr std::string_view kNumbers[] = {"boolean", "int", "long", "float", "double"};
constexpr NodeId kMaxColumns = 100'000'000;

}  // namespace

std::string_view xml_attribute(const XmlAttributes& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes)
    if (key == name) return value;
  return {};
}

float graphml_number(std::string_view text, const GraphmlKey& key, const XmlReader& reader) {
  const std::string_view value = trimmed(text);
  float out = 0;
  if (value == "true") return 1;
  if (value == "false") return 0;
  if (!parse_float(value, out) || !std::isfinite(out))
    reader.fail("attribute ", shown(key.name), ": expected a finite number, found ", shown(value));
  return out;
}

void GraphmlKeys::declare(const XmlAttributes& attributes, const XmlReader& reader) {
  GraphmlKey key{.id = std::string(xml_attribute(attributes, "id")),
                 .name = std::string(xml_attribute(attributes, "attr.name")),
                 .domain = std::string(xml_attribute(attributes, "for"))};
  if (key.id.empty()) reader.fail("<key>: expected an id, found none");
  if (key.domain.empty()) key.domain = "all";
  if (std::ranges::find(kDomains, key.domain) == std::end(kDomains))
    reader.fail("<key>: for: expected node, edge, graph or all, found ", shown(key.domain));
  key.numeric =
      std::ranges::find(kNumbers, xml_attribute(attributes, "attr.type")) != std::end(kNumbers);
  if (!index_.emplace(key.id, keys_.size()).second)
    reader.fail("<key>: id ", shown(key.id), " is declared twice");
  keys_.push_back(std::move(key));
}

void GraphmlKeys::set_default(const std::string& text, const XmlReader& reader) {
  GraphmlKey& key = keys_.back();
  key.default_text = text;
  if (key.numeric && !trimmed(text).empty()) key.default_value = graphml_number(text, key, reader);
}

void GraphmlKeys::choose_label(const std::string& label, const XmlReader& reader) {
  const std::string_view wanted = label.empty() ? kGraphmlLabel : std::string_view(label);
  const auto found = std::ranges::find_if(
      keys_, [&](const GraphmlKey& k) { return k.is_of("node") && k.name == wanted; });
  if (found != keys_.end()) {
    found->role = GraphmlRole::kLabel;
    return;
  }
  if (label.empty()) return;
  std::string known;
  for (const GraphmlKey& k : keys_)
    if (k.is_of("node")) known += cat(known.empty() ? "" : ", ", shown(k.name));
  scrl::fail(ErrorKind::kUsage, reader.name(), ": there is no node attribute ", shown(label),
             " for the labels; there is ", known.empty() ? "none" : known);
}

void GraphmlKeys::assign_roles(const std::string& label, const XmlReader& reader) {
  choose_label(label, reader);
  bool weighted = false;
  for (GraphmlKey& k : keys_) {
    if (k.role == GraphmlRole::kLabel) continue;
    if (k.numeric && k.is_of("node")) {
      if (columns_ == kMaxColumns) reader.fail("expected fewer node attributes");
      k.role = GraphmlRole::kFeature;
      k.column = columns_++;
    } else if (k.numeric && k.domain == "edge" && k.name == kGraphmlWeight) {
      if (weighted) reader.fail("expected one edge attribute \"weight\", found two");
      weighted = true;
      k.role = GraphmlRole::kWeight;
    } else if (!k.numeric && k.domain == "graph") {
      k.role = GraphmlRole::kGraphText;
    }
  }
}

const GraphmlKey& GraphmlKeys::find(std::string_view id, const XmlReader& reader) const {
  const auto at = index_.find(id);
  if (at == index_.end())
    reader.fail("<data>: expected the id of a <key> that comes before the graph, found ",
                shown(id));
  return keys_[at->second];
}

}  // namespace scrl
