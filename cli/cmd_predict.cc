// scrl predict RUN [DATA], scrl embed RUN [DATA], scrl eval RUN [DATA]: use a trained model.
#include <cstdio>
#include <optional>

#include "base/error.h"
#include "command.h"
#include "data/new_node_files.h"
#include "run/evaluation.h"
#include "run/outputs.h"
#include "run/run_folder.h"
#include "scrl/predictor.h"
#include "terminal.h"
#include "trust/model_sets.h"

namespace scrl::cli {
namespace {

struct UseOptions {
  CommonOptions common;
  std::string out;
  EmbeddingFormat format = EmbeddingFormat::kNpy;
  bool json = false;
};

// The two arguments of these commands.
struct RunAndData {
  std::string model, data;
};

// Empty when only help was asked for.
std::optional<RunAndData> parse(const Args& args, UseOptions& o, OptionSet& set, const char* usage,
                                const char* what) {
  bind(set, o.common);
  const auto positional = parse_command(set, o.common, args);
  const std::string text =
      cat(what, " RUN is a run folder or a model.scrl;\nDATA replaces the data the ",
          "model was trained on.");
  if (printed_help(o.common, set, text, usage)) return {};
  expect_arguments(positional, 1, 2, usage);
  const std::string path = model_path(positional[0]);
  return RunAndData{path, positional.size() > 1 ? positional[1] : data_of_model(path)};
}

LoadedModel load(const RunAndData& from, const UseOptions& o) {
  LoadedModel model = load_model(from.model, load_dataset(from.data));
  if (!model.same_data && !o.common.quiet)
    std::fprintf(stderr,
                 "note: %s is not the data this model was trained on; its features are taken "
                 "to be the same columns\n",
                 model.data.source.c_str());
  return model;
}

struct NewNodeOptions {
  std::string nodes, edges;
  bool joint = false;
};

void note(const UseOptions& o, const std::string& line) {
  if (!o.common.quiet) std::fprintf(stderr, "note: %s\n", line.c_str());
}

// Predictions of the nodes in the files alone, by what the model knows of the data.
std::string predict_new(const RunAndData& from, const NewNodeOptions& given, const UseOptions& o) {
  const Dataset data = load_dataset(from.data);
  const NewNodeFiles files = read_new_nodes(given.nodes, given.edges, data);
  const Predictor predictor(TrainedModel::load(from.model), data);
  if (predictor.neighbour_means())
    note(o,
         "the method knows no features: a new node gets the mean of its neighbours, without any "
         "the mean of all nodes");
  if (files.known_edges > 0)
    note(o, cat(given.edges, ": ", files.known_edges, " edges join nodes of the training data; ",
                "they change nothing and are left out"));
  NewNodes nodes{.nodes = files.features.rows,
                 .features = files.features,
                 .edges = files.edges,
                 .edges_among = {}};
  if (given.joint)
    nodes.edges_among = files.edges_among;
  else if (files.edges_among.nnz() > 0)
    note(o, cat(given.edges, ": ", files.edges_among.nnz(), " edges among new nodes are left out; ",
                "--joint takes them into account"));
  return predictions_csv(files.ids, predictor.predict(nodes));
}

}  // namespace

int cmd_predict(const Args& args) {
  UseOptions o;
  NewNodeOptions joining;
  double coverage = 0, min_confidence = 0;
  bool nonempty = false;
  OptionSet set;
  set.add("out", o.out, any_text(), "CSV file; without it stdout", 'o');
  set.add("coverage", coverage, from_to_below(0, 1),
          "adds a column with a set of classes that has the true one this often; 0: no sets");
  set.add_flag("nonempty", nonempty, "with --coverage: an empty set gets the most probable class");
  set.add("min_confidence", min_confidence, between(0, 1),
          "least probability of the most probable class; below it the label is left empty");
  set.add("new_nodes", joining.nodes, any_text(),
          "features of nodes that were not there in training: these are predicted");
  set.add("new_edges", joining.edges, any_text(), "their edges to nodes of the training data");
  set.add_flag("joint", joining.joint, "use the edges among new nodes too");
  const auto from = parse(args, o, set,
                          "scrl predict RUN [DATA] [--coverage C] [--min-confidence P] "
                          "[--new-nodes FILE [--new-edges FILE] [--joint]] [-o FILE]",
                          "Writes id, most probable class and all probabilities for every node.");
  if (!from) return 0;
  if (nonempty && coverage == 0)
    fail(ErrorKind::kUsage, "--nonempty: there are no sets; add --coverage");
  if (joining.nodes.empty() && (!joining.edges.empty() || joining.joint))
    fail(ErrorKind::kUsage, "--new-edges and --joint need --new-nodes FILE, the new nodes");
  if (joining.joint && joining.edges.empty())
    fail(ErrorKind::kUsage, "--joint needs --new-edges FILE, the edges");
  if (!joining.nodes.empty()) {
    if (coverage > 0 || min_confidence > 0)
      fail(ErrorKind::kUsage, coverage > 0 ? "--coverage" : "--min-confidence",
           ": is for nodes of the training data; leave it out with --new-nodes");
    write_output(o.out, predict_new(*from, joining, o));
    return 0;
  }
  const LoadedModel m = load(*from, o);
  PredictionColumns columns = {.min_confidence = min_confidence};
  ModelSets sets;
  if (coverage > 0) {
    sets = sets_of_model(m, coverage, nonempty);
    columns.member = &sets.sets.member;
    if (!o.common.quiet) std::fprintf(stderr, "%s\n", sets.statement.c_str());
  }
  write_output(o.out,
               predictions_csv(m.data, m.facts.classes, m.model->log_probs.value(), columns));
  return 0;
}

int cmd_embed(const Args& args) {
  UseOptions o;
  OptionSet set;
  set.add("out", o.out, any_text(), "file; without it stdout", 'o');
  set.add("format", o.format, "npy (rows in the order of ids.txt), or text with ids", 'f');
  const auto from = parse(args, o, set, "scrl embed RUN [DATA] [--format F] [-o FILE]",
                          "Writes the embedding of every node.");
  if (!from) return 0;
  const LoadedModel m = load(*from, o);
  write_output(o.out, embeddings_text(m.data, m.model->embedding.value(), o.format));
  return 0;
}

int cmd_eval(const Args& args) {
  UseOptions o;
  OptionSet set;
  bind_json(set, o.json);
  const auto from = parse(args, o, set, "scrl eval RUN [DATA] [--json]",
                          "Scores the model on the nodes that its training left for testing.");
  if (!from) return 0;
  const Evaluation e = evaluate(load(*from, o));
  if (o.json) {
    write_output("", to_json(e).dump(2) + "\n");
  } else if (!o.common.quiet) {
    std::vector<std::vector<std::string>> rows = {{"nodes", "count", "accuracy", "macro-F1"}};
    for (const EvaluatedNodes& p : e.parts)
      rows.push_back({p.name, cat(p.nodes), percent(p.scores.accuracy, 0, false),
                      percent(p.scores.macro_f1, 0, false)});
    std::printf("%s, %s, protocol %s\n%s", e.dataset.c_str(), e.method.c_str(), name_of(e.protocol),
                table(rows).c_str());
  }
  return 0;
}

}  // namespace scrl::cli
