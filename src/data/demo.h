// data/demo.h: an artificial data set that needs no files: a contextual block model.
//
// Classes 0, 1, 2, ... stand in a ring. The graph is made of communities of two classes, {0,1},
// {2,3}, ...; the words of a node come from topics shared by two classes as well, but by the other
// pairs, {1,2}, {3,4}, ..., {last,0}. So edges alone leave two candidates and words alone leave
// two, and only both together name the class. Some nodes talk off topic, some have no edges.
#pragma once
#include <string_view>

#include "data/dataset.h"

namespace scrl {

// `spec` is "" or ":key=value,..." as in ":nodes=500,seed=3"; keys: nodes, seed, classes, degree,
// features, words. Throws Error(kUsage) on anything else. Time and memory are linear in nodes.
Dataset make_demo(std::string_view spec);

}  // namespace scrl
