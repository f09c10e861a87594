// Long because it is one machine over the tags of a document: what a tag means depends on where it
// is.
#include "data/graphml.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "data/credible.h"
#include "data/graphml_keys.h"
#include "data/id_map.h"
#include "data/labels.h"
#include "data/splits.h"
#include "io/fields.h"

namespace scrl {
namespace {

// Text as it stands, but without the line breaks and blanks with which tags are laid out.
std::string_view laid_out(std::string_view text) {
  constexpr std::string_view kBreaks = "\n\r\t", kBlanks = " \n\r\t";
  if (text.empty() ||
      (kBreaks.find(text.front()) == kBreaks.npos && kBreaks.find(text.back()) == kBreaks.npos))
    return text;
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!trimmed(line).empty()) out.emplace_back(line);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

class GraphmlReader final : public XmlHandler {
 public:
  GraphmlReader(std::unique_ptr<ByteStream> stream, std::string label)
      : reader_(std::move(stream)), label_(std::move(label)) {}

  Dataset read() {
    reader_.read(*this);
    if (ids_.size() == 0) fail_whole("expected nodes, found none");
    resolve_edges();
    data_.nodes = ids_.size();
    data_.ids = ids_.names();
    data_.features.rows = data_.nodes;
    data_.features.cols = keys_.columns();
    check_credible(data_.features.cols, "columns", data_.features.nnz(), reader_.name());
    name_classes();
    read_splits();
    if (std::ranges::all_of(data_.edges.weight, [](float w) { return w == 1; }))
      data_.edges.weight.clear();
    return std::move(data_);
  }

  void begin(std::string_view name, const XmlAttributes& attributes) override {
    if (skipped_ > 0 || data_key_ || in_default_) {
      ++skipped_;
      return;
    }
    if (where_ == Where::kStart) {
      if (name != "graphml") reader_.fail("expected <graphml>, found <", shown_name(name), ">");
      where_ = Where::kDocument;
    } else if (name == "data") {
      data_key_ = &key_of_data(attributes);
      text_.clear();
    } else if (where_ == Where::kDocument && name == "key") {
      if (roles_assigned_) reader_.fail("<key>: expected all keys before the graph and its data");
      keys_.declare(attributes, reader_);
      where_ = Where::kKey;
    } else if (where_ == Where::kKey && name == "default") {
      in_default_ = true;
      text_.clear();
    } else if (name == "graph") {
      begin_graph();
    } else if (name == "node" || name == "edge") {
      if (where_ != Where::kGraph) reader_.fail("<", name, ">: expected inside of <graph>");
      name == "node" ? begin_node(attributes) : begin_edge(attributes);
    } else if (name == "hyperedge") {
      reader_.fail("<hyperedge>: expected edges between two nodes");
    } else {
      skipped_ = 1;  // desc, port, and what programs add
    }
  }

  void text(std::string_view piece) override {
    if (skipped_ > 0 || (!data_key_ && !in_default_)) return;
    if (text_.size() + piece.size() > kMaxXmlText) reader_.fail("expected a text below 256 MB");
    text_ += piece;
  }

  void end(std::string_view name) override {
    if (skipped_ > 0) {
      --skipped_;
    } else if (data_key_) {
      take_data(*data_key_);
      data_key_ = nullptr;
    } else if (in_default_) {
      keys_.set_default(text_, reader_);
      in_default_ = false;
    } else if (name == "node") {
      end_node();
    } else if (name == "key" || name == "graph") {
      where_ = Where::kDocument;
    } else if (name == "edge") {
      where_ = Where::kGraph;
    }
  }

 private:
  enum class Where { kStart, kDocument, kKey, kGraph, kNode, kEdge };
  struct Unresolved {
    std::size_t edge;
    bool target;
    std::string id;
    Index line;
  };

  template <class... Parts>
  [[noreturn]] void fail_whole(const Parts&... parts) const {
    scrl::fail(ErrorKind::kData, reader_.name(), ": ", parts...);
  }

  static std::string shown_name(std::string_view name) {
    const std::string text = shown(name);
    return text.substr(1, text.size() - 2);
  }

  const GraphmlKey& key_of_data(const XmlAttributes& attributes) {
    if (where_ == Where::kKey) reader_.fail("<data>: expected outside of <key>");
    if (!roles_assigned_) assign_roles();
    return keys_.find(xml_attribute(attributes, "key"), reader_);
  }

  void assign_roles() {
    keys_.assign_roles(label_, reader_);
    roles_assigned_ = true;
    for (const GraphmlKey& k : keys_.all()) {
      if (k.role == GraphmlRole::kFeature && k.default_value != 0) defaults_.push_back(&k);
      if (k.role == GraphmlRole::kLabel) label_key_ = &k;
      if (k.role == GraphmlRole::kWeight && k.default_text)
        default_weight_ = weight(k, *k.default_text);
    }
  }

  void begin_graph() {
    if (where_ != Where::kDocument || graph_seen_)
      reader_.fail("<graph>: expected one graph, found ",
                   where_ == Where::kDocument ? "a second one" : "another inside of it");
    graph_seen_ = true;
    if (!roles_assigned_) assign_roles();
    where_ = Where::kGraph;
  }

  void begin_node(const XmlAttributes& attributes) {
    const std::string_view id = xml_attribute(attributes, "id");
    if (id.empty()) reader_.fail("<node>: expected an id, found none");
    if (ids_.size() == kMaxNodes) reader_.fail("more than ", kMaxNodes, " nodes");
    const Index before = ids_.size();
    if (ids_.add(id) != before) reader_.fail("<node>: id ", shown(id), " is there twice");
    node_line_ = reader_.line();
    cells_.clear();
    label_text_ = label_key_ && label_key_->default_text ? *label_key_->default_text : "";
    where_ = Where::kNode;
  }

  void end_node() {
    std::ranges::sort(cells_);
    for (std::size_t i = 1; i < cells_.size(); ++i)
      if (cells_[i].first == cells_[i - 1].first)
        scrl::fail(ErrorKind::kData, reader_.name(), ":", node_line_,
                   ": <node>: an attribute is given twice");
    const std::size_t given = cells_.size();
    for (const GraphmlKey* k : defaults_) {
      const auto end = cells_.begin() + static_cast<std::ptrdiff_t>(given);
      const auto at = std::lower_bound(cells_.begin(), end, std::pair(k->column, -HUGE_VALF));
      if (at == end || at->first != k->column) cells_.emplace_back(k->column, k->default_value);
    }
    std::ranges::sort(cells_);
    Csr& X = data_.features;
    for (const auto& [column, value] : cells_) {
      if (value == 0) continue;
      X.col.push_back(column);
      X.val.push_back(value);
    }
    X.row_ptr.push_back(X.nnz());
    // Defaults stand in the file once and here in every row.
    constexpr Index kFree = 1'000'000, kPerByte = 8;
    if (X.nnz() > kFree && X.nnz() / kPerByte > reader_.stored_bytes())
      fail_whole("its ", reader_.stored_bytes(), " bytes make more than ", X.nnz(),
                 " values by defaults; write the values, or leave the defaults out");
    add_label();
    where_ = Where::kGraph;
  }

  void add_label() {
    const std::string label(laid_out(label_text_));
    if (label.empty()) return data_.labels.push_back(kUnlabelled);
    const auto [at, is_new] =
        class_of_.try_emplace(label, static_cast<std::int32_t>(names_.size()));
    if (is_new) names_.push_back(label);
    data_.labels.push_back(at->second);
  }

  void begin_edge(const XmlAttributes& attributes) {
    Edges& edges = data_.edges;
    for (const bool target : {false, true}) {
      const std::string_view what = target ? "target" : "source";
      const std::string_view id = xml_attribute(attributes, what);
      if (id.empty()) reader_.fail("<edge>: expected a ", what, ", found none");
      const auto node = ids_.find(id);
      (target ? edges.target : edges.source).push_back(node.value_or(0));
      if (!node)
        unresolved_.push_back({edges.source.size() - 1, target, std::string(id), reader_.line()});
    }
    edges.weight.push_back(default_weight_);
    where_ = Where::kEdge;
  }

  // An edge may stand before its nodes.
  void resolve_edges() {
    for (const Unresolved& u : unresolved_) {
      const auto node = ids_.find(u.id);
      if (!node)
        scrl::fail(ErrorKind::kData, reader_.name(), ":", u.line,
                   ": <edge>: ", u.target ? "target" : "source",
                   ": expected the id of a node, found ", shown(u.id));
      (u.target ? data_.edges.target : data_.edges.source)[u.edge] = *node;
    }
  }

  float weight(const GraphmlKey& key, std::string_view text) const {
    const float value = graphml_number(text, key, reader_);
    if (!(value > 0)) reader_.fail("weight: expected a finite number above 0, found ", shown(text));
    return value;
  }

  void take_data(const GraphmlKey& key) {
    if (where_ == Where::kNode && key.role == GraphmlRole::kLabel) {
      label_text_ = text_;
    } else if (where_ == Where::kNode && key.role == GraphmlRole::kFeature) {
      if (!laid_out(text_).empty())
        cells_.emplace_back(key.column, graphml_number(text_, key, reader_));
    } else if (where_ == Where::kEdge && key.role == GraphmlRole::kWeight) {
      data_.edges.weight.back() = weight(key, text_);
    } else if (key.role == GraphmlRole::kGraphText &&
               (where_ == Where::kGraph || where_ == Where::kDocument)) {
      graph_texts_[key.name] = text_;
    }
  }

  void name_classes() {
    data_.classes = names_;
    if (const auto listed = graph_texts_.find(kGraphmlClasses); listed != graph_texts_.end()) {
      order_classes(lines_of(listed->second), cat(reader_.name(), ": classes"), data_);
      return;
    }
    std::vector<std::string> used;
    for (const std::string& name : names_)
      if (!means_unlabelled(name)) used.push_back(name);
    for (std::int32_t& label : data_.labels)
      if (label != kUnlabelled && means_unlabelled(names_[static_cast<std::size_t>(label)]))
        label = kUnlabelled;
    used = sorted_classes(std::move(used));
    std::vector<std::int32_t> number(names_.size(), kUnlabelled);
    for (std::size_t c = 0; c < used.size(); ++c)
      number[static_cast<std::size_t>(class_of_.at(used[c]))] = static_cast<std::int32_t>(c);
    for (std::int32_t& label : data_.labels)
      if (label != kUnlabelled) label = number[static_cast<std::size_t>(label)];
    data_.classes = std::move(used);
  }

  void read_splits() {
    SplitParts parts;
    for (const auto& [name, text] : graph_texts_) {
      const auto role = parse_split_name(name);
      if (!role) continue;
      std::vector<NodeId>& nodes = parts[role->rate][role->role].emplace();
      for (const std::string& id : lines_of(text)) {
        const auto node = ids_.find(id);
        if (!node) fail_whole(name, ": expected the id of a node, found ", shown(id));
        nodes.push_back(*node);
      }
    }
    data_.splits = splits_of(std::move(parts), reader_.name());
  }

  XmlReader reader_;
  std::string label_;
  Dataset data_;
  GraphmlKeys keys_;
  IdMap ids_;
  Where where_ = Where::kStart;
  bool graph_seen_ = false, roles_assigned_ = false, in_default_ = false;
  int skipped_ = 0;  // levels of tags that are not read
  const GraphmlKey* data_key_ = nullptr;
  const GraphmlKey* label_key_ = nullptr;
  std::vector<const GraphmlKey*> defaults_;
  float default_weight_ = 1;
  std::string text_, label_text_;
  Index node_line_ = 0;
  std::vector<std::pair<NodeId, float>> cells_;  // of the node
  std::unordered_map<std::string, std::int32_t> class_of_;
  std::vector<std::string> names_;
  std::vector<Unresolved> unresolved_;
  std::map<std::string, std::string, std::less<>> graph_texts_;
};

std::string graphml_file(const Source& source) {
  for (const SourceFile& file : source.files())
    if (is_graphml_name(file.name)) return file.name;
  return {};
}

}  // namespace

bool is_graphml(const Source& source) { return !graphml_file(source).empty(); }

Dataset read_graphml(const Source& source, const std::string& label) {
  const std::string file = graphml_file(source);
  for (const SourceFile& other : source.files())
    if (is_graphml_name(other.name) && other.name != file)
      fail(ErrorKind::kData, source.path(), ": expected one .graphml file, found both ", file,
           " and ", other.name);
  return GraphmlReader(source.open(file), label).read();
}

}  // namespace scrl
