// data/matrix_market.h: sparse features in the MatrixMarket exchange format, one row per node.
//
// Understands "matrix coordinate real|integer|pattern general"; rows and columns count from 1.
#pragma once
#include <memory>

#include "io/byte_stream.h"
#include "tensor/csr.h"

namespace scrl {

Csr read_matrix_market(std::unique_ptr<ByteStream> stream);

}  // namespace scrl
