// data/splits.h: which nodes a model is trained, validated and tested on, one node id per line.
//
// "train20.txt", "val20.txt", "test20.txt" make one Split with labels_per_class = 20; "train.txt",
// "val.txt", "test.txt" (also .csv, .tsv, each possibly .gz) make the only one. A train file may
// stand alone; a val or test file needs its train file.
#pragma once
#include <vector>

#include "data/dataset.h"
#include "data/id_map.h"
#include "io/source.h"

namespace scrl {

// Ascending by labels_per_class; empty when the source has no such files.
std::vector<Split> read_splits(const Source& source, const IdMap& ids);

}  // namespace scrl
