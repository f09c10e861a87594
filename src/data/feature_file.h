// data/feature_file.h: a file of node features in any of the formats, told by the ending of its
// name: csv, tsv, txt; svm, svmlight, libsvm; mtx; npz, npy.
#pragma once
#include <string>
#include <string_view>

#include "data/feature_rows.h"
#include "io/source.h"

namespace scrl {

inline constexpr std::string_view kFeatureEndings[] = {"csv",    "tsv", "txt", "svm", "svmlight",
                                                       "libsvm", "mtx", "npz", "npy"};

// `ending` without ".gz". Throws Error(kData) naming file and line.
FeatureRows read_features(const Source& source, const std::string& file, std::string_view ending);

// A file by its path, whose rows have the columns 0..columns-1 of a data set.
FeatureRows read_feature_file(const std::string& path, Index columns);

}  // namespace scrl
