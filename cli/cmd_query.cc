// scrl query RUN|DATA [-n N]: which nodes to label next, and a replay of it on known labels.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "io/run_mark.h"
#include "run/run_folder.h"
#include "terminal.h"
#include "trust/query_replay.h"
#include "trust/query_request.h"

namespace scrl::cli {
namespace {

struct QueryCommand {
  CommonOptions common;
  int count = 20, batches = 5, draws = 5;
  bool no_labels = false, oracle_labels = false, json = false;
  std::string out;
};

void bind(OptionSet& set, QueryCommand& c) {
  set.add("number", c.count, between(1, 1000000),
          "nodes to ask for, with --oracle-labels per batch", 'n');
  set.add(
      "out", c.out, any_text(),
      "CSV file with id, gain, represents, doubt and reason; with --oracle-labels an SVG with the "
      "learning curve",
      'o');
  set.add_flag("no_labels", c.no_labels, "of DATA: as if no node had a label");
  set.add_flag(
      "oracle_labels", c.oracle_labels,
      "replay on the labels of DATA: ask, train, test, batch by batch, next to random choice");
  set.add("batches", c.batches, between(1, 1000), "batches of --oracle-labels");
  set.add("draws", c.draws, between(1, 1000), "random choices that --oracle-labels compares with");
  bind_json(set, c.json);
  bind(set, c.common);
}

constexpr const char* kUsage = "scrl query RUN|DATA [-n N] [-o FILE]";

void print(const Dataset& data, const QueryAnswer& a) {
  std::printf("%s: %lld labelled nodes, %lld candidates, chosen %s a model\n\n", data.name.c_str(),
              static_cast<long long>(a.labelled), static_cast<long long>(a.candidates),
              a.with_model ? "with" : "without");
  std::vector<std::vector<std::string>> rows = {{"", "id", "gain", "because it"}};
  for (std::size_t k = 0; k < a.nodes.size(); ++k)
    rows.push_back({cat(k + 1), data.id(a.nodes[k].node), fixed(a.nodes[k].gain, 2), a.reasons[k]});
  std::fputs(table(rows).c_str(), stdout);
}

Json to_json(const Dataset& data, const QueryAnswer& a) {
  Json j = {{"dataset", data.name},
            {"with_model", a.with_model},
            {"labelled", a.labelled},
            {"candidates", a.candidates},
            {"nodes", Json::array()}};
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    const Queried& q = a.nodes[k];
    j["nodes"].push_back({{"id", data.id(q.node)},
                          {"gain", q.gain},
                          {"represents", q.represents},
                          {"doubt", q.doubt},
                          {"reason", a.reasons[k]}});
  }
  return j;
}

int replay(const QueryCommand& c, const Dataset& data, const std::vector<Setting>& settings) {
  catch_signals();
  const Replay r = replay_query({.data = data,
                                 .settings = settings,
                                 .per_batch = c.count,
                                 .batches = c.batches,
                                 .draws = c.draws,
                                 .note =
                                     [&](const std::string& line) {
                                       if (!c.common.quiet)
                                         std::fprintf(stderr, "%s\n", line.c_str());
                                     },
                                 .should_stop = [] { return caught_signal() != 0; }});
  if (caught_signal() != 0) return 128 + caught_signal();
  if (!c.out.empty()) write_output(c.out, replay_svg(r));
  if (c.json) {
    write_output("", scrl::to_json(r).dump(2) + "\n");
  } else if (!c.common.quiet) {
    std::vector<std::vector<std::string>> rows = {{"labels", "query", "random choice"}};
    for (const ReplayPoint& p : r.points)
      rows.push_back(
          {cat(p.labels), fixed(p.query, 2), percent(p.random, p.random_std, c.draws > 1)});
    rows.push_back({"area", fixed(r.query_area(), 2), fixed(r.random_area(), 2)});
    std::printf("%s, %s, protocol fixed, accuracy on %lld test nodes\n%s", r.dataset.c_str(),
                r.method.c_str(), static_cast<long long>(r.test_nodes), table(rows).c_str());
  }
  return 0;
}

}  // namespace

int cmd_query(const Args& args) {
  QueryCommand c;
  OptionSet set;
  bind(set, c);
  std::vector<Setting> settings;
  const auto positional = parse_command(set, c.common, args, settings);
  if (printed_help(
          c.common, set,
          "Names the nodes whose labels would help most, in order, with the reason. RUN is "
          "a run folder or a\nmodel.scrl: doubtful regions count more. DATA is a data set: "
          "no model is needed, nor any label.\nWith --oracle-labels: Takes every setting of "
          "train.",
          kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  const std::string& what = positional[0];
  const bool is_run = is_run_folder(what) || what.ends_with(".scrl");
  if (!c.oracle_labels && !settings.empty())
    fail(ErrorKind::kUsage, "unknown option '", settings[0].key,
         "'; settings of training belong to --oracle-labels");
  if (is_run && (c.oracle_labels || c.no_labels))
    fail(ErrorKind::kUsage, c.no_labels ? "--no-labels" : "--oracle-labels",
         ": expected a data set, got the run ", what);
  QueryAnswer answer;
  Dataset data;
  if (is_run) {
    const std::string path = model_path(what);
    LoadedModel m = load_model(path, load_dataset(data_of_model(path)));
    answer = query_model(m, c.count);
    data = std::move(m.data);
  } else {
    data = load_dataset(what);
    if (c.oracle_labels) return replay(c, data, settings);
    answer = query_data(data, c.no_labels, c.count, 0);
  }
  if (!c.out.empty()) write_output(c.out, query_csv(data, answer));
  if (c.json)
    write_output("", to_json(data, answer).dump(2) + "\n");
  else if (!c.common.quiet && c.out.empty())
    print(data, answer);
  return 0;
}

}  // namespace scrl::cli
