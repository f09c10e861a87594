// scrl predict RUN [DATA], scrl embed RUN [DATA], scrl eval RUN [DATA]: use a trained model.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "run/evaluation.h"
#include "run/outputs.h"
#include "run/run_folder.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

struct UseOptions {
  CommonOptions common;
  std::string out;
  EmbeddingFormat format = EmbeddingFormat::kNpy;
  bool json = false;
};

// Parses and loads; empty when only help was asked for.
std::unique_ptr<LoadedModel> open_model(const Args& args, UseOptions& o, OptionSet& set,
                                        const char* usage, const char* what) {
  bind(set, o.common);
  const auto positional = parse_command(set, o.common, args);
  const std::string text =
      cat(what, " RUN is a run folder or a model.scrl;\nDATA replaces the data the ",
          "model was trained on.");
  if (printed_help(o.common, set, text, usage)) return nullptr;
  expect_arguments(positional, 1, 2, usage);
  const std::string path = model_path(positional[0]);
  const std::string data = positional.size() > 1 ? positional[1] : data_of_model(path);
  auto model = std::make_unique<LoadedModel>(load_model(path, load_dataset(data)));
  if (!model->same_data && !o.common.quiet)
    std::fprintf(stderr,
                 "note: %s is not the data this model was trained on; its features are taken "
                 "to be the same columns\n",
                 model->data.source.c_str());
  return model;
}

}  // namespace

int cmd_predict(const Args& args) {
  UseOptions o;
  OptionSet set;
  set.add("out", o.out, any_text(), "CSV file; without it stdout", 'o');
  const auto m = open_model(args, o, set, "scrl predict RUN [DATA] [-o FILE]",
                            "Writes id, most probable class and all probabilities for every node.");
  if (!m) return 0;
  write_output(o.out, predictions_csv(m->data, m->facts.classes, m->model->log_probs.value()));
  return 0;
}

int cmd_embed(const Args& args) {
  UseOptions o;
  OptionSet set;
  set.add("out", o.out, any_text(), "file; without it stdout", 'o');
  set.add("format", o.format, "npy (rows in the order of ids.txt), or text with ids", 'f');
  const auto m = open_model(args, o, set, "scrl embed RUN [DATA] [--format F] [-o FILE]",
                            "Writes the embedding of every node.");
  if (!m) return 0;
  const Matrix& embedding = m->model->embedding.value();
  write_output(o.out, embeddings_text(m->data, embedding, o.format));
  return 0;
}

int cmd_eval(const Args& args) {
  UseOptions o;
  OptionSet set;
  bind_json(set, o.json);
  const auto m = open_model(args, o, set, "scrl eval RUN [DATA] [--json]",
                            "Scores the model on the nodes that its training left for testing.");
  if (!m) return 0;
  const Evaluation e = evaluate(*m);
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
