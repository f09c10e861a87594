// neighbors/knn_rows.h: what all ways of finding nearest rows share: rows made ready for dot
// products, and the list of the best k of a row. Internal to neighbors/knn*.
#pragma once
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/csr.h"

namespace scrl::knn {

// Rows scaled by powers of two until their largest entry is in [1, 2): changes no cosine and no
// mantissa, and keeps sums away from overflow.
struct Rows {
  Csr x;
  std::vector<double> squares;      // |x_i|^2
  std::vector<float> inverse_norm;  // 1 / |x_i|, 0 for an empty row
  bool ones = false;                // every value is 1, and sums of products fit 16 bits
  std::vector<NodeId> name;         // who row i is elsewhere; empty: row i is i

  NodeId name_of(Index i) const { return name.empty() ? static_cast<NodeId>(i) : name[i]; }
};

Rows prepare(const CsrView& X);

// The rows `order`, in this order, named by their numbers. REQUIRES: `rows` has no names.
Rows reordered(const Rows& rows, std::span<const NodeId> order);

// The best k rows for one row; offered in any order, kept by descending key, then ascending name.
class Best {
 public:
  // `names`: those of Rows, or none.
  explicit Best(int k, const NodeId* names = nullptr)
      : k_(static_cast<std::size_t>(k)), names_(names) {
    items_.reserve(k_ + 1);
  }

  // A pair whose float score dot / |x_j| does not exceed this cannot enter. Below the true bound by
  // more than the rounding of the score, and never below zero.
  float threshold() const { return threshold_; }

  // An id that is in the list already changes nothing.
  void offer(NodeId id, float dot, double squares) {
    const Item item{static_cast<double>(dot) * dot / squares, dot, id};
    if (items_.size() == k_ && !before(item, items_.back())) return;
    std::size_t at = items_.size();
    while (at > 0 && before(item, items_[at - 1])) --at;
    if (at > 0 && items_[at - 1].id == id) return;  // equal keys: the same pair lies side by side
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(at), item);
    if (items_.size() > k_) items_.pop_back();
    bound();
  }

  // Writes k ids and cosines.
  void store(const Rows& rows, Index i, NodeId* id, float* similarity) const {
    for (std::size_t n = 0; n < items_.size(); ++n) {
      const Item& item = items_[n];
      id[n] = item.id;
      similarity[n] = cosine(item.dot, rows.squares[i] * rows.squares[item.id]);
    }
  }
  static float cosine(float dot, double squares) {
    return static_cast<float>(std::min(dot / std::sqrt(squares), 1.0));
  }

  std::vector<NodeId> ids() const {
    std::vector<NodeId> out;
    for (const Item& item : items_) out.push_back(item.id);
    return out;
  }

  // To and from k ids and dot products; -1: no more.
  void save(NodeId* id, float* dot) const {
    for (std::size_t n = 0; n < k_; ++n) {
      id[n] = n < items_.size() ? items_[n].id : -1;
      dot[n] = n < items_.size() ? items_[n].dot : 0.0f;
    }
  }
  void load(const Rows& rows, const NodeId* id, const float* dot) {
    items_.clear();
    threshold_ = 0;
    for (std::size_t n = 0; n < k_ && id[n] >= 0; ++n) {
      items_.push_back({static_cast<double>(dot[n]) * dot[n] / rows.squares[id[n]], dot[n], id[n]});
    }
    bound();
  }

 private:
  struct Item {
    double key;
    float dot;
    NodeId id;
  };
  bool before(const Item& a, const Item& b) const {
    if (a.key != b.key) return a.key > b.key;
    return names_ ? names_[a.id] < names_[b.id] : a.id < b.id;
  }
  void bound() {
    if (items_.size() < k_) return;
    threshold_ = static_cast<float>(std::sqrt(items_.back().key) * (1 - 1e-6));
  }

  std::size_t k_;
  const NodeId* names_;
  float threshold_ = 0;
  std::vector<Item> items_;
};

// The best of every row, between two looks at it.
struct Lists {
  int k = 0;
  std::vector<NodeId> id;  // rows x k, best first; -1: no more
  std::vector<float> dot;

  Lists(Index rows, int length)
      : k(length), id(static_cast<std::size_t>(rows * k), -1), dot(id.size()) {}
  Best best(const Rows& rows) const {
    return Best(k, rows.name.empty() ? nullptr : rows.name.data());
  }
  void load(const Rows& rows, Index i, Best& best) const {
    best.load(rows, id.data() + i * k, dot.data() + i * k);
  }
  void save(Index i, const Best& best) { best.save(id.data() + i * k, dot.data() + i * k); }
};

}  // namespace scrl::knn
