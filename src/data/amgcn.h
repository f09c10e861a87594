// data/amgcn.h: data sets in the layout published with AM-GCN (ACM, BlogCatalog, Citeseer, Flickr,
// UAI2010).
//
//   NAME.label     one class number per line; its lines define the nodes
//   NAME.feature   one dense row of numbers per node
//   NAME*.edge     "source target" per line
//   train20.txt, test20.txt, ...   node numbers, see data/splits.h
//   knn/c5.txt     edges of a published feature graph with k = 5
#pragma once
#include "data/dataset.h"
#include "io/source.h"

namespace scrl {

// True when a file ends in .label, .feature or .edge (or one of these and .gz).
bool is_amgcn(const Source& source);

Dataset read_amgcn(const Source& source);

}  // namespace scrl
