#include "base/block_tree.h"

#include <atomic>

namespace scrl {
namespace {

std::atomic<Index> rows_of_block{kBlockRows};

}  // namespace

Index block_rows() { return rows_of_block.load(std::memory_order_relaxed); }

BlockRowsForTest::BlockRowsForTest(Index rows) : before_(block_rows()) {
  check(rows > 1 && std::has_single_bit(static_cast<std::uint64_t>(rows)),
        "block_rows: expected a power of two above 1, got ", rows);
  rows_of_block = rows;
}
BlockRowsForTest::~BlockRowsForTest() { rows_of_block = before_; }

}  // namespace scrl
