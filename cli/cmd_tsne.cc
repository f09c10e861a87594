// scrl tsne RUN|FILE|DATA [-o coordinates.csv]: 2-D coordinates of points, by t-SNE.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/stopwatch.h"
#include "command.h"
#include "config/json.h"
#include "embedding2d/embedding_quality.h"
#include "embedding2d/tsne.h"
#include "io/npy.h"
#include "neighbors/knn_recall.h"
#include "run/embedding2d_file.h"
#include "run/model_file.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

constexpr const char* kUsage =
    "scrl tsne RUN|FILE|DATA [-o coordinates.csv] [--start FILE] [--json]";
constexpr int kNeighbours = 10;  // of the quality

struct LayoutOptions {
  CommonOptions common;
  TsneOptions tsne;
  std::string out, start, labels;
  bool json = false;
  int check = 1000;
};

void bind(OptionSet& set, LayoutOptions& o) {
  set.add("out", o.out, any_text(), "file, CSV or by its ending .npy; without it stdout", 'o');
  set.add("start", o.start, any_text(),
          "coordinates to begin with, CSV with id, x, y or .npy; then there is no exaggeration");
  set.add("labels", o.labels, any_text(), "a data set whose labels become a column");
  scrl::bind(set, o.tsne);
  set.add("check", o.check, at_least(0), "points whose neighbourhoods the quality looks at");
  bind_json(set, o.json);
  cli::bind(set, o.common);
}

// A line on stderr every few seconds, and the last KL.
TsneReport progress(bool quiet, Progress& line, double& kl) {
  return [&line, &kl, quiet, watch = Stopwatch(), last = 0.0](const TsneProgress& p) mutable {
    kl = p.kl;
    if (quiet || watch.seconds() - last < 5) return;
    last = watch.seconds();
    line.note(cat("t-SNE ", p.iteration, "/", p.iterations, ", KL ", fixed(p.kl, 3)));
  };
}

EmbeddingQuality quality_of(const NamedPoints& points, const Matrix& coordinates, int sample) {
  const std::vector<NodeId> rows = sample_rows(points.count(), sample);
  return points.sparse ? embedding_quality(*points.sparse, coordinates, kNeighbours, rows)
                       : embedding_quality(points.dense, coordinates, kNeighbours, rows);
}

}  // namespace

int cmd_tsne(const Args& args) {
  LayoutOptions o;
  OptionSet set;
  bind(set, o);
  const auto positional = parse_command(set, o.common, args);
  if (printed_help(o.common, set,
                   "Lays out points so that neighbours stay neighbours, and writes id,x,y. Points "
                   "are the\nembeddings of a run, the rows of a .npy or CSV file, or the features "
                   "of a data set.",
                   kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  if (o.json && (o.out.empty() || o.out == "-"))
    fail(ErrorKind::kUsage,
         "tsne: --json and the coordinates cannot both go to stdout; name a file by -o");
  NamedPoints points = read_points(positional[0]);
  if (points.count() == 0) fail(ErrorKind::kData, positional[0], ": expected points, found none");
  if (!o.labels.empty()) add_labels(points, o.labels);
  Matrix start;
  if (!o.start.empty()) start = read_coordinates(o.start, points.ids);
  const double perplexity = usable_perplexity(points.count(), o.tsne.perplexity);
  if (perplexity < o.tsne.perplexity && !o.common.quiet) {
    std::fprintf(
        stderr,
        "note: perplexity %s, a third of the other points: %lld points are too few for %s\n",
        cat(perplexity).c_str(), static_cast<long long>(points.count()),
        cat(o.tsne.perplexity).c_str());
  }
  Progress line(o.common.quiet);
  const Stopwatch watch;
  double kl = 0;
  const TsneReport report = progress(o.common.quiet, line, kl);
  const Matrix* const from = o.start.empty() ? nullptr : &start;
  const Matrix coordinates = points.sparse ? tsne(*points.sparse, o.tsne, from, report)
                                           : tsne(points.dense, o.tsne, from, report);
  const double seconds = watch.seconds();
  const bool npy = std::filesystem::path(o.out).extension() == ".npy";
  write_output(o.out, npy ? npy_bytes(coordinates) : coordinates_csv(points, coordinates));

  const int sample = static_cast<int>(std::min<Index>(o.check, points.count()));
  const bool checked = sample > 0 && points.count() > 2 * kNeighbours;
  EmbeddingQuality quality;
  if (checked && (o.json || !o.common.quiet)) quality = quality_of(points, coordinates, sample);
  if (o.json) {
    Json j = {{"points", points.count()},
              {"dimensions", points.dimensions()},
              {"distance", points.sparse ? "cosine" : "euclidean"},
              {"perplexity", perplexity},
              {"iterations", o.tsne.iterations},
              {"repulsion", repels_exactly(points.count(), o.tsne.method) ? "exact" : "fft"},
              {"kl", kl},
              {"seconds", seconds},
              {"file", o.out}};
    if (checked) {
      j["quality"] = {{"points", sample},
                      {"neighbours", kNeighbours},
                      {"trustworthiness", quality.trustworthiness},
                      {"recall", quality.recall}};
    }
    write_output("", j.dump(2) + "\n");
  } else if (!o.common.quiet) {
    line.note(cat(points.count(), " points of ", points.dimensions(), " numbers in ",
                  fixed(seconds, 1), " s, KL ", fixed(kl, 3),
                  checked ? cat(", trustworthiness ", fixed(quality.trustworthiness, 4), ", ",
                                fixed(100 * quality.recall, 1), " % of the ", kNeighbours,
                                " nearest kept, on ", sample, " points")
                          : std::string()));
  }
  return 0;
}

}  // namespace scrl::cli
