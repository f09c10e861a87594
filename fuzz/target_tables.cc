// Targets that read tables of points and the cells of a comparison.
#include <filesystem>

#include "embedding2d/tsne.h"
#include "experiments/compare_files.h"
#include "experiments/compare_tables.h"
#include "run/embedding2d_file.h"
#include "targets.h"

namespace scrl::fuzz {

void use_points(const Bundle& bundle) {
  const std::string folder = scratch_folder("points");
  write_bundle(bundle, folder);
  const std::string file = find_part(bundle, "embeddings.npy") ? ""
                           : find_part(bundle, "points.npy")   ? "/points.npy"
                                                               : "/points.csv";
  NamedPoints points;
  if (!accepts({ErrorKind::kData}, [&] { points = read_points(folder + file); })) return;
  if (points.count() == 0 || points.count() > 500 || points.dimensions() > 5000) return;
  Matrix start;
  bool started = false;
  for (const char* from : {"start.csv", "start.npy"})
    if (find_part(bundle, from))
      started = accepts({ErrorKind::kData},
                        [&] { start = read_coordinates(folder + "/" + from, points.ids); });
  const TsneOptions options{.perplexity = 5, .iterations = 5, .exaggeration_iters = 2};
  accepts({ErrorKind::kUsage, ErrorKind::kData, ErrorKind::kDiverged}, [&] {
    coordinates_csv(points, tsne(points.dense, options, started ? &start : nullptr));
  });
}

// Parts "cells/0", "cells/1", ... become the files of the cells of this comparison; others keep
// their names. The text "@KEY0@" stands for the key of cell 0.
void use_cells(const Bundle& bundle) {
  CompareRequest request{.data = {{"demo:nodes=50,features=100"}},
                         .rows = method_rows({"logreg", "mlp"}, Profile::kDefault),
                         .protocols = {Protocol::kVal, Protocol::kOracle},
                         .settings = {{"mlp.epochs", "1", "fuzz"}},
                         .folder = scratch_folder("comparison"),
                         .program = "fuzz",
                         .any_build = find_part(bundle, "any_build") != nullptr};
  static const ComparePlan plan = [&] {
    CompareRequest plain = request;
    plain.folder = scratch_folder("plan");
    return run_comparison(std::move(plain), {}).plan;
  }();
  const std::string key0 = plan.cells[0].key.dump(), key1 = plan.cells[1].key.dump();
  Bundle files = bundle;
  for (Part& p : files)
    for (std::size_t i = 0; i < 2; ++i)
      if (p.name == cat("cells/", i)) p.name = cat("cells/", plan.cells[i].name, ".json");
  write_bundle(files, request.folder, {{"\"@KEY0@\"", key0}, {"\"@KEY1@\"", key1}});
  accepts({ErrorKind::kUsage, ErrorKind::kData}, [&] {
    const Comparison result = run_comparison(std::move(request), {});
    json_text(comparison_json(result));
    full_tables(result);
    overview_tables(result);
  });
}

}  // namespace scrl::fuzz
