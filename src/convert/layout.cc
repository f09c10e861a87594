#include "convert/layout.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "data/knn_file.h"
#include "data/labels.h"

namespace scrl {
namespace {

constexpr Index kPlanetoidValidation = 500;

class Fitting {
 public:
  Fitting(Dataset data, DataLayout layout) : layout_(layout), out_{.data = std::move(data)} {}

  Fitted fit() {
    drop_unit_weights(d().edges);
    for (auto& [k, edges] : d().knn_files) drop_unit_weights(edges);
    switch (layout_) {
      case DataLayout::kNpz:
        break;
      case DataLayout::kGraphml:
        drop_feature_graphs();
        break;
      case DataLayout::kFolder:
        drop_feature_graphs(true);
        require_edges();
        require_plain_classes();
        drop_splits_without_training();
        break;
      case DataLayout::kAmgcn:
        fit_amgcn();
        break;
      case DataLayout::kPlanetoid:
        fit_planetoid();
        break;
    }
    return std::move(out_);
  }

 private:
  Dataset& d() { return out_.data; }
  template <class... Parts>
  void lose(const Parts&... parts) {
    out_.lost.push_back(cat(parts...));
  }
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) {
    fail(ErrorKind::kUsage, d().source, ": layout ", name_of(layout_),
         " cannot hold it: ", parts...);
  }

  static void drop_unit_weights(Edges& edges) {
    if (std::ranges::all_of(edges.weight, [](float w) { return w == 1; })) edges.weight.clear();
  }

  void require_edges() {
    if (d().edges.size() == 0) refuse("it has no edges; use npz or graphml");
  }

  // Such a text in a file of labels would be read as no label.
  void require_plain_classes() {
    for (const std::string& name : d().classes)
      if (means_unlabelled(name))
        refuse("a class is called '", name, "', which means unlabelled there; use npz or graphml");
  }

  // `own`: the one that the user brought has a place.
  void drop_feature_graphs(bool own = false) {
    if (!own) drop_own_graph();
    std::string ks;
    for (const auto& [k, edges] : d().knn_files)
      if (k != kOwnGraph) ks += cat(ks.empty() ? "" : ", ", k);
    if (!ks.empty()) lose("the published feature graphs (k = ", ks, ")");
    std::erase_if(d().knn_files, [](const auto& file) { return file.first != kOwnGraph; });
  }

  void drop_own_graph() {
    if (d().knn_files.erase(kOwnGraph) > 0) lose("the feature graph of your own");
  }

  void drop_splits_without_training() {
    const auto before = d().splits.size();
    std::erase_if(d().splits, [](const Split& s) { return s.train.empty(); });
    if (d().splits.size() != before) lose("a split without training nodes");
  }

  void number_nodes() {
    if (d().ids.empty()) return;
    lose("node ids: nodes become 0, 1, 2, ... (the first is '", d().ids.front(), "')");
    d().ids.clear();
  }

  void number_classes() {
    bool named = false;
    for (std::size_t c = 0; c < d().classes.size(); ++c) {
      named |= d().classes[c] != cat(c);
      if (named) break;
    }
    if (!named) return;
    lose("class names: classes become 0, 1, 2, ... (the first is '", d().classes.front(), "')");
    for (std::size_t c = 0; c < d().classes.size(); ++c) d().classes[c] = cat(c);
  }

  void drop_weights() {
    if (d().edges.weight.empty()) return;
    lose("weights of edges");
    d().edges.weight.clear();
  }

  void require_columns() {
    if (d().features.cols == 0) refuse("its nodes have no features; use npz or graphml");
  }

  void fit_amgcn() {
    require_edges();
    require_columns();
    number_nodes();
    drop_weights();
    number_classes();
    const std::int32_t largest = d().labels.empty() ? -1 : *std::ranges::max_element(d().labels);
    if (largest + 1 < d().num_classes()) {
      lose("classes without a labelled node behind the last one that has some");
      d().classes.resize(static_cast<std::size_t>(largest + 1));
    }
    drop_splits_without_training();
    drop_own_graph();
    for (auto& [k, edges] : d().knn_files) {
      if (!edges.weight.empty()) lose("weights of the feature graph with k = ", k);
      edges.weight.clear();
    }
    if (std::erase_if(d().knn_files, [](const auto& file) { return file.second.size() == 0; }) > 0)
      lose("a feature graph without edges");
  }

  void fit_planetoid() {
    if (d().classes.empty()) refuse("it has no labels");
    if (d().splits.empty())
      refuse("its files always say which nodes train, and the data have no split; put train.txt, ",
             "val.txt and test.txt beside the data");
    number_nodes();
    drop_weights();
    number_classes();
    drop_feature_graphs();
    drop_splits_without_training();
    order_edges();
    if (!has_planetoid_order(d()))
      out_.notes.push_back(
          "splits are written to train.txt and so on, which only scrl reads: other programs take "
          "the order of rows for the split, and this one has another order");
  }

  // Lists of neighbours, node by node.
  void order_edges() {
    Edges& edges = d().edges;
    if (std::ranges::is_sorted(edges.source)) return;
    std::vector<std::size_t> order(edges.source.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t e) { return edges.source[e]; });
    Edges sorted;
    for (const std::size_t e : order) {
      sorted.source.push_back(edges.source[e]);
      sorted.target.push_back(edges.target[e]);
    }
    edges = std::move(sorted);
    out_.notes.push_back("edges are written by their source, so their order changes");
  }

  DataLayout layout_;
  Fitted out_;
};

}  // namespace

Fitted fitted(Dataset data, DataLayout layout) {
  return Fitting(with_own_arrays(std::move(data)), layout).fit();
}

bool has_planetoid_order(const Dataset& d) {
  if (d.splits.size() != 1) return false;
  const Split& s = d.splits.front();
  const auto counts_up = [](const std::vector<NodeId>& nodes, Index from) {
    for (const NodeId node : nodes)
      if (node != from++) return false;
    return true;
  };
  if (s.test.empty() || s.train.empty()) return false;
  const auto train = std::ssize(s.train);
  const Index first = *std::ranges::min_element(s.test);
  if (!counts_up(s.train, 0) || !counts_up(s.val, train) || train > first ||
      std::ssize(s.val) != std::min(first - train, kPlanetoidValidation) ||
      *std::ranges::max_element(s.test) != d.nodes - 1)
    return false;
  // The rate that the reader finds: as many training nodes of every class.
  std::vector<Index> of_class(d.classes.size());
  for (const NodeId i : s.train)
    if (const std::int32_t c = d.labels[static_cast<std::size_t>(i)]; c != kUnlabelled)
      ++of_class[static_cast<std::size_t>(c)];
  const Index rate = train / d.num_classes();
  const bool even = rate * d.num_classes() == train &&
                    std::ranges::all_of(of_class, [&](Index n) { return n == rate; });
  if (s.labels_per_class != (even ? rate : 0)) return false;
  // Numbers left out of the test nodes are nodes without features and labels.
  std::vector<bool> tested(static_cast<std::size_t>(d.nodes));
  for (const NodeId i : s.test) tested[static_cast<std::size_t>(i)] = true;
  for (Index i = first; i < d.nodes; ++i)
    if (!tested[static_cast<std::size_t>(i)] &&
        (d.features.row_nnz(i) > 0 || d.labels[static_cast<std::size_t>(i)] != kUnlabelled))
      return false;
  return d.nodes - first <= 16 * std::ssize(s.test) + 1024;
}

}  // namespace scrl
