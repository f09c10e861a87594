#include "experiments/figure_layouts.h"

#include <fstream>

#include "base/error.h"
#include "io/atomic_file.h"

namespace scrl {
namespace {

constexpr int kSchema = 1;

}  // namespace

CellLayouts lay_out_run(const std::string& run, const CompareCell& cell, const Dataset& data) {
  CellLayouts out{.classes = data.classes, .labels = data.labels, .frames = {}};
  std::vector<Snapshot> snapshots;
  Snapshot chosen{0, run + "/embeddings.npy"};
  if (!cell.layouts.value_or("").empty()) {
    snapshots = list_snapshots(run);
    if (snapshots.empty())
      fail(ErrorKind::kModelFile, run, ": expected snapshots of epochs ", *cell.layouts,
           ", found none");
    chosen = snapshots.back();
  }
  LayoutOptions options;
  options.next_iterations = options.tsne.iterations;  // a film may lag behind, a figure must not
  out.frames = layout_frames(snapshots, read_snapshot(chosen), chosen.epoch, options, {});
  return out;
}

void save_layouts(const CompareStore& store, const CompareCell& cell, const CellLayouts& layouts) {
  Json j = {{"schema", kSchema},
            {"key", cell.key},
            {"classes", layouts.classes},
            {"labels", layouts.labels},
            {"frames", Json::array()}};
  for (const LayoutFrame& f : layouts.frames)
    j["frames"].push_back({{"epoch", f.epoch}, {"coordinates", f.coordinates}});
  write_atomically(store.layouts_file(cell),
                   j.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<CellLayouts> load_layouts(const CompareStore& store, const CompareCell& cell) {
  std::ifstream in(store.layouts_file(cell));
  if (!in) return std::nullopt;
  try {
    const Json j = Json::parse(in);
    if (j.at("schema") != kSchema || j.at("key") != cell.key) return std::nullopt;
    CellLayouts out{.classes = j.at("classes").get<std::vector<std::string>>(),
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
