#include "data/features_numpy.h"

#include <cmath>
#include <vector>

#include "base/error.h"
#include "data/credible.h"
#include "data/csr_parts.h"
#include "io/npy.h"
#include "io/zip.h"

namespace scrl {

Csr read_features_npz(const std::string& path) {
  const ZipArchive archive(path);
  const auto part = [&](const std::string& name) {
    const ZipEntry* entry = archive.find(name + ".npy");
    if (!entry) {
      fail(ErrorKind::kData, path, ": expected a file of scipy.sparse.save_npz, found no array '",
           name, "'");
    }
    return NpyReader(archive.open(*entry));
  };
  if (const std::string format = part("format").text(); format != "csr") {
    fail(ErrorKind::kData, path, ": expected format csr, found '", format,
         "'; save it with scipy.sparse.save_npz(file, scipy.sparse.csr_matrix(features))");
  }
  const auto vector = [&](const std::string& name, auto zero) {
    NpyReader reader = part(name);
    if (reader.header().shape.size() != 1) {
      fail(ErrorKind::kData, reader.name(), ": expected one dimension, found ",
           reader.header().shape.size());
    }
    return reader.rest<decltype(zero)>();
  };
  const std::vector<Index> shape = vector("shape", Index{});
  if (shape.size() != 2) {
    fail(ErrorKind::kData, path, ": shape: expected two sizes, found ", shape.size());
  }
  CsrParts parts{.rows = shape[0], .cols = shape[1]};
  parts.indptr = vector("indptr", Index{});
  parts.indices = vector("indices", Index{});
  parts.data = vector("data", float{});
  return csr_from_parts(std::move(parts), path);
}

Csr read_features_npy(const std::string& path) {
  return read_features_array(NpyReader(open_file(path)));
}

Csr read_features_array(NpyReader reader) {
  const std::string& path = reader.name();
  const NpyHeader& header = reader.header();
  if (header.shape.size() != 2) {
    fail(ErrorKind::kData, path, ": expected an array of 2 dimensions (nodes x features), found ",
         header.shape.size());
  }
  if (header.fortran_order) {
    fail(ErrorKind::kData, path,
         ": expected row order, found column (Fortran) order; save "
         "numpy.ascontiguousarray(features)");
  }
  const Index rows = header.shape[0], cols = header.shape[1];
  if (rows > kMaxNodes || cols > kMaxNodes) {
    fail(ErrorKind::kData, path, ": ", rows, "x", cols, " is too large");
  }
  Csr out{.cols = cols};
  std::vector<float> piece;  // a row in pieces: its length is only a claim until it was read
  constexpr Index kPiece = 1 << 16;
  // Without columns there is no data that could confirm the number of rows.
  if (cols == 0 && rows > 0) fail(ErrorKind::kData, path, ": expected at least one feature");
  for (Index i = 0; i < rows; ++i) {
    for (Index begin = 0; begin < cols; begin += kPiece) {
      piece.resize(static_cast<std::size_t>(std::min(kPiece, cols - begin)));
      reader.read(piece);
      for (std::size_t j = 0; j < piece.size(); ++j) {
        if (piece[j] == 0) continue;
        if (!std::isfinite(piece[j])) {
          fail(ErrorKind::kData, path, ": row ", i, ": expected a finite value, found ", piece[j]);
        }
        out.col.push_back(static_cast<NodeId>(begin + static_cast<Index>(j)));
        out.val.push_back(piece[j]);
      }
    }
    out.row_ptr.push_back(out.nnz());
  }
  out.rows = rows;
  reader.expect_end();
  check_credible(cols, "columns", out.nnz(), path);
  return out;
}

}  // namespace scrl
