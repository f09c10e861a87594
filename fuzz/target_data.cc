// Targets that read data sets and use them.
#include <filesystem>

#include "convert/convert.h"
#include "data/dataset.h"
#include "io/container.h"
#include "run/inspect.h"
#include "run/train_run.h"
#include "scrl/dataset.h"
#include "targets.h"

namespace scrl::fuzz {
namespace {

// Larger data only costs time.
constexpr Index kMostNodes = 2000, kMostColumns = 20000;
constexpr std::string_view kMethods[] = {
    "gcn", "mlp",    "scrl", "logreg", "sgc", "appnp", "gat", "h2gcn", "label-propagation",
    "m3s", "mixhop", "amgcn"};

// The method of a part "method", with features as they are: no norm hides large numbers.
std::vector<Setting> one_epoch(const Bundle& bundle) {
  std::string method = "gcn";
  if (const Part* wanted = find_part(bundle, "method"))
    for (const std::string_view known : kMethods)
      if (wanted->content == known) method = known;
  return {{"method", method, "fuzz"},
          {"epochs", "1", "fuzz"},
          {"feature_norm", find_part(bundle, "no_norm") ? "none" : "l1", "fuzz"}};
}

void inspect_and_train(const Bundle& bundle, Dataset data) {
  if (data.nodes > kMostNodes || data.features.cols > kMostColumns) return;
  accepts({ErrorKind::kData, ErrorKind::kUsage},
          [&] { to_json(inspect(data, GraphOptions{})).dump(); });
  accepts({ErrorKind::kData, ErrorKind::kUsage, ErrorKind::kResource, ErrorKind::kDiverged}, [&] {
    run_training({.data = std::move(data), .data_reference = "x", .settings = one_epoch(bundle)},
                 {});
  });
}

}  // namespace

void read_data(const Bundle& bundle) {
  const std::string folder = scratch_folder("data");
  const Part* archive = find_part(bundle, "data.zip");
  write_bundle(bundle, folder);
  Dataset data;
  if (accepts({ErrorKind::kData}, [&] {
        data = load_dataset(archive ? folder + "/data.zip" : folder, {.use_cache = false});
      }))
    inspect_and_train(bundle, std::move(data));
}

// What can be read can be written as .npz, and comes back as it was.
void convert_data(const Bundle& bundle) {
  const std::string folder = scratch_folder("data"), out = scratch_folder("converted");
  const Part* archive = find_part(bundle, "data.zip");
  write_bundle(bundle, folder);
  Dataset data;
  if (!accepts({ErrorKind::kData},
               [&] {
                 data = load_dataset(archive ? folder + "/data.zip" : folder, {.use_cache = false});
               }) ||
      data.nodes > kMostNodes || data.features.cols > kMostColumns)
    return;
  const std::string before = fingerprint(data);
  const auto request = [&](DataLayout layout, const std::string& name) {
    return ConvertRequest{
        .data = data, .layout = layout, .out = out + "/" + name, .allow_loss = true, .force = true};
  };
  if (convert(request(DataLayout::kNpz, "x.npz")).fingerprint != before)
    throw Finding("data came back as other data");
  for (const DataLayout layout : {DataLayout::kFolder, DataLayout::kAmgcn, DataLayout::kPlanetoid})
    accepts({ErrorKind::kData, ErrorKind::kUsage, ErrorKind::kRun},
            [&] { convert(request(layout, name_of(layout))); });
  accepts({ErrorKind::kData, ErrorKind::kUsage, ErrorKind::kRun},
          [&] { convert(request(DataLayout::kGraphml, "x.graphml")); });
}

// The copy has the key of what was just read, so that it counts.
void read_cache(const Bundle& bundle) {
  const std::string folder = scratch_folder("cached"), cache = scratch_folder("cache");
  Bundle files, sections;
  for (const Part& p : bundle)
    if (p.name.starts_with("cache.scrl/"))
      sections.push_back({p.name.substr(11), p.content});
    else
      files.push_back(p);
  std::filesystem::remove_all(cache);
  write_bundle(files, folder);
  if (!accepts({ErrorKind::kData}, [&] { load_dataset(folder); })) return;
  for (const auto& entry : std::filesystem::directory_iterator(cache)) {
    const ContainerReader copy(entry.path(), "cache", ~0u);
    ContainerWriter out("cache", copy.version());
    out.add_text("key", copy.text("key"));
    Bundle added = {{"key", ""}};
    for (const Part& s : sections) {
      if (find_part(added, s.name)) continue;
      out.add_text(s.name, s.content);
      added.push_back({s.name, ""});
    }
    out.write(entry.path());
  }
  Dataset data;
  if (accepts({ErrorKind::kData}, [&] { data = load_dataset(folder); }))
    inspect_and_train(bundle, std::move(data));
}

}  // namespace scrl::fuzz
