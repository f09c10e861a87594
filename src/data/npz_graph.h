// data/npz_graph.h: a data set whose parts are arrays of one numpy archive: data.npz of OGB, the
// archives of the Amazon and Coauthor graphs (Shchur et al., 2018), and what scrl convert writes.
//
//   edge_index (2, E), edge_weight (E)          or adj_data, adj_indices, adj_indptr, adj_shape
//   node_feat, features or x (n, d)             or attr_data, attr_indices, attr_indptr, attr_shape
//   labels, node_label or y (n)                 class numbers; below 0 or not a number: none
//   class_names (M), node_names (n)             texts; arrays of Python objects are left out
//   train, val, test, train20, ...              node numbers
//   knn5 (2, E), knn5_weight (E)                edges of a published feature graph with k = 5;
//                                               knn0: one of the user, for every k
#pragma once
#include "data/dataset.h"
#include "io/source.h"

namespace scrl {

// True when there are edges by one of these names. `arrays`: an .npz archive as a source.
bool is_npz_graph(const Source& arrays);

Dataset read_npz_graph(const Source& arrays);

// Parts of it, for archives that hold one of them.
std::vector<std::int32_t> read_label_array(const Source& arrays, const std::string& name);
// Classes 0..max of labels that are numbers below the number of nodes.
void name_classes_by_number(Dataset& data, const std::string& where);

}  // namespace scrl
