// points/knn_rows.h: what the two ways of finding nearest rows share: rows made ready for dot
// products, and the list of the best k of a row. Internal to points/knn.
#pragma once
#include <cmath>
#include <limits>
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
};

// The best k rows for one row; offered in any order, kept by descending key, then ascending id.
class Best {
 public:
  explicit Best(int k) : k_(static_cast<std::size_t>(k)) { items_.reserve(k_ + 1); }

  // A pair whose float score dot / |x_j| does not exceed this cannot enter. Below the true bound by
  // more than the rounding of the score, and never below zero.
  float threshold() const { return threshold_; }

  void offer(NodeId id, float dot, double squares) {
    const Item item{static_cast<double>(dot) * dot / squares, dot, id};
    if (items_.size() == k_ && !before(item, items_.back())) return;
    items_.push_back(item);
    for (std::size_t i = items_.size() - 1; i > 0 && before(items_[i], items_[i - 1]); --i) {
      std::swap(items_[i], items_[i - 1]);
    }
    if (items_.size() > k_) items_.pop_back();
    if (items_.size() == k_) {
      threshold_ = static_cast<float>(std::sqrt(items_.back().key) * (1 - 1e-6));
    }
  }

  // Writes k ids and cosines.
  void store(const Rows& rows, Index i, NodeId* id, float* similarity) const {
    for (std::size_t n = 0; n < items_.size(); ++n) {
      const Item& item = items_[n];
      const double cosine = item.dot / std::sqrt(rows.squares[i] * rows.squares[item.id]);
      id[n] = item.id;
      similarity[n] = static_cast<float>(std::min(cosine, 1.0));
    }
  }

 private:
  struct Item {
    double key;
    float dot;
    NodeId id;
  };
  static bool before(const Item& a, const Item& b) {
    return a.key > b.key || (a.key == b.key && a.id < b.id);
  }

  std::size_t k_;
  float threshold_ = 0;
  std::vector<Item> items_;
};

}  // namespace scrl::knn
