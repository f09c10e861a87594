// data/ogb.h: data sets in the folders of the Open Graph Benchmark for node properties.
//
//   raw/edge.csv.gz           "source,target" per line
//   raw/node-feat.csv.gz      numbers, one row per node
//   raw/node-label.csv.gz     one class number per line; nan or below 0: none
//   raw/num-node-list.csv.gz  the number of nodes of the one graph
//   split/NAME/train.csv.gz, valid.csv.gz, test.csv.gz    node numbers
// or raw/data.npz with edge_index and node_feat, and raw/node-label.npz with node_label, in place
// of the first four. Files may be unpacked, and may lie without the folder raw/. Other files, such
// as edge features, years and mappings, have no role here.
#pragma once
#include "data/dataset.h"
#include "io/source.h"

namespace scrl {

bool is_ogb(const Source& source);

Dataset read_ogb(const Source& source);

}  // namespace scrl
