// data/csr_parts.h: from the three arrays of a foreign CSR matrix to a Csr.
#pragma once
#include <string>
#include <vector>

#include "tensor/csr.h"

namespace scrl {

// As scipy stores it: row i has columns indices[indptr[i] .. indptr[i+1]) with values data[...].
struct CsrParts {
  Index rows = 0, cols = 0;
  std::vector<Index> indptr, indices;
  std::vector<float> data;
};

// Checks everything (Error(kData) naming `name`), sorts columns, sums repeated ones, drops zeros.
Csr csr_from_parts(CsrParts parts, const std::string& name);

}  // namespace scrl
