// app/report_layout.h: where the nodes lie on the map of a report.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/snapshots.h"
#include "tensor/matrix.h"

namespace scrl {

struct MapOptions {
  std::string kind = "pca";  // or "tsne"
  int seed = 0;
};

// (n,2) from the embedding of every node; `start` is the layout of the frame before, which keeps
// what did not change in its place.
Matrix layout(const Matrix& embedding, const MapOptions& o, const Matrix* start);

// One picture of the map.
struct MapFrame {
  int epoch = 0;
  bool chosen = false;                // the epoch that counts: the model itself
  std::vector<std::uint16_t> places;  // x0 y0 x1 y1 ..., 0 to 65535 over the square of the frame
};

// The snapshots of a run in order, and the model's own embedding, which was learned in
// `chosen_epoch`. `progress` hears how many frames are done.
std::vector<MapFrame> map_frames(const std::vector<Snapshot>& snapshots, const Matrix& embedding,
                                 int chosen_epoch, const MapOptions& o,
                                 const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace scrl
