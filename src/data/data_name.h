// data/data_name.h: how a data set is named, with what its reader is told.
//
//   PLACE[:label=ATTRIBUTE][:knn=FILE]
//
// PLACE is a folder, a file, a name below $SCRL_DATA, or demo. ATTRIBUTE is the node attribute of a
// .graphml file that has the classes, FILE a neighbour graph in place of one computed from features
// (data/knn_file.h). A path that exists as it stands has nothing behind it.
#pragma once
#include <string>

namespace scrl {

struct DataName {
  std::string place, label, knn_file;  // label and knn_file are empty where they are not named
};

DataName data_name(const std::string& what);
std::string to_text(const DataName& name);

// `data` with this neighbour graph in place of the one it may name; as it is if that is empty.
std::string with_knn_file(const std::string& data, const std::string& knn_file);

}  // namespace scrl
