#include "experiments/figure_layouts.h"

#include "base/error.h"
#include "config/json_file.h"
#include "io/atomic_file.h"

namespace scrl {
namespace {

constexpr int kSchema = 1;

template <class T>
std::vector<T> numbers_in(const Json& list, Index least, Index most) {
  std::vector<T> out;
  for (const Json& v : list) {
    if (!v.is_number_integer() || v.get<double>() < static_cast<double>(least) ||
        v.get<double>() > static_cast<double>(most))
      fail(ErrorKind::kModelFile, "layouts: expected whole numbers from ", least, " to ", most);
    out.push_back(static_cast<T>(v.get<Index>()));
  }
  return out;
}

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
  try {
    const Json json = read_json_file(store.layouts_file(cell));
    const JsonFields j(json, "layouts");
    if (j.integer<int>("schema") != kSchema || j.value("key") != cell.key) return std::nullopt;
    CellLayouts out{.classes = j.texts("classes"),
                    .labels = numbers_in<std::int32_t>(j.value("labels"), kUnlabelled,
                                                       std::ssize(j.texts("classes")) - 1),
                    .frames = {}};
    for (const JsonFields& f : j.objects("frames")) {
      out.frames.push_back(
          {.epoch = f.integer<int>("epoch"),
           .coordinates = numbers_in<std::uint16_t>(f.value("coordinates"), 0, 65535)});
      if (out.frames.back().coordinates.size() != 2 * out.labels.size()) return std::nullopt;
    }
    return out;
  } catch (const Error&) {
    return std::nullopt;  // it is made again
  }
}

}  // namespace scrl
