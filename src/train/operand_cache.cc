#include "train/operand_cache.h"

#include <algorithm>

#include "base/error.h"

namespace scrl {
namespace {

constexpr Index kCheckedNodes = 256;  // an exact search for them takes a few passes over the rows

Index bytes_of(const Csr& a) {
  return static_cast<Index>(a.row_ptr.size() * sizeof(a.row_ptr[0])) +
         a.nnz() * static_cast<Index>(sizeof(NodeId) + sizeof(float));
}

Index bytes_of(const Operands& o) {
  Index sum = bytes_of(o.X.A) + bytes_of(o.X.At);
  for (const auto* A : {o.A_t.get(), o.A_f.get()})
    if (A) sum += bytes_of(A->A) + bytes_of(A->At);
  return sum + (o.edges ? bytes_of(*o.edges) : 0);
}

}  // namespace

Neighbours first_neighbours(const Neighbours& from, int k) {
  check(k <= from.k, "first_neighbours: ", k, " of ", from.k);
  Neighbours out{.nodes = from.nodes, .k = k};
  out.id.reserve(static_cast<std::size_t>(from.nodes * k));
  out.similarity.reserve(out.id.capacity());
  for (Index i = 0; i < from.nodes; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(i * from.k);
    out.id.insert(out.id.end(), from.id.begin() + begin, from.id.begin() + begin + k);
    out.similarity.insert(out.similarity.end(), from.similarity.begin() + begin,
                          from.similarity.begin() + begin + k);
  }
  return out;
}

Neighbours OperandCache::neighbours(const GraphOptions& o) {
  const bool approximate = searches_approximately(features_of(data_), o);
  // Neighbours are searched among features without a norm; what is made of them comes later.
  std::vector<std::string_view> without = {"knn",  "knn_search", "precision", "adjacency",
                                           "lazy", "dup",        "binarize",  "feature_norm"};
  if (!approximate) without.push_back("k");
  const std::string key =
      cat(key_of(o, without), approximate, " ", binarizes(features_of(data_), o));
  auto found = neighbours_.find(key);
  if (found == neighbours_.end() || found->second.k < o.k) {
    GraphOptions wide = o;
    if (!approximate) wide.k = std::max(o.k, largest_k_);
    SearchCheck check{.samples = kCheckedNodes};
    Neighbours searched = feature_neighbours(data_, wide, approximate ? &check : nullptr);
    found = neighbours_.insert_or_assign(key, std::move(searched)).first;
    ++searches_;
    if (approximate && (!lowest_recall_ || check.recall.found < lowest_recall_->found))
      lowest_recall_ = check.recall;
  }
  return first_neighbours(found->second, o.k);
}

std::shared_ptr<const Operands> OperandCache::get(const GraphOptions& o, unsigned views) {
  std::vector<std::string_view> without = {"binarize"};
  if (!(views & (kTopology | kEdges))) without.push_back("dup");
  if (!(views & (kTopology | kFeatureGraph))) without.insert(without.end(), {"adjacency", "lazy"});
  if (!(views & kFeatureGraph))
    without.insert(without.end(), {"k", "knn", "knn_search", "lsa_rank"});
  const std::string key = cat(key_of(o, without), views, " ", binarizes(features_of(data_), o));
  const auto same = std::find_if(kept_.begin(), kept_.end(), [&](auto& k) { return k.key == key; });
  if (same != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, same);
    return same->operands;
  }
  const bool searched = (views & kFeatureGraph) && o.knn != FeatureGraph::kFile;
  Operands made = prepare(data_, o, searched ? views & ~unsigned{kFeatureGraph} : views);
  if (searched) made.A_f = normalised(feature_graph(neighbours(o), o), o);
  const Index bytes = bytes_of(made);
  kept_.push_front({key, std::make_shared<const Operands>(std::move(made)), bytes});
  std::shared_ptr<const Operands> out = kept_.front().operands;
  Index sum = 0;
  for (auto it = kept_.begin(); it != kept_.end();) {
    sum += it->bytes;
    it = sum > limit_ ? kept_.erase(it) : std::next(it);
  }
  return out;
}

void OperandCache::clear() {
  kept_.clear();
  neighbours_.clear();
}

}  // namespace scrl
