#include "report/report_tables.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "report/report_html.h"

namespace scrl {
namespace {

using html::bdi;
using html::count;
using html::escaped;
using html::number;
using Rows = std::vector<std::vector<std::string>>;

// "–" where there are no such nodes.
std::string score(const MeanStd& s, bool any, bool several) {
  if (!any) return "–";
  std::string out = number(s.mean, 2);
  if (several) out += cat(" <span class=\"dev\">± ", number(s.std, 2), "</span>");
  return out;
}

std::string heading(int level, const std::string& text) {
  return cat("<h", level, ">", text, "</h", level, ">\n");
}

std::string protocol_sentence(Protocol protocol) {
  if (protocol == Protocol::kVal)
    return "<b>val</b>: the epoch was chosen on validation nodes, which were neither trained nor "
           "tested on.";
  if (protocol == Protocol::kFixed)
    return "<b>fixed</b>: the last epoch counts; no validation node was used.";
  return "<b>oracle</b>: the epoch was chosen on the test nodes. The figure is too high; it is a "
         "diagnostic, not a result.";
}

// The two figures a reader looks for first, and how they came about.
std::string headline(const TrainResult& r) {
  const bool several = r.seeds.size() > 1;
  const auto figure = [](const std::string& value, const std::string& label) {
    return cat("<div><strong>", value, "</strong><span>", label, "</span></div>");
  };
  return cat(
      "<div class=\"figures\">",
      figure(score(r.accuracy(), r.tested(), several), "accuracy on the test nodes, percent"),
      figure(score(r.macro_f1(), r.tested(), several), "macro-F1, percent"),
      figure(cat(r.seeds.size()), several ? "seeds; ± is their deviation" : "seed"),
      figure(name_of(r.protocol), "protocol"), "</div>\n");
}

std::string training(const ReportRun& run) {
  const TrainResult& r = run.result;
  Rows rows = {{"seed", "test accuracy", "macro-F1", "validation accuracy", "chosen epoch",
                "epochs", "ended by"}};
  for (const SeedResult& s : r.seeds)
    rows.push_back({cat(s.seed), r.tested() ? number(s.test.accuracy, 2) : "–",
                    r.tested() ? number(s.test.macro_f1, 2) : "–",
                    r.val_nodes > 0 ? number(s.val.accuracy, 2) : "–", cat(s.best_epoch),
                    cat(s.epochs), escaped(s.stopped_because)});
  return "<div class=\"charts\" data-part=\"curves\"></div>\n" +
         html::table("Every seed, percent", rows, {0, 6});
}

std::string class_tables(const ReportRun& run) {
  if (run.test.empty()) return "<p>The data has no test nodes, so there is nothing to count.</p>\n";
  const std::vector<std::string>& names = run.data->data.classes;
  const std::size_t M = names.size();
  Rows rows = {{"class", "test nodes", "predicted", "precision", "recall", "F1"}};
  for (std::size_t c = 0; c < M; ++c) {
    const ClassScores& s = run.classes[c];
    rows.push_back({bdi(names[c]), count(s.nodes), count(s.predicted), number(s.precision, 2),
                    number(s.recall, 2), number(s.f1, 2)});
  }
  std::string out =
      "<div class=\"side\">" + html::table(cat("Precision, recall and F1 on ", run.test.size(),
                                               " test nodes, percent; seed ", run.seed),
                                           rows);
  Rows matrix = {{"true class"}};
  for (const std::string& name : names) matrix[0].push_back(cat("<span>", bdi(name), "</span>"));
  for (std::size_t c = 0; c < M; ++c) {
    matrix.push_back({bdi(names[c])});
    for (std::size_t p = 0; p < M; ++p) {
      const Index n = run.counts[c * M + p];
      const Index all = std::max<Index>(1, run.classes[c].nodes);
      matrix.back().push_back(cat("<span class=\"", p == c ? "hit" : "miss", "\" style=\"--s:",
                                  number(static_cast<double>(n) / static_cast<double>(all), 3),
                                  "\">", n > 0 ? count(n) : "·", "</span>"));
    }
  }
  return out +
         html::table("Confusion: true classes in rows, predicted ones in columns", matrix, {0},
                     M > 8 ? "confusion many" : "confusion") +
         "</div>\n";
}

std::string before_calibration(const ReportRun& run) {
  const auto& t = run.result.seeds.front().calibration;
  if (!t) return "";
  return cat(", <b>", number(t->error_before, 2), "</b> before the temperature ",
             number(t->temperature, 3), ", which ", count(t->labels), " labels (", t->labels_from,
             ") decided");
}

std::string calibration_part(const ReportRun& run) {
  if (run.test.empty()) return "<p>The data has no test nodes.</p>\n";
  Rows rows = {{"probability", "test nodes", "mean probability", "accuracy"}};
  const auto& bins = run.calibration.bins;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (bins[b].nodes == 0) continue;
    rows.push_back({cat(100 * b / bins.size(), " to ", 100 * (b + 1) / bins.size()),
                    count(bins[b].nodes), number(bins[b].confidence, 1),
                    number(bins[b].accuracy, 1)});
  }
  return cat("<p>Test nodes sorted by the probability of their predicted class. Expected ",
             "calibration error: <b>", number(run.calibration.expected_error, 2), "</b> points",
             before_calibration(run),
             ".</p>\n<div class=\"side\"><div data-part=\"calibration\"></div>\n",
             html::table("Probability and accuracy, percent", rows), "</div>\n");
}

std::string views_part(const ReportRun& run) {
  const ViewFacts& v = *run.views;
  std::vector<Index> occupied[2];
  for (std::size_t side = 0; side < 2; ++side) {
    occupied[side].resize(static_cast<std::size_t>(v.prototypes));
    for (const std::int32_t p : v.nearest[side]) ++occupied[side][p];
  }
  Index most = 1;
  for (const auto& side : occupied)
    for (const Index n : side) most = std::max(most, n);
  Rows rows = {{"prototype", "nodes by topology", "nodes by features"}};
  Index unused = 0;
  for (Index p = 0; p < v.prototypes; ++p) {
    if (occupied[0][p] + occupied[1][p] == 0) {
      ++unused;
      continue;
    }
    rows.push_back({run.prototypes_are_classes ? bdi(run.data->data.classes[p]) : cat(p)});
    for (const auto& side : occupied)
      rows.back().push_back(cat("<span class=\"bar\" style=\"--w:",
                                number(static_cast<double>(side[p]) / static_cast<double>(most), 3),
                                "\"></span>", count(side[p])));
  }
  std::string out = cat("<p>Both views name the same nearest prototype for <b>",
                        number(v.agreement, 2), "</b> percent of all nodes.",
                        run.prototypes_are_classes ? " There is one prototype per class." : "",
                        unused > 0 ? cat(" ", count(unused), " of ", count(v.prototypes),
                                         " prototypes are nearest to no node in either view.")
                                   : "",
                        "</p>\n");
  return out + html::table("Prototypes and the nodes nearest to them", rows, {0}, "bars");
}

std::string data_part(const ReportRun& run, int level) {
  const Inspection& f = run.data->facts;
  Rows sizes = {{"", "value"},
                {"nodes", count(f.nodes)},
                {"classes", count(static_cast<Index>(f.classes.size()))},
                {"nodes without a label", count(f.unlabelled)},
                {"feature columns", count(f.features.columns)},
                {"features per node", number(f.features.per_node, 1)},
                {"training nodes", count(run.result.train_nodes)},
                {"validation nodes", count(run.result.val_nodes)},
                {"test nodes", count(run.result.test_nodes)}};
  Rows graphs = {{"", "topology", "feature graph"}};
  const auto row = [&](const char* label, const auto& text) {
    graphs.push_back(
        {label, text(f.topology), f.feature_graph ? text(*f.feature_graph) : std::string("–")});
  };
  using Stats = GraphStats;
  row("edges", [](const Stats& g) { return count(g.edges); });
  row("mean degree", [](const Stats& g) { return number(g.mean_degree, 2); });
  row("largest degree", [](const Stats& g) { return count(g.max_degree); });
  row("nodes without a neighbour", [](const Stats& g) { return count(g.isolated); });
  row("components", [](const Stats& g) { return count(g.components); });
  row("edges within a class, percent", [](const Stats& g) {
    return g.labelled_edges > 0 ? number(100 * g.homophily, 1) : std::string("–");
  });
  std::string out = cat("<div class=\"side\">", html::table("Data", sizes),
                        html::table("The two graphs", graphs), "</div>\n");
  if (f.warnings.empty()) return out;
  out += heading(level + 1, "Worth knowing") + "<ul>\n";
  for (const std::string& line : f.warnings) out += cat("<li>", bdi(line), "</li>\n");
  return out + "</ul>\n";
}

std::string settings_part(const ReportRun& run) {
  return cat("<p>The same run again:</p>\n<pre class=\"command\" tabindex=\"0\">",
             escaped(run.command), "</pre>\n<details><summary>All settings (config.toml)</summary>",
             "<pre tabindex=\"0\">", escaped(run.settings),
             "</pre></details>\n<p class=\"note\">Result hash ", "<code>", run.result.result_hash(),
             "</code>; equal hashes mean equal bits.</p>\n");
}

}  // namespace

std::string results_html(const std::vector<ReportRun>& runs) {
  Rows rows = {{"run", "method", "data", "labels per class", "protocol", "seeds", "accuracy",
                "macro-F1", "validation accuracy", "oracle accuracy", "chosen epoch", "ms/epoch"}};
  std::set<Protocol> protocols;
  bool interrupted = false;
  for (const ReportRun& run : runs) {
    const TrainResult& r = run.result;
    const int rate = r.labels_per_class;
    const bool several = r.seeds.size() > 1, random = r.split == SplitSource::kRandom;
    protocols.insert(r.protocol);
    interrupted |= r.interrupted;
    rows.push_back({bdi(run.name), escaped(run.method), bdi(r.dataset),
                    cat(rate > 0 ? cat(rate) : "–", random ? ", random split" : ""),
                    name_of(r.protocol), cat(r.seeds.size()),
                    cat("<b>", score(r.accuracy(), r.tested(), several), "</b>"),
                    score(r.macro_f1(), r.tested(), several),
                    score(r.val_accuracy(), r.val_nodes > 0, several),
                    cat("<span class=\"faint\">", r.tested() ? number(r.oracle().accuracy, 2) : "–",
                        "</span>"),
                    cat(r.seeds.front().best_epoch), number(r.epoch_ms(), 2)});
  }
  std::string out = runs.size() == 1 ? headline(runs[0].result) : "";
  out += html::table("Percent on the test nodes, mean and deviation over the seeds", rows,
                     {0, 1, 2, 4}, "results");
  for (const Protocol p : protocols)
    out += cat("<p class=\"note\">Protocol ", protocol_sentence(p), "</p>\n");
  out +=
      "<p class=\"note\">± is the standard deviation over the seeds. <b>Oracle</b> is the best "
      "epoch on the test nodes, a diagnostic that cannot be known in practice.</p>\n";
  if (interrupted)
    out += "<p class=\"note\">A run was interrupted; its best epoch so far counts.</p>\n";
  return out;
}

std::string run_html(const ReportRun& run, std::size_t number_, int level) {
  std::string out;
  const auto part = [&](const char* id, const char* title, const std::string& content) {
    out += cat("<section id=\"run-", number_, "-", id, "\">\n", heading(level, title), content,
               "</section>\n");
  };
  part("training", "Training", training(run));
  part("classes", "Classes", class_tables(run));
  part("calibration", "Calibration", calibration_part(run));
  if (run.views) part("views", "Views and prototypes", views_part(run));
  part("data", "Data", data_part(run, level));
  part("settings", "Settings", settings_part(run));
  return out;
}

}  // namespace scrl
