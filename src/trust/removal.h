// trust/removal.h: the prediction of one node when some of what it is made from is taken away.
//
// Taken away are edges of the node, its links in the feature graphs, or its features; weights stay,
// nothing is trained again. What is left is normalised as always: the degrees of both ends fall,
// the row of features is scaled anew. The feature graphs lose the links named and no others, also
// where features are taken away.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "run/model_file.h"
#include "trust/row_replay.h"

namespace scrl {

struct Removal {                       // all of one node
  std::vector<NodeId> edges, similar;  // the other ends
  std::vector<NodeId> features;        // columns
};

// A model, or one of those that auto combines.
struct RemovalMember {
  std::string name;
  double weight = 1;
  std::shared_ptr<const RunConfig> config;
  const Operands* operands = nullptr;
  const Model* model = nullptr;
  Csr topology, similar;  // before normalisation; without rows if the member has no such graph
  std::unique_ptr<RowReplay> replay;
};

class Remover {
 public:
  // REQUIRES: the model outlives it.
  explicit Remover(const LoadedModel& model);

  // Probabilities of the classes of `node` without these; computed on the rows that change.
  std::vector<double> probabilities(NodeId node, const Removal& removal);
  // The same by evaluating all nodes of models that are made for the smaller graph.
  std::vector<double> by_full_evaluation(NodeId node, const Removal& removal);

  std::span<const RemovalMember> members() const { return members_; }
  // Other ends of the links of a node in any of the members' graphs, ascending.
  std::vector<NodeId> neighbours(NodeId node) const;
  std::vector<NodeId> similar(NodeId node) const;

 private:
  std::vector<double> replayed(RemovalMember& member, NodeId node, const Removal& removal);
  std::vector<double> evaluated(const RemovalMember& member, NodeId node, const Removal& removal);
  std::vector<double> pooled(const std::vector<std::vector<double>>& log_probs) const;

  const LoadedModel& loaded_;
  std::vector<RemovalMember> members_;
  double temperature_ = 1;  // of a pool; that of a single model is in its own log_probs
  bool pool_ = false;
};

}  // namespace scrl
