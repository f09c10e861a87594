#include "run/doctor.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "base/hash.h"
#include "tensor/csr.h"

namespace scrl {
namespace {

constexpr double kDetermines = 0.99;  // of the labelled nodes, by one column
constexpr double kTrivial = 0.95;     // as much is right without looking at anything
constexpr Index kFewest = 5;          // nodes of a class, below which agreement is chance
constexpr double kImbalanced = 3;     // largest class to smallest
constexpr std::size_t kShown = 5;

std::string listed(const std::vector<Index>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size() && i < kShown; ++i)
    out += cat(i == 0 ? "" : ", ", numbers[i]);
  return out + (numbers.size() > kShown ? ", ..." : "");
}

std::string percent(double share) {
  return cat(static_cast<double>(static_cast<Index>(share * 1000 + 0.5)) / 10, " %");
}

class Doctor {
 public:
  Doctor(const Dataset& data, const GraphOptions& graph, const std::optional<Csr>& knn)
      : d_(data), graph_(graph), knn_(knn), sizes_(data.classes.size()) {
    for (const std::int32_t y : d_.labels)
      if (y != kUnlabelled) ++labelled_, ++sizes_[static_cast<std::size_t>(y)];
  }

  std::vector<std::string> findings() {
    by_column_ = transpose(d_.features);
    if (d_.features.nnz() == 0)
      add("there are no features; -m deepwalk, -m line and -m label-propagation do without");
    look_for_labels();
    look_for_counts_from_one();
    look_at_columns();
    look_for_equal_rows();
    look_at_classes();
    return std::move(findings_);
  }

 private:
  template <class... Parts>
  void add(const Parts&... parts) {
    findings_.push_back(cat(parts...));
  }
  std::int32_t label(NodeId i) const { return d_.labels[static_cast<std::size_t>(i)]; }
  Index largest_class() const { return *std::ranges::max_element(sizes_); }

  // How many labelled nodes have the class that is most frequent among those with the same value of
  // the column. Values that occur once say nothing.
  Index explained(Index column) const {
    std::map<float, std::vector<Index>> of_value;
    std::vector<Index> without = sizes_;  // the value 0
    const auto nodes = by_column_.row_cols(column);
    const auto values = by_column_.row_vals(column);
    for (std::size_t e = 0; e < nodes.size(); ++e) {
      if (label(nodes[e]) == kUnlabelled) continue;
      const auto c = static_cast<std::size_t>(label(nodes[e]));
      auto& counts = of_value[values[e]];
      counts.resize(sizes_.size());
      ++counts[c];
      --without[c];
      if (of_value.size() > kMostValues) return 0;  // a measurement, not a code
    }
    of_value[0] = std::move(without);
    Index right = 0;
    for (const auto& [value, counts] : of_value) {
      const Index most = *std::ranges::max_element(counts);
      right += most > 1 ? most : 0;
    }
    return right;
  }

  // The class whose nodes, and hardly any others, have a value in the column; -1: none.
  std::int32_t class_of_column(Index column) const {
    std::vector<Index> counts(sizes_.size());
    Index all = 0;
    for (const NodeId i : by_column_.row_cols(column))
      if (label(i) != kUnlabelled) ++all, ++counts[static_cast<std::size_t>(label(i))];
    const auto most = std::ranges::max_element(counts);
    const Index size = sizes_[static_cast<std::size_t>(most - counts.begin())];
    const auto n = static_cast<double>(*most);
    const bool same = size >= kFewest && n >= kDetermines * static_cast<double>(size) &&
                      n >= kDetermines * static_cast<double>(all);
    return same ? static_cast<std::int32_t>(most - counts.begin()) : -1;
  }

  void look_for_labels() {
    const auto classes = std::ranges::count_if(sizes_, [](Index n) { return n > 0; });
    if (classes < 2 || labelled_ < 2 * kFewest) return;
    const auto all = static_cast<double>(labelled_);
    std::vector<Index> alone, of_class;
    for (Index j = 0; j < by_column_.rows; ++j) {
      if (by_column_.row_nnz(j) == 0) continue;
      const double right = static_cast<double>(explained(j));
      if (right >= kDetermines * all && static_cast<double>(largest_class()) < kTrivial * all)
        alone.push_back(j);
      else if (class_of_column(j) >= 0)
        of_class.push_back(j);
    }
    if (!alone.empty())
      add("feature column ", listed(alone),
          " determines the label: its value alone gives the class of ",
          percent(static_cast<double>(explained(alone.front())) / all),
          " of the labelled nodes; if it is the label, remove it from the features");
    if (!of_class.empty())
      add("feature column ", listed(of_class), " is set for the nodes of one class (",
          d_.classes[static_cast<std::size_t>(class_of_column(of_class.front()))],
          ") and hardly any others; if it encodes the label, remove it from the features");
  }

  void look_for_counts_from_one() {
    std::vector<bool> linked(static_cast<std::size_t>(d_.nodes));
    for (std::size_t e = 0; e < d_.edges.source.size(); ++e) {
      linked[static_cast<std::size_t>(d_.edges.source[e])] = true;
      linked[static_cast<std::size_t>(d_.edges.target[e])] = true;
    }
    const auto isolated = std::ranges::count(linked, false);
    if (d_.ids.empty() && d_.nodes > 2 && isolated == 1 && !linked[0])
      add("node 0 is the only one without an edge: the edges may count nodes from 1 and the other "
          "files from 0, so that every edge is off by one; compare them, and list the ids in "
          "ids.txt");
    Index unused = 0;
    for (Index j = 0; j < by_column_.rows; ++j) unused += by_column_.row_nnz(j) == 0;
    if (by_column_.rows > 2 && unused == 1 && by_column_.row_nnz(0) == 0)
      add("feature column 0 is the only empty one: the file counts columns from 1, which is "
          "harmless; files of new nodes must do the same");
  }

  void look_at_columns() {
    std::vector<Index> constant, repeated;
    std::unordered_map<std::string, Index> first_with;
    for (Index j = 0; j < by_column_.rows; ++j) {
      const auto values = by_column_.row_vals(j);
      if (values.empty()) continue;
      if (std::ssize(values) == d_.nodes &&
          std::ranges::all_of(values, [&](float v) { return v == values[0]; }))
        constant.push_back(j);
      const bool is_new =
          first_with.emplace(Hasher().array(by_column_.row_cols(j)).array(values).hex(), j).second;
      if (!is_new) repeated.push_back(j);
    }
    if (!constant.empty())
      add(constant.size(), constant.size() == 1 ? " feature column is" : " feature columns are",
          " the same for all nodes (", listed(constant), "); remove ",
          constant.size() == 1 ? "it" : "them", ", no nodes are told apart by it");
    if (!repeated.empty())
      add(repeated.size(),
          repeated.size() == 1 ? " feature column repeats" : " feature columns repeat",
          " an earlier one (", listed(repeated), "); remove ", repeated.size() == 1 ? "it" : "them",
          " unless the same is to count twice");
  }

  // Neighbours of nodes with equal features are chosen among equals by their number alone.
  void look_for_equal_rows() {
    std::unordered_map<std::string, std::vector<NodeId>> groups;
    for (Index i = 0; i < d_.nodes; ++i)
      if (d_.features.row_nnz(i) > 0)
        groups[Hasher().array(d_.features.row_cols(i)).array(d_.features.row_vals(i)).hex()]
            .push_back(static_cast<NodeId>(i));
    Index tied = 0;
    const std::vector<NodeId>* largest = nullptr;
    for (const auto& [hash, nodes] : groups) {
      if (std::ssize(nodes) <= graph_.k + 1) continue;
      tied += std::ssize(nodes);
      if (!largest || nodes.size() > largest->size() ||
          (nodes.size() == largest->size() && nodes.front() < largest->front()))
        largest = &nodes;
    }
    if (!largest) return;
    Index degree = 0;
    if (knn_)
      for (const NodeId i : *largest) degree = std::max(degree, knn_->row_nnz(i));
    add(tied, " nodes have the same features as more than k = ", graph_.k, " others (",
        largest->size(), " of them those of node ", d_.id(largest->front()),
        "), so their neighbours in the feature graph are arbitrary",
        degree > 0 ? cat(" and hubs of up to ", degree, " neighbours arise") : std::string(),
        "; give them more features, or compare with -m gcn, which does without that graph");
  }

  void look_at_classes() {
    const auto used = std::ranges::count_if(sizes_, [](Index n) { return n > 0; });
    if (used < 2) return;
    const Index largest = largest_class();
    Index smallest = largest;
    for (const Index n : sizes_)
      if (n > 0) smallest = std::min(smallest, n);
    const auto name =
        d_.classes[static_cast<std::size_t>(std::ranges::max_element(sizes_) - sizes_.begin())];
    const double share = static_cast<double>(largest) / static_cast<double>(labelled_);
    if (2 * largest > labelled_ && (used > 2 || share > 0.75))
      add("class ", name, " has ", percent(share),
          " of the labelled nodes, which is the accuracy of "
          "predicting it everywhere; judge by macro-F1 (--metric macro-f1)");
    else if (static_cast<double>(largest) >= kImbalanced * static_cast<double>(smallest))
      add("the largest class has ", largest, " nodes and the smallest ", smallest,
          "; accuracy is about the large ones, --metric macro-f1 counts all classes alike");
  }

  static constexpr std::size_t kMostValues = 1000;

  const Dataset& d_;
  const GraphOptions& graph_;
  const std::optional<Csr>& knn_;
  std::vector<Index> sizes_;  // labelled nodes by class
  Index labelled_ = 0;
  Csr by_column_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> diagnose(const Dataset& data, const GraphOptions& graph,
                                  const std::optional<Csr>& feature_graph) {
  return Doctor(data, graph, feature_graph).findings();
}

}  // namespace scrl
