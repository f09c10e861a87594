// train/label_rules.h: what "auto" stands for where the labels have a say.
#pragma once
#include <span>

#include "data/dataset.h"

namespace scrl {

// Where views teach each other classes (alpha above 0, one prototype per class: models/scrl.h)
// there are three kinds of graphs, by the labels of a class in the mean (m), the nodes there are to
// each label, and what is known of a node:
//   labels are lost      fewer than 20 for a class, and less than one node in 500 has one
//   the consensus leads  one node in 500 has a label, and there are fewer than 20 for a class, or
//                        fewer than 64 features and edges for a node: either way what a node shows
//                        by itself tells too little, and what all nodes agree on tells more
//   labels lead          all others
//
//                  lost    consensus leads                labels lead    no classes exchanged
// vote             1       1                              0              0
// alpha            trust_in_consensus, with votes         without        without
// likeness         0.6     0                              0              0
// dropout          0.5     0.2                            0.5            0.5
// input_dropout    0.5     0.8                            0.5            0.5
// epsilon          0.05    0.54/m, from 0.03 to 0.05      0.05           0.05
// weight_decay     0.001   0.001/s^2                      0.001          0.00001
// lr               0.005   0.005 s                        0.005          0.005
// k                9       6/s^2, at least 9              9              9
// row_length       row_length_for the features            the same       1
// feature_weight   0.3     0.3                            0.3            1
//
// with s = row_length_for the features, from 0.45 to 1 (train/prepare.h). Why:
//   alpha        the fewer nodes hold the prototypes to their classes, the less the views should be
//                left to each other
//   vote         a classifier that only few labels teach is worth less than prototypes that all
//                nodes have formed
//   likeness     so few labels must be told apart by what is large in the graph
//   dropout      views that see other features have more to tell each other
//   epsilon      the better labels hold the prototypes in their places, the more the views can be
//                trusted to be sure
//   s            of few features each has a large part in what a node looks like: small weights and
//                short steps keep any single one from deciding, and with more neighbours the
//                similarity of two short lists is less a matter of chance
// The last column is for models that only labelled nodes teach. Each view then answers for itself,
// so both are heard alike, and nothing makes up for what small weights cannot tell apart. Targets
// of equal shares teach uneven classes little, so with the evenness e of the labels weight_decay
// and feature_weight are e^2 times their own value and 1 - e^2 times that of the last column.
struct LabelRules {
  double vote = 0, alpha = 1, likeness = 0;
  double dropout = 0.5, input_dropout = 0.5;
  double epsilon = 0.05;
  double weight_decay = 1e-3, lr = 5e-3;
  int k = 9;
  double row_length = 1, feature_weight = 0.3;
};
LabelRules label_rules(const Dataset& data, const Split& split, bool exchanges_classes);

// What the exchanged prediction weighs,
//   e^2 clamp(100 l, clamp(500 l, 0.15, 0.5), 2)         without votes
//   e^2 max(0.15, min(clamp(500 l, 0.6, 2), 36 m/M^2))   where prototypes vote: they count for more
// l the share of nodes that is labelled, m the labels of each of M classes in the mean, e the
// harmonic over the arithmetic mean of 1 + the labels of each class, 1 if all have as many. Targets
// of equal shares suit classes of equal sizes, which is less likely the more classes there are.
double trust_in_consensus(std::span<const std::int32_t> labels, Index classes, Index nodes,
                          bool prototypes_vote);

}  // namespace scrl
