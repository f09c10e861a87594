#include "models/h2gcn.h"

#include "graph/new_nodes.h"
#include "models/new_operand.h"

namespace scrl {

void bind(OptionSet& set, H2gcnOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the ego embedding");
  set.add("rounds", o.rounds, between(0, 4),
          "rounds over the neighbourhoods; each doubles the width");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share of the final embedding dropped in training");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training");
}

void H2gcn::take_graph(const Inputs& in) {
  near_ = sparse_operand(sym_normalized_without_loops(*in.edges), in.X.gathers);
  TwoHop two = two_hop(*in.edges);
  scale_ = std::move(two.scale);
  walk_ = sparse_operand(std::move(two.walk), in.X.gathers);
  back_ = {.A = walk_.At, .At = walk_.A, .gathers = in.X.gathers};
  rest_ = sparse_operand(std::move(two.rest), in.X.gathers);
}

void H2gcn::take_new_edges(const Inputs& in) {
  const Precision gathers = in.X.gathers;
  near_ = new_operand(sym_normalized_without_loops(*in.new_edges, *in.edges), gathers);
  NewTwoHop two = two_hop(*in.new_edges, *in.edges, dynamic_cast<const H2gcn&>(*in.known).scale_);
  walk_ = new_operand(std::move(two.walk), gathers);
  back_ = new_operand(std::move(two.back), gathers);
  rest_ = new_operand(std::move(two.rest), gathers);
}

H2gcn::H2gcn(const Inputs& in, const H2gcnOptions& o) {
  in.known ? take_new_edges(in) : take_graph(in);
  Var W1 = tape.param(glorot_param("W1", in.X.A.cols, o.hidden1, in.seed));
  std::vector<Var> rounds = {relu(dropout_spmm(in.X, W1, static_cast<float>(o.input_dropout)))};
  for (int r = 0; r < o.rounds; ++r) {
    const Var R = rounds.back();
    const Var two_away = spmm(walk_, spmm(back_, R)) + spmm(rest_, R);
    rounds.push_back(concat_columns({spmm(near_, R), two_away}));
  }
  embedding = concat_columns(rounds);
  Var W2 = tape.param(glorot_param("W2", embedding.cols(), in.classes, in.seed));
  classify(in, matmul(dropout(embedding, static_cast<float>(o.dropout)), W2));
}

}  // namespace scrl
