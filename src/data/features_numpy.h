// data/features_numpy.h: node features saved from Python: scipy.sparse.save_npz and numpy.save.
#pragma once
#include <string>

#include "io/npy.h"
#include "tensor/csr.h"

namespace scrl {

// A CSR matrix as scipy.sparse.save_npz writes it: data, indices, indptr, shape, format. Columns
// may be unordered; repeated ones are summed. Zeros are not stored.
Csr read_features_npz(const std::string& path);

// A dense 2-D array in row order, read row by row; memory grows with its non-zeros.
Csr read_features_npy(const std::string& path);
Csr read_features_array(NpyReader reader);  // likewise, of an array in an archive

}  // namespace scrl
