#include "walks/walker.h"

#include "base/error.h"
#include "walks/streams.h"

namespace scrl {

Walker::Walker(const Csr& A, int length, std::uint64_t seed) : length_(length), seed_(seed) {
  check(A.rows == A.cols, "walks: the adjacency is ", A.rows, "x", A.cols, ", not square");
  check(length > 0, "walks: length must be above 0, got ", length);
  start_.reserve(static_cast<std::size_t>(A.rows + 1));
  start_.push_back(0);
  to_.reserve(A.col.size());
  for (Index i = 0; i < A.rows; ++i) {
    for (const NodeId j : A.row_cols(i)) {
      if (j != i) to_.push_back(j);
    }
    start_.push_back(static_cast<Index>(to_.size()));
    degrees_.push_back(degree(i));
    if (degrees_.back() > 0) joined_.push_back(static_cast<NodeId>(i));
  }
  if (joined_.empty()) {
    fail(ErrorKind::kData, "walks: none of the ", A.rows,
         " nodes has an edge to another one, so there is nothing to walk along; methods made of "
         "walks or edges need a topology");
  }
}

void Walker::starts(int pass, int sweep, std::vector<NodeId>& out) const {
  out.assign(joined_.begin(), joined_.end());
  Rng rng = walk_rng(seed_, WalkStream::kStarts, pass, sweep);
  rng.shuffle(std::span(out));
}

void Walker::walk(int pass, Index number, NodeId start, std::span<NodeId> out) const {
  const Rng rng = walk_rng(seed_, WalkStream::kSteps, pass);
  const std::uint64_t first = static_cast<std::uint64_t>(number) * (out.size() / 2 + 1);
  out[0] = start;
  Philox4 bits{};
  for (std::size_t k = 1; k < out.size(); ++k) {
    const bool low = k % 2 == 1;
    if (low) bits = rng.at(first + k / 2);
    const std::uint64_t x =
        low ? std::uint64_t{bits[1]} << 32 | bits[0] : std::uint64_t{bits[3]} << 32 | bits[2];
    const auto around = neighbours(out[k - 1]);
    out[k] =
        around[static_cast<std::size_t>(static_cast<unsigned __int128>(x) * around.size() >> 64)];
  }
}

}  // namespace scrl
