// models/model.h: what every trained method is to the trainer.
#pragma once
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "autograd/tape.h"
#include "base/options.h"

namespace scrl {

struct NewEdges;
class Model;

// Everything a model may look at. Test and validation labels are not among it.
struct Inputs {
  const SparseOperand& X;              // features (n,d)
  const SparseOperand* A_t = nullptr;  // normalised topology (n,n), if the method needs it
  const SparseOperand* A_f = nullptr;  // normalised feature graph (n,n), if the method needs it
  const Csr* edges = nullptr;          // topology as it is, symmetric, if the method needs it
  Index classes = 0;
  std::vector<NodeId> train;               // labelled nodes; empty: the model only predicts
  std::vector<std::int32_t> train_labels;  // their classes
  std::uint64_t seed = 0;
  int epochs = 0;  // that will be trained, for what changes over the training
  double lr = 0;   // for models that descend by themselves

  // Of a model of new nodes (Model::continue_from): X, A_t and A_f are of them alone, `edges` is
  // the graph that they join, and `known` the model of that graph.
  const NewEdges* new_edges = nullptr;
  const Model* known = nullptr;
};
// Inputs::seed of a model whose parameters come from elsewhere: none are drawn.
inline constexpr std::uint64_t kDrawNothing = ~std::uint64_t{0};

// A recorded computation: one loss to minimise, log-probabilities and an embedding for all nodes.
class Model {
 public:
  virtual ~Model() = default;
  // Before each epoch of training; for constraints such as unit-length prototypes. Who changes what
  // log_probs or embedding depend on says so with tape.params_changed().
  virtual void begin_epoch(const Pass&) {}

  // Evaluation pass of the present parameters: fills log_probs and embedding.
  virtual void evaluate();

  // Makes this the model of new nodes beside those of `known`, which it was built with, and
  // evaluates it. `embedding`: whether to fill that too. REQUIRES: known.evaluate_for_new() ran
  // with the same choice.
  void continue_from(const Model& known, bool with_embedding);
  // An evaluation pass that keeps what models of new nodes will ask for.
  void evaluate_for_new(bool with_embedding);

  // From here on log_probs is log softmax(log_probs / temperature). REQUIRES: called once at most.
  void calibrate(double by);

  // Memory that training writes to: values, gradients and optimiser moments.
  Index training_bytes() const;

  Tape tape;
  double temperature = 1;  // in log_probs, see calibrate()
  std::vector<std::unique_ptr<Param>> params;
  Var loss;  // (1,1); absent when there are no training nodes, and of an OwnModel that has none
  Var log_probs;  // (n,classes)
  Var embedding;  // (n,h)
  // Of a model with two views, topology first: how near each node is to each prototype, (n,B).
  std::vector<Var> view_scores;

  // A model that learns without labels gets its classifier at the end: `fit_classifier` fits it to
  // the embedding of the labelled nodes, which has just been evaluated. Until then no epoch has
  // scores, and the last one counts or the one with the lowest loss.
  std::function<void()> fit_classifier;
  bool lowest_loss_counts = false;
  Index seldom_floats = 0;    // memory that few epochs take, and give back
  int scored_from = 1;        // epochs before it only prepare (self-training)
  int steps_begin_after = 0;  // the epoch after which the optimiser was started anew

  // Uniform in [-bound, bound], a function of the seed, the parameter's number and the element.
  Param& uniform_param(const std::string& name, Index rows, Index cols, double bound,
                       std::uint64_t seed, Layout layout = Layout::kRows);
  Param& glorot_param(const std::string& name, Index rows, Index cols, std::uint64_t seed);
  // All elements alike.
  Param& constant_param(const std::string& name, Index rows, Index cols, float value);

 protected:
  // log_probs = log softmax(Y), and their NLL on the labelled nodes as the loss.
  void classify(const Inputs& in, Var Y);
};

// A model that does not learn by descending the gradient of `loss`.
class OwnModel : public Model {
 public:
  // One epoch of it; returns its loss.
  virtual double own_epoch(const Pass& pass) = 0;
  // How much own_epoch() does, in a unit of its own: what its time grows with.
  virtual double own_work() const = 0;
};
// Its own_work(); 0 for another model.
double own_work(const Model& model);

// Uniform in [-bound, bound], a function of the generator and the element.
void fill_uniform(Matrix& w, double bound, const Rng& rng);
// The bound of Glorot and Bengio for a layer of this shape.
inline double glorot(Index in, Index out) { return std::sqrt(6.0 / static_cast<double>(in + out)); }

// What a method looks at besides the features: bits.
enum Views : unsigned { kNoGraph = 0, kTopology = 1, kFeatureGraph = 2, kEdges = 4 };

// A way to make models: its options and its equations.
class Method {
 public:
  virtual ~Method() = default;
  virtual void bind(OptionSet& options) = 0;
  virtual std::unique_ptr<Model> build(const Inputs& in) const = 0;
  virtual unsigned views() const = 0;
};

}  // namespace scrl
