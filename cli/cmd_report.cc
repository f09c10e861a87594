// scrl report RUN [RUN...] [-o FILE]: runs as one page to look at.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "report/report.h"
#include "terminal.h"

namespace scrl::cli {

int cmd_report(const Args& args) {
  CommonOptions common;
  std::string out, data;
  LayoutOptions layout;
  OptionSet set;
  set.add("out", out, any_text(),
          "HTML file; without it report.html in the folder of the first run", 'o');
  set.add("data", data, any_text(), "where the data of the runs is, if it has moved");
  set.add("layout", layout.kind, "2-D embedding of the nodes: t-SNE, or PCA, which takes no time");
  set.add("perplexity", layout.tsne.perplexity, between(1, 1000),
          "neighbours that t-SNE tries to keep, about");
  set.add("iterations", layout.tsne.iterations, between(1, 100000),
          "iterations of t-SNE for the first 2-D embedding of a run");
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl report RUN [RUN...] [-o FILE]";
  if (printed_help(
          common, set,
          "Writes one HTML file about finished runs: scores, curves, confusion, "
          "calibration,\na 2-D embedding of the nodes over the epochs kept by --snapshots, and "
          "the settings. It opens\nfrom the disk and needs no network.",
          kUsage))
    return 0;
  expect_arguments(positional, 1, 100, kUsage);
  Progress progress(common.quiet);
  ReportRequest request{.runs = positional, .data = data, .layout = layout};
  request.frame = [&](const std::string& run, std::size_t done, std::size_t all) {
    if (all > 1) progress.note(cat(run, ": 2-D embedding ", done, " of ", all));
  };
  if (out.empty()) out = positional[0] + "/report.html";
  write_output(out, report_page(request));
  progress.finish();
  if (!report_has_pictures())
    progress.note("tables only: this program was built without esbuild, which makes the pictures");
  if (!common.quiet && out != "-") std::printf("%s\n", out.c_str());
  return 0;
}

}  // namespace scrl::cli
