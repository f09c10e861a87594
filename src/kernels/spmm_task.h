// kernels/spmm_task.h: the unit of work of kernels::spmm, from its plan to its inner loops.
#pragma once
#include <cstdint>

#include "kernels/adam.h"

namespace scrl::kernels {

// Two bf16 numbers share a word, column c of a group of 32 in the lower half and column c + 16 in
// the upper one: a shift and a mask give two vectors of floats, their columns in order.
inline constexpr Index kWordColumns = 32;

inline constexpr Index kAhead = 8;

// Partial sums of all rows of a task, for every level of the tree: made where rows of A are long,
// so that each block of rows of X is gone through once for all of them.
struct SpmmLevels {
  float* at = nullptr;    // null: each row of A is summed at once, whatever block it comes to
  Index first_row, size;  // the row of out that comes first; floats per level
  Index number;           // of the block
  bool begun, complete;   // whether these rows of X are the first, the last of the block
};

// A panel of columns of out = A X, for some of the rows.
struct SpmmTask {
  const Index* row_ptr;
  const NodeId* col;
  const float* values;
  const float* x;              // column `first` of row r is at x + r * x_step
  const std::uint32_t* words;  // if not null, X is read from here instead, in bf16
  Index x_step;                // in floats, or in words
  Matrix* out;
  Index first, columns;
  Index prefetch_end;  // entries before it fetch the row of X that comes kAhead entries later
  Index first_row, last_row;  // which rows of X are used
  bool all_rows;              // all of them
  bool accumulate;
  // Rows of X per block as a power of two, if sums go along the tree of base/block_tree.h; else 0.
  int tree_shift;
  SpmmLevels levels;
  const AdamStep* adam;  // if not null, out holds weights, and the product is their gradient
  Matrix *m, *v;
};

// The task in rows [begin, end) of A.
void run_spmm(const SpmmTask& task, Index begin, Index end);
// Adds up the levels of rows [begin, end) after the last of `blocks` blocks.
void finish_spmm(const SpmmTask& task, Index blocks, Index begin, Index end);

// Columns [first, first + columns) of X in bf16, rows [begin, end) of them; both multiples of
// kWordColumns, zero beyond X. `words` is where row 0 belongs.
void pack_words(const Matrix& X, Index first, Index columns, Index begin, Index end,
                std::uint32_t* words);

}  // namespace scrl::kernels
