#include "targets.h"

#include <stdlib.h>

#include "base/parallel.h"

namespace scrl::fuzz {
namespace {

constexpr Target kTargets[] = {
    {"folder", "a folder of text files, inspected and trained for an epoch", read_data},
    {"amgcn", "the layout of AM-GCN, likewise", read_data},
    {"planetoid", "pickles, likewise", read_data},
    {"numpy", "features.npy and features.npz, likewise", read_data},
    {"archive", "a zip archive, likewise", read_data},
    {"graphml", "a GraphML file, likewise", read_data},
    {"ogb", "a folder of the Open Graph Benchmark, likewise", read_data},
    {"arrays", "a data set in one .npz archive, likewise", read_data},
    {"convert", "a data set of any layout, written in every layout and read again", convert_data},
    {"cache", "the binary copy of data, loaded and trained for an epoch", read_cache},
    {"blocks", "a data set in binary blocks, loaded and trained for an epoch", read_data},
    {"container", "the bytes of a container, its checksums made right", read_container},
    {"config", "a config.toml, its settings written and read again", read_config},
    {"space", "a file of settings to search, and configurations drawn from it", read_space},
    {"metrics", "a metrics.json, written again", read_metrics},
    {"model", "a model.scrl, predictions and embeddings of known and of other data", use_model},
    {"joining", "features and edges of new nodes, predicted by two models", use_new_nodes},
    {"run", "the folder of a run, and its report", use_run},
    {"diff", "the folders of two runs, compared with each other and themselves", use_two_runs},
    {"checkpoint", "a checkpoint.scrl, and training that goes on", use_checkpoint},
    {"points", "points in a table, an array or a run, laid out by t-SNE", use_points},
    {"cells", "stored cells of a comparison, and its tables", use_cells},
    {"request", "the address and the body of a request to scrl serve", use_request},
};

}  // namespace

std::span<const Target> all_targets() { return kTargets; }

const Target* target_named(std::string_view name) {
  for (const Target& t : kTargets)
    if (name == t.name) return &t;
  return nullptr;
}

void prepare_process() {
  ::setenv("SCRL_SIMD", "sse4", 1);
  ::setenv("SCRL_CACHE", scratch_folder("cache").c_str(), 1);
  ::unsetenv("SCRL_DATA");
  set_threads(1);
}

}  // namespace scrl::fuzz
