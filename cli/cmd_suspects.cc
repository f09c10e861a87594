// scrl suspects RUN|DATA: labels that are probably wrong.
#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "config/json.h"
#include "io/run_mark.h"
#include "run/model_file.h"
#include "run/run_folder.h"
#include "terminal.h"
#include "trust/suspects.h"
#include "trust/suspects_request.h"

namespace scrl::cli {
namespace {

struct SuspectsCommand {
  CommonOptions common;
  int count = 0, folds = 5;
  double flip = 0;
  bool json = false;
  std::string out;
};

void bind(OptionSet& set, SuspectsCommand& c) {
  set.add("number", c.count, at_least(0), "most labels to list; 0: all that both views contradict",
          'n');
  set.add("folds", c.folds, between(2, 100), "parts of the cross-validation");
  set.add(
      "flip", c.flip, from_to_below(0, 1),
      "test of the command: changes this share of the labels at random first, and says how many "
      "are found");
  set.add("out", c.out, any_text(), "CSV file with every label that was looked at", 'o');
  bind_json(set, c.json);
  bind(set, c.common);
}

constexpr const char* kUsage = "scrl suspects RUN|DATA [-n N] [-l LABELS] [-o FILE]";

Json to_json(const Dataset& data, const SuspectAnswer& a) {
  Json j = {{"dataset", data.name}, {"labels", a.looked_at}, {"suspects", Json::array()}};
  if (a.flipped > 0) j["flipped"] = {{"labels", a.flipped}, {"found_among_as_many", a.found}};
  for (const Suspect& s : a.listed)
    j["suspects"].push_back({{"id", data.id(s.node)},
                             {"label", data.classes[static_cast<std::size_t>(s.label)]},
                             {"suggested", data.classes[static_cast<std::size_t>(s.suggested)]},
                             {"p_topology", s.p_topology},
                             {"p_features", s.p_features},
                             {"both_views", s.both},
                             {"score", s.score}});
  return j;
}

void print(const Dataset& data, const SuspectAnswer& a) {
  std::printf("%s: %lld labels, %lld of them contradicted by both views\n\n", data.name.c_str(),
              static_cast<long long>(a.looked_at), static_cast<long long>(a.contradicted));
  std::vector<std::vector<std::string>> rows = {
      {"id", "label", "suggested", "p by topology", "p by features", "score"}};
  for (const Suspect& s : a.listed)
    rows.push_back({data.id(s.node), data.classes[static_cast<std::size_t>(s.label)],
                    data.classes[static_cast<std::size_t>(s.suggested)], fixed(s.p_topology, 3),
                    fixed(s.p_features, 3), fixed(s.score, 2)});
  if (!a.listed.empty()) std::fputs(table(rows).c_str(), stdout);
  if (a.flipped > 0)
    std::printf("\n%lld labels were changed; %lld of them are among the first %lld (%.1f %%)\n",
                static_cast<long long>(a.flipped), static_cast<long long>(a.found),
                static_cast<long long>(a.flipped),
                100.0 * static_cast<double>(a.found) / static_cast<double>(a.flipped));
}

}  // namespace

int cmd_suspects(const Args& args) {
  SuspectsCommand c;
  OptionSet set;
  bind(set, c);
  std::vector<Setting> settings;
  const auto positional = parse_command(set, c.common, args, settings);
  if (printed_help(
          c.common, set,
          "Ranks labels by how much predictions contradict them that were made without them: "
          "method scrl, in a\ncross-validation, by the topology and by the features. Of DATA "
          "every label, or with -l those of the\ntraining nodes; of RUN those of its training "
          "and validation nodes. Takes every setting of train.",
          kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  const std::string& what = positional[0];
  catch_signals();
  SuspectsRequest request{.settings = settings, .folds = c.folds, .flip = c.flip};
  if (is_run_folder(what) || what.ends_with(".scrl")) {
    const std::string path = model_path(what);
    LoadedModel m = load_model(path, load_dataset(data_of_model(path)));
    use_nodes_of(m, request);
  } else {
    request.data = load_dataset(what);
  }
  request.progress = [&](int fold, int folds) {
    if (!c.common.quiet && fold < folds)
      std::fprintf(stderr, "training without part %d of %d\n", fold + 1, folds);
  };
  request.should_stop = [] { return caught_signal() != 0; };
  request.most = c.count;
  const SuspectAnswer answer = find_suspects(request);
  if (caught_signal() != 0) return 128 + caught_signal();
  if (!c.out.empty()) write_output(c.out, suspects_csv(request.data, answer.all));
  if (c.json)
    write_output("", to_json(request.data, answer).dump(2) + "\n");
  else if (!c.common.quiet)
    print(request.data, answer);
  return 0;
}

}  // namespace scrl::cli
