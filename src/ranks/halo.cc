#include "ranks/halo.h"

#include <algorithm>

#include "base/parallel.h"

namespace scrl {

Halo::Halo(Communicator& ranks, std::vector<Index> first_row, const Csr& rows)
    : ranks_(ranks), first_row_(std::move(first_row)) {
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto me = static_cast<std::size_t>(ranks.rank());
  check(first_row_.size() == size + 1 && std::ranges::is_sorted(first_row_) &&
            first_row_.front() == 0 && first_row_.back() == rows.cols,
        "halo: ", rows.cols, " rows in all are not divided among ", size, " ranks");
  own_first_ = first_row_[me], own_ = first_row_[me + 1] - own_first_;
  check(rows.rows == own_, "halo: rank ", me, " owns ", own_, " rows, got ", rows.rows);
  const Index own_last = own_first_ + own_;
  for (const NodeId column : rows.col)
    if (column < own_first_ || column >= own_last) wanted_.push_back(column);
  std::ranges::sort(wanted_);
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
  below_ = std::ranges::lower_bound(wanted_, static_cast<NodeId>(own_first_)) - wanted_.begin();
  for (std::size_t r = 0; r < size; ++r) {
    const auto from = [&](Index row) {
      return std::ranges::lower_bound(wanted_, row, {}, [](NodeId w) { return Index{w}; });
    };
    wanted_of_.push_back(from(first_row_[r + 1]) - from(first_row_[r]));
  }
  given_ = ranks.exchange<NodeId>(std::span<const NodeId>(wanted_), wanted_of_, given_to_);
  for (const NodeId row : given_)
    check(row >= own_first_ && row < own_last, "halo: another rank asks rank ", me, " for row ",
          row, ", which it does not own");
}

Index Halo::local_of(Index global) const {
  if (global >= own_first_ && global < own_first_ + own_) return below_ + global - own_first_;
  const auto at = std::ranges::lower_bound(wanted_, static_cast<NodeId>(global));
  check(at != wanted_.end() && *at == global, "halo: row ", global, " is not among those fetched");
  const Index number = at - wanted_.begin();
  return number < below_ ? number : number + own_;
}

Csr Halo::local(const Csr& rows) const {
  check(rows.rows == own_ && rows.cols == first_row_.back(), "halo: a matrix of ", rows.rows, "x",
        rows.cols, ", expected ", own_, "x", first_row_.back());
  Csr out = rows;
  out.cols = this->rows();
  parallel_for(rows.nnz(), 1 << 14, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) out.col[e] = static_cast<NodeId>(local_of(rows.col[e]));
  });
  return out;
}

void Halo::fetch(Matrix& x) const {
  check(x.rows() == rows(), "halo: a matrix of ", x.rows(), " rows, expected ", rows());
  constexpr Index kRowsPerChunk = 1024;
  const Index h = x.cols();
  // Row `row` of x from or to h values side by side; copy(i, j, n, values) for each piece of it.
  const auto pieces = [&](Index row, Index number, const auto& copy) {
    for (Index j = 0; j < h; j += kPanel)
      copy(x.at(row, j), number * h + j, std::min(kPanel, h - j));
  };
  std::vector<float> send(given_.size() * static_cast<std::size_t>(h));
  parallel_for(static_cast<Index>(given_.size()), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      pieces(below_ + given_[i] - own_first_, i,
             [&](const float* at, Index to, Index n) { std::copy_n(at, n, send.data() + to); });
  });
  std::vector<float> recv(wanted_.size() * static_cast<std::size_t>(h));
  std::vector<Index> send_counts = given_to_, recv_counts = wanted_of_;
  for (std::vector<Index>* counts : {&send_counts, &recv_counts})
    for (Index& c : *counts) c *= h;
  ranks_.exchange<float>(send, send_counts, recv, recv_counts);
  parallel_for(static_cast<Index>(wanted_.size()), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      pieces(i < below_ ? i : i + own_, i,
             [&](float* at, Index from, Index n) { std::copy_n(recv.data() + from, n, at); });
  });
}

}  // namespace scrl
