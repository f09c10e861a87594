// scrl convert DATA -o OUT --to LAYOUT: a data set in another layout.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "config/json.h"
#include "convert/convert.h"
#include "scrl/dataset.h"

namespace scrl::cli {

int cmd_convert(const Args& args) {
  CommonOptions common;
  ConvertRequest request;
  bool json = false;
  OptionSet set;
  set.add("out", request.out, any_text(), "folder or file to write; needed", 'o');
  set.add("to", request.layout, "layout: a folder of tables, or as the programs write it");
  set.add_flag("allow_loss", request.allow_loss,
               "write although the layout has no place for something; what is lost is named");
  set.add_flag("force", request.force, "replace what was written there before");
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage =
      "scrl convert DATA -o OUT [--to folder|amgcn|npz|planetoid|graphml] [--allow-loss] [--force]";
  if (printed_help(
          common, set,
          "Writes any data set that can be read in another layout. What was written is read again "
          "and compared with\nDATA before it takes its name: ids, edges, weights, features, labels "
          "and splits are equal to the bit.",
          kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  if (request.out.empty()) fail(ErrorKind::kUsage, "convert: expected -o OUT; usage: ", kUsage);
  request.data = load_dataset(positional[0]);
  const Dataset& d = request.data;
  const std::string sizes = cat(d.nodes, " nodes, ", d.edges.size(), " edge rows, ",
                                d.features.cols, " features, ", d.num_classes(), " classes, ",
                                d.splits.size(), d.splits.size() == 1 ? " split" : " splits");
  const DataLayout layout = request.layout;
  const std::string out = request.out;
  const Converted done = convert(std::move(request));
  if (json) {
    const Json j = {{"schema", 1},       {"out", out},          {"layout", name_of(layout)},
                    {"lost", done.lost}, {"notes", done.notes}, {"fingerprint", done.fingerprint}};
    write_output("", j.dump(2) + "\n");
    return 0;
  }
  if (common.quiet) return 0;
  for (const std::string& line : done.lost)
    std::fprintf(stderr, "warning: not written: %s\n", line.c_str());
  for (const std::string& line : done.notes) std::fprintf(stderr, "note: %s\n", line.c_str());
  std::printf("%s: %s; read back and equal\n", out.c_str(), sizes.c_str());
  return 0;
}

}  // namespace scrl::cli
