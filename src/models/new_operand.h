// models/new_operand.h: rows of new nodes as products take them.
#pragma once
#include <utility>

#include "autograd/ops.h"
#include "graph/new_nodes.h"

namespace scrl {

inline SparseOperand new_operand(NewEdges rows, Precision gathers) {
  SparseOperand out{.A = std::move(rows.own), .At = {}, .gathers = gathers};
  out.At.rows = out.A.cols, out.At.cols = out.A.rows;
  out.At.row_ptr.assign(static_cast<std::size_t>(out.At.rows) + 1, 0);  // no gradient is wanted
  out.of_new_nodes = true;
  out.known = std::move(rows.known);
  return out;
}

}  // namespace scrl
