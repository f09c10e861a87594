// scrl/predictor.h: predictions for nodes that were not there in training.
//
//   const Predictor predictor(model, data);                       // once
//   const Predictions p = predictor.predict({.features = ..., .edges = ...});
// A new node sees nodes of the training data only: those that its edges name, and its nearest by
// features. What the model knows of them stays as it is. So each new node is predicted by itself:
// order and company change no bit.
#pragma once
#include <memory>

#include "scrl/model.h"

namespace scrl {

// An empty view stands for no features, or no edges.
struct NewNodes {
  Index nodes = 0;
  CsrView features;  // nodes x columns of the training data
  CsrView edges;     // nodes x nodes of the training data: an entry for each neighbour, its weight
  // nodes x nodes: edges among the new ones. Given, they count, and new nodes are no longer
  // predicted each by itself.
  CsrView edges_among;
};

class Predictor {
 public:
  // Prepares what all predictions share, which takes about as long as predict(model, data).
  // `data`: what the model was trained on. Throws Error(kUsage) when its method cannot predict new
  // nodes, or when the data is other data. Keeps nothing of `data`.
  Predictor(const TrainedModel& model, const Dataset& data, int threads = 0);
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  // Safe to call from several threads at once. Throws Error(kData) naming the first entry that does
  // not fit.
  Predictions predict(const NewNodes& nodes, int threads = 0) const;

  // Whether the method looks at edges alone. Then embedding and probabilities of a new node are the
  // means over its neighbours, and those of all nodes if it has none.
  bool neighbour_means() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace scrl
