// data/graphml_keys.h: the attributes that a GraphML file declares.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/xml.h"

namespace scrl {

enum class GraphmlRole { kIgnored, kFeature, kLabel, kWeight, kGraphText };

struct GraphmlKey {
  std::string id, name, domain;  // domain: node, edge, graph, all
  bool numeric = false;          // boolean, int, long, float or double
  std::optional<std::string> default_text;
  GraphmlRole role = GraphmlRole::kIgnored;
  NodeId column = 0;        // of a feature
  float default_value = 0;  // of a feature

  bool is_of(std::string_view element) const { return domain == element || domain == "all"; }
};

class GraphmlKeys {
 public:
  // A <key> element.
  void declare(const XmlAttributes& attributes, const XmlReader& reader);
  void set_default(const std::string& text, const XmlReader& reader);  // of the last one
  // Gives every key its role. `label` as for read_graphml().
  void assign_roles(const std::string& label, const XmlReader& reader);

  const GraphmlKey& find(std::string_view id, const XmlReader& reader) const;
  const std::vector<GraphmlKey>& all() const { return keys_; }
  NodeId columns() const { return columns_; }

 private:
  void choose_label(const std::string& label, const XmlReader& reader);

  std::vector<GraphmlKey> keys_;
  std::map<std::string, std::size_t, std::less<>> index_;
  NodeId columns_ = 0;
};

// A number or boolean; refuses what is not finite.
float graphml_number(std::string_view text, const GraphmlKey& key, const XmlReader& reader);

// The value of an attribute; empty if it is not there.
std::string_view xml_attribute(const XmlAttributes& attributes, std::string_view name);

}  // namespace scrl
