// scrl: the command-line program. The table of commands, and the only place that knows exit codes.
#include <cstdio>
#include <cstring>
#include <new>

#include "base/error.h"
#include "command.h"
#include "describe.h"
#include "out_of_memory.h"

namespace scrl::cli {
namespace {

constexpr Command kCommands[] = {
    {"train", "train a model on a data set", cmd_train},
    {"compare", "several methods on several data sets, and a table", cmd_compare},
    {"tune", "search for better settings of a method on a data set", cmd_tune},
    {"reproduce", "the tables of the SCRL paper, beside the paper's own numbers", cmd_reproduce},
    {"predict", "class and probabilities of every node", cmd_predict},
    {"embed", "embeddings of every node", cmd_embed},
    {"eval", "score a trained model", cmd_eval},
    {"explain", "why a node is predicted to be of its class", cmd_explain},
    {"query", "which nodes to label next", cmd_query},
    {"diff", "what differs between two runs", cmd_diff},
    {"suspects", "labels that are probably wrong", cmd_suspects},
    {"serve", "answer over HTTP: classes, probabilities and sets of nodes", cmd_serve},
    {"report", "runs as one HTML page: scores, curves, 2-D embedding", cmd_report},
    {"inspect", "facts and warnings of a data set", cmd_inspect},
    {"convert", "a data set in another layout", cmd_convert},
    {"knn", "the kNN graph of the features", cmd_knn},
    {"tsne", "2-D coordinates of embeddings or features, by t-SNE", cmd_tsne},
    {"partition", "a data set as binary blocks of nodes, one file each", cmd_partition},
    {"plan", "memory and time of a training, before it starts", cmd_plan},
    {"bench", "time per epoch, op by op, next to what the machine allows", cmd_bench},
    {"demo", "five methods on the built-in graph", cmd_demo},
    {"methods", "what can be trained", cmd_methods},
    {"completion", "completion for bash, zsh or fish", cmd_completion},
    {"manual", "manual pages", cmd_manual},
    {"version", "version and build", cmd_version},
};

void print_usage(std::FILE* to) {
  std::fputs(
      "scrl: node classification and embeddings on attributed graphs with few labels\n\n"
      "  scrl demo                       see it work on the built-in graph\n"
      "  scrl train DATA [-l 20] -o RUN  train; DATA is a folder, a .zip, or a name below "
      "$SCRL_DATA\n"
      "  scrl predict RUN                use the model\n\ncommands:\n",
      to);
  for (const Command& c : kCommands) std::fprintf(to, "  %-10s %s\n", c.name, c.summary);
  std::fputs("\n'scrl COMMAND --help' lists the options of a command.\n", to);
}

int run(const Args& args) {
  if (args.empty()) {
    print_usage(stderr);
    return static_cast<int>(ErrorKind::kUsage);
  }
  const std::string& name = args[0];
  if (name == "help" || name == "--help" || name == "-h") {
    print_usage(stdout);
    return 0;
  }
  if (name == "--version") return cmd_version({});
  for (const Command& c : kCommands)
    if (name == c.name) return c.run({args.begin() + 1, args.end()});
  fail(ErrorKind::kUsage, "unknown command '", name, "'; 'scrl help' lists them");
}

}  // namespace

std::vector<CommandText> all_commands() {
  std::vector<CommandText> out;
  for (const Command& c : kCommands) {
    CommandText& text = out.emplace_back(CommandText{.name = c.name, .summary = c.summary});
    const Describing here(text);
    c.run({"--help"});
  }
  return out;
}

}  // namespace scrl::cli

int main(int argc, char** argv) {
  scrl::cli::prepare_for_lack_of_memory();
  try {
    if (argc > 0) scrl::cli::set_program(argv[0]);
    const int code = scrl::cli::run({argv + 1, argv + argc});
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    std::fputs("scrl: stdout: cannot write; is the disk full?\n", stderr);
    return static_cast<int>(scrl::ErrorKind::kResource);
  } catch (const scrl::Error& e) {
    std::fprintf(stderr, "scrl: %s\n", e.what());
    return static_cast<int>(e.kind());
  } catch (const std::bad_alloc&) {
    return scrl::cli::report_out_of_memory();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "scrl: %s\n", e.what());
    return static_cast<int>(scrl::ErrorKind::kRun);
  }
}
