#include "trust/suspects_request.h"

#include <algorithm>

#include "base/error.h"
#include "run/outputs.h"
#include "train/split.h"

namespace scrl {
namespace {

// As the settings have them: of a rate if one is given, else every labelled node.
std::vector<NodeId> doubted_nodes(const SuspectsRequest& o) {
  const RunConfig config(suspects_settings(o.settings), o.data.name);
  if (config.split.labels > 0)
    return choose_split(o.data, config.split, false, static_cast<std::uint64_t>(config.train.seed))
        .train;
  std::vector<NodeId> out;
  for (Index i = 0; i < o.data.nodes; ++i)
    if (o.data.labels[i] != kUnlabelled) out.push_back(static_cast<NodeId>(i));
  return out;
}

}  // namespace

void use_nodes_of(LoadedModel& m, SuspectsRequest& request) {
  if (!m.same_data)
    fail(ErrorKind::kUsage, m.data.source, ": is not the data that the model was trained on");
  const Split split =
      choose_split(m.data, m.config->split, m.config->train.protocol == Protocol::kVal,
                   static_cast<std::uint64_t>(m.facts.seed));
  request.nodes = split.train;
  request.nodes.insert(request.nodes.end(), split.val.begin(), split.val.end());
  std::sort(request.nodes.begin(), request.nodes.end());
  request.data = std::move(m.data);
}

SuspectAnswer find_suspects(SuspectsRequest& o) {
  if (o.nodes.empty()) o.nodes = doubted_nodes(o);
  SuspectAnswer out{.looked_at = static_cast<Index>(o.nodes.size())};
  std::vector<NodeId> flipped;
  if (o.flip > 0 && o.data.num_classes() > 1)
    flipped = flip_labels(o.data.labels, o.nodes, o.data.num_classes(), o.flip,
                          static_cast<std::uint64_t>(
                              RunConfig(suspects_settings(o.settings), o.data.name).train.seed));
  out.all = rank_suspects({.data = o.data,
                           .settings = o.settings,
                           .nodes = o.nodes,
                           .folds = o.folds,
                           .progress = o.progress,
                           .should_stop = o.should_stop});
  out.contradicted =
      std::count_if(out.all.begin(), out.all.end(), [](const Suspect& s) { return s.both; });
  const Index listed =
      o.most > 0 ? std::min<Index>(o.most, static_cast<Index>(out.all.size())) : out.contradicted;
  out.listed.assign(out.all.begin(), out.all.begin() + listed);
  out.flipped = static_cast<Index>(flipped.size());
  for (std::size_t k = 0; k < std::min(flipped.size(), out.all.size()); ++k)
    out.found += std::find(flipped.begin(), flipped.end(), out.all[k].node) != flipped.end();
  return out;
}

std::string suspects_csv(const Dataset& data, const std::vector<Suspect>& suspects) {
  std::string out = "id,label,suggested,p_topology,p_features,both_views,score\n";
  for (const Suspect& s : suspects)
    out +=
        csv_field(data.id(s.node)) + "," +
        csv_field(data.classes[static_cast<std::size_t>(s.label)]) + "," +
        csv_field(data.classes[static_cast<std::size_t>(s.suggested)]) +
        cat(",", s.p_topology, ",", s.p_features, ",", s.both ? "yes" : "no", ",", s.score, "\n");
  return out;
}

}  // namespace scrl
