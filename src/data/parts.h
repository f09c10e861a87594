// data/parts.h: a data set cut into blocks of rows, one file each, so that a process can read those
// it works on and no others.
//
// PARTS/parts.scrl says what the whole is; PARTS/block-00000.scrl and so on hold the rows. A block
// has what belongs to its nodes: ids, features, labels, and every edge that touches one of them,
// with its number in the edge file. An edge between two blocks is therefore in both.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace scrl {

struct PartsManifest {
  std::string folder, name, fingerprint;  // of the whole data set
  Index nodes = 0, feature_columns = 0, edges = 0;
  Index block_rows = 0;  // of every block but the last
  bool has_ids = false, weighted = false;
  std::vector<std::string> classes;
  std::vector<Split> splits;
  std::map<int, Index> knn_edges;                    // of published feature graphs, by k
  std::vector<Index> feature_entries, edge_entries;  // of each block

  Index blocks() const { return static_cast<Index>(feature_entries.size()); }
  Index first_row(Index block) const { return block * block_rows; }
  Index rows(Index block) const;
};

// Edges with their numbers in the whole, ascending.
struct NumberedEdges {
  std::vector<Index> number;
  Edges edges;  // nodes are numbered as in the whole
};

struct DataBlock {
  Index first_row = 0;
  std::vector<std::string> ids;  // empty: numbers
  Csr features;
  std::vector<std::int32_t> labels;
  NumberedEdges edges;
  std::map<int, NumberedEdges> knn_files;
};

bool is_parts(const std::string& folder);

// Writes `data` in blocks of block_rows() nodes; the manifest comes last, so that a folder without
// one is never taken for whole. Throws Error(kUsage) if the folder holds anything else. REQUIRES:
// arrays of its own (with_own_arrays).
PartsManifest write_parts(const Dataset& data, const std::string& folder);

// Each throws Error(kData) that names the file and what is wrong with it.
PartsManifest read_manifest(const std::string& folder);
DataBlock read_block(const PartsManifest& manifest, Index block);
// All blocks: the data set as it was, every edge once and in its order.
Dataset read_parts(const std::string& folder);

}  // namespace scrl
