#include "experiments/figure_maps.h"

#include <fstream>

#include "base/error.h"
#include "io/atomic_file.h"

namespace scrl {
namespace {

constexpr int kSchema = 1;

}  // namespace

CellMaps lay_out_run(const std::string& run, const CompareCell& cell, const Dataset& data) {
  CellMaps out{.classes = data.classes, .labels = data.labels, .frames = {}};
  std::vector<Snapshot> snapshots;
  Snapshot chosen{0, run + "/embeddings.npy"};
  if (!cell.maps.value_or("").empty()) {
    snapshots = list_snapshots(run);
    if (snapshots.empty())
      fail(ErrorKind::kModelFile, run, ": expected snapshots of epochs ", *cell.maps,
           ", found none");
    chosen = snapshots.back();
  }
  MapOptions options;
  options.next_iterations = options.tsne.iterations;  // a film may lag behind, a figure must not
  out.frames = map_frames(snapshots, read_snapshot(chosen), chosen.epoch, options, {});
  return out;
}

void save_maps(const CompareStore& store, const CompareCell& cell, const CellMaps& maps) {
  Json j = {{"schema", kSchema},
            {"key", cell.key},
            {"classes", maps.classes},
            {"labels", maps.labels},
            {"frames", Json::array()}};
  for (const MapFrame& f : maps.frames)
    j["frames"].push_back({{"epoch", f.epoch}, {"coordinates", f.coordinates}});
  write_atomically(store.maps_file(cell), j.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<CellMaps> load_maps(const CompareStore& store, const CompareCell& cell) {
  std::ifstream in(store.maps_file(cell));
  if (!in) return std::nullopt;
  try {
    const Json j = Json::parse(in);
    if (j.at("schema") != kSchema || j.at("key") != cell.key) return std::nullopt;
    CellMaps out{.classes = j.at("classes").get<std::vector<std::string>>(),
                 .labels = j.at("labels").get<std::vector<std::int32_t>>(),
                 .frames = {}};
    for (const Json& f : j.at("frames")) {
      out.frames.push_back({.epoch = f.at("epoch").get<int>(),
                            .coordinates = f.at("coordinates").get<std::vector<std::uint16_t>>()});
      if (out.frames.back().coordinates.size() != 2 * out.labels.size()) return std::nullopt;
    }
    return out;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace scrl
