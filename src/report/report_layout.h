// report/report_layout.h: where the nodes lie in the picture of a report, epoch by epoch.
//
// The epoch that counts is laid out first, from nothing. The epochs before it follow backwards and
// those after it forwards, each starting from that of its neighbour, so that what did not change
// stays in its place.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "config/snapshots.h"
#include "embedding2d/tsne.h"
#include "tensor/matrix.h"

namespace scrl {

enum class Layout2d { kTsne, kPca };  // kPca: the two main axes, at once
template <>
inline constexpr auto kNames<Layout2d> = std::array{"tsne", "pca"};

struct LayoutOptions {
  Layout2d kind = Layout2d::kTsne;
  TsneOptions tsne;
  int next_iterations = 250;  // of a layout that starts from another
  TsneReport progress;        // of each t-SNE; an exception from it ends the layout
};

// (n,2) from the embedding of every node; `start` is the layout of a neighbouring epoch.
Matrix layout(const Matrix& embedding, const LayoutOptions& o, const Matrix* start);

// The layout of one epoch.
struct LayoutFrame {
  int epoch = 0;
  bool chosen = false;  // the epoch that counts: the model itself
  std::vector<std::uint16_t>
      coordinates;  // x0 y0 x1 y1 ..., 0 to 65535 over the square of the frame
};

// The snapshots of a run in order, and the model's own embedding, which was learned in
// `chosen_epoch`. `progress` hears how many frames are done.
std::vector<LayoutFrame> layout_frames(
    const std::vector<Snapshot>& snapshots, const Matrix& embedding, int chosen_epoch,
    const LayoutOptions& o, const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace scrl
