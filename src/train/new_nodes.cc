#include "train/new_nodes.h"

#include "base/error.h"
#include "models/new_operand.h"

namespace scrl {
namespace {

std::unique_ptr<SparseOperand> propagating(NewEdges edges, const SparseOperand& known,
                                           const GraphOptions& o) {
  return std::make_unique<SparseOperand>(
      new_operand(propagation(std::move(edges), o.adjacency, o.lazy, known.degree), o.precision));
}

Csr no_entries(Index rows, Index cols) {
  Csr out{.rows = rows, .cols = cols};
  out.row_ptr.assign(static_cast<std::size_t>(rows) + 1, 0);
  return out;
}

}  // namespace

NeighbourFinder::NeighbourFinder(const Dataset& data, const GraphOptions& o) : options_(o) {
  index_ = std::make_unique<KnnIndex>(searched_features(features_of(data), o, &space_));
}

std::string NeighbourFinder::key(const Dataset& data, const GraphOptions& o) {
  return cat(o.lsa_rank, " ", binarizes(features_of(data), o));
}

Csr NeighbourFinder::nearest(const Csr& features, int k) const {
  return index_->nearest(searched_features(features, options_, space_), k);
}

NewOperands prepare_new(const NewRows& rows, const Operands& known, const GraphOptions& o,
                        unsigned views, const Csr* nearest) {
  const Index count = rows.features.rows;
  NewOperands out;
  out.X = new_operand({.known = {}, .own = model_features(rows.features, o)}, o.precision);
  if (views & (kTopology | kEdges)) {
    NewEdges edges = adjacency(rows.edges, o.dup);
    if (views & kTopology) out.A_t = propagating(edges, *known.A_t, o);
    if (views & kEdges) out.new_edges = std::move(edges);
  }
  if (views & kFeatureGraph) {
    check(nearest != nullptr, "prepare_new: a feature graph and no neighbours");
    out.A_f = propagating({*nearest, no_entries(count, count)}, *known.A_f, o);
  }
  return out;
}

}  // namespace scrl
