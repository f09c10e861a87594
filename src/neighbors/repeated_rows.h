// neighbors/repeated_rows.h: a search among rows of which many are equal, without the time that
// equal rows take.
//
// Ties go to the smaller id. So of a group of equal rows only the first k + 2 matter: a row has at
// most the first k + 1 of a group among its k neighbours, and every row after these has the
// neighbours of the (k + 2)nd. The result is that of a search among all rows.
#pragma once
#include <functional>

#include "neighbors/knn.h"

namespace scrl {

using NeighbourSearch = std::function<Neighbours(const CsrView& X, int k)>;

Neighbours search_repeated_rows(const CsrView& X, int k, const NeighbourSearch& search);

}  // namespace scrl
