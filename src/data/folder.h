// data/folder.h: a person's own files, recognised by their names.
//
//   edges.{csv,tsv,txt,edges,edgelist}                         required, see data/edge_list.h
//   features.{csv,tsv,txt,svm,svmlight,libsvm,mtx,npz,npy}     required
//   labels.{csv,tsv,txt}                                       see data/labels.h
//   train/val/test.{csv,tsv,txt}, train20.txt ...              see data/splits.h
//   classes.txt                                                one class per line, in their order
//   ids.txt or nodes.txt                                       one node id per line, in node order
// Text files may end in .gz as well.
//
// Node order: that of ids.txt; else of the features when their rows start with ids; else rows of
// features are nodes 0, 1, 2, ... and ids are these numbers, unless the ids of the labels are
// others and as many as rows, in which case the n-th label belongs to the n-th row. Ids that occur
// in the edges alone get an empty feature row when features are keyed by id and there is no
// ids.txt; everywhere else an unknown id is an error.
#pragma once
#include "data/dataset.h"
#include "io/source.h"

namespace scrl {

Dataset read_folder(const Source& source);

}  // namespace scrl
