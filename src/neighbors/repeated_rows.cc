#include "neighbors/repeated_rows.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "base/hash.h"

namespace scrl {
namespace {

constexpr Index kWorthwhile = 4;  // at most every fourth row is searched

// Row i: its columns and values.
struct Row {
  std::vector<NodeId> cols;
  std::span<const float> vals;

  Row(const CsrView& X, Index i) {
    const auto row = static_cast<std::size_t>(i);
    const Index begin = X.row_ptr[row], end = X.row_ptr[row + 1];
    for (Index e = begin; e < end; ++e)
      cols.push_back(static_cast<NodeId>(X.col[static_cast<std::size_t>(e)]));
    vals = X.val.subspan(static_cast<std::size_t>(begin), cols.size());
  }
  std::uint64_t hash() const {
    const std::uint64_t parts[] = {checksum(cols.data(), cols.size() * sizeof(NodeId)),
                                   checksum(vals.data(), vals.size_bytes())};
    return checksum(parts, sizeof parts);
  }
  bool operator==(const Row& other) const {
    return cols == other.cols && std::ranges::equal(vals, other.vals);
  }
};

struct Group {
  NodeId first = 0;
  Index searched = 0;  // of its rows
};

// Rows that are searched, ascending, and for every row the one whose neighbours it has.
struct Reduction {
  std::vector<NodeId> rows;
  std::vector<NodeId> stands_for;  // index into `rows`
};

std::vector<std::uint64_t> hashes_of(const CsrView& X) {
  std::vector<std::uint64_t> out;
  for (Index i = 0; i < X.rows; ++i) out.push_back(Row(X, i).hash());
  return out;
}

Index distinct(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  return std::unique(values.begin(), values.end()) - values.begin();
}

Reduction reduce(const CsrView& X, const std::vector<std::uint64_t>& hashes, int k) {
  Reduction out;
  out.stands_for.resize(static_cast<std::size_t>(X.rows));
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash;
  std::vector<Group> groups;
  std::vector<NodeId> last;  // of each group: index into rows of its last searched row
  for (Index i = 0; i < X.rows; ++i) {
    const std::uint64_t hash = hashes[static_cast<std::size_t>(i)];
    const auto [begin, end] = by_hash.equal_range(hash);
    const auto found = std::find_if(
        begin, end, [&](const auto& g) { return Row(X, groups[g.second].first) == Row(X, i); });
    std::size_t group = groups.size();
    if (found != end) {
      group = found->second;
    } else {
      by_hash.emplace(hash, group);
      groups.push_back({static_cast<NodeId>(i)});
      last.push_back(0);
    }
    if (groups[group].searched < k + 2) {
      ++groups[group].searched;
      last[group] = static_cast<NodeId>(out.rows.size());
      out.rows.push_back(static_cast<NodeId>(i));
    }
    out.stands_for[static_cast<std::size_t>(i)] = last[group];
  }
  return out;
}

Csr chosen_rows(const CsrView& X, const std::vector<NodeId>& rows) {
  Csr out{.rows = static_cast<Index>(rows.size()), .cols = X.cols};
  for (const NodeId i : rows) {
    const Row row(X, i);
    out.col.insert(out.col.end(), row.cols.begin(), row.cols.end());
    out.val.insert(out.val.end(), row.vals.begin(), row.vals.end());
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

}  // namespace

Neighbours search_repeated_rows(const CsrView& X, int k, const NeighbourSearch& search) {
  if (X.rows < 1000) return search(X, k);
  const std::vector<std::uint64_t> hashes = hashes_of(X);
  if (distinct(hashes) * kWorthwhile > X.rows) return search(X, k);
  const Reduction reduction = reduce(X, hashes, k);
  if (static_cast<Index>(reduction.rows.size()) * kWorthwhile > X.rows) return search(X, k);
  const Neighbours found = search(chosen_rows(X, reduction.rows), k);
  Neighbours out{.nodes = X.rows, .k = k};
  out.id.resize(static_cast<std::size_t>(X.rows * k));
  out.similarity.resize(out.id.size());
  for (Index i = 0; i < X.rows; ++i) {
    const Index from = reduction.stands_for[static_cast<std::size_t>(i)];
    for (int n = 0; n < k; ++n) {
      const NodeId id = found.id[static_cast<std::size_t>(from * k + n)];
      out.id[i * k + n] = id < 0 ? id : reduction.rows[static_cast<std::size_t>(id)];
      out.similarity[i * k + n] = found.similarity[static_cast<std::size_t>(from * k + n)];
    }
  }
  return out;
}

}  // namespace scrl
