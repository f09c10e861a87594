// tensor/csr.h: making and checking sparse matrices; the struct itself is in scrl/csr.h.
//
// Every Csr that leaves a function of this file keeps the invariants stated there.
#pragma once
#include <span>
#include <vector>

#include "base/types.h"
#include "scrl/csr.h"

namespace scrl {

enum class Dup { kSum, kBinary };  // what repeated entries become: their sum, or 1

// From unordered (row, column, value) triplets; an empty `value` means 1 everywhere.
// REQUIRES: every row in [0, rows), every column in [0, cols).
Csr csr_from_triplets(Index rows, Index cols, std::span<const NodeId> row,
                      std::span<const NodeId> column, std::span<const float> value, Dup dup);

Csr transpose(const Csr& a);
// Position in a of every entry of at = transpose(a), so that other values follow.
std::vector<Index> transpose_positions(const Csr& a, const Csr& at);

// Rows scaled to length 1; empty rows stay empty.
Csr unit_rows(const Csr& X);

// Throws scrl::Error naming `what` when an invariant is broken; for data from outside.
void validate(const CsrView& a, const char* what);

// The same matrix in arrays of its own. REQUIRES: it is valid.
Csr own_copy(const CsrView& a);

}  // namespace scrl
