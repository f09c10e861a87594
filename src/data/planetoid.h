// data/planetoid.h: the ind.NAME.* files of Planetoid (Cora, Citeseer, PubMed, NELL).
//
// allx, ally: features and one-hot labels of the nodes before the test block; tx, ty: those of the
// test nodes, in the order of test.index; x, y: the training nodes, which are the first of allx;
// graph: neighbours by node. Numbers missing in test.index (Citeseer has 15) become nodes without
// features and labels. The pickles are read as data, never executed (io/pickle.h).
#pragma once
#include "data/dataset.h"
#include "io/source.h"

namespace scrl {

bool is_planetoid(const Source& source);

// Edges are all entries of all lists, ascending by node. Splits come from train20.txt and so on
// when present, else Planetoid's own: train = the nodes of x, val = the next 500, test =
// test.index.
Dataset read_planetoid(const Source& source);

}  // namespace scrl
