// experiments/figure_layouts.h: layouts of the embeddings of a trained cell, for the figures that
// show points.
//
// A cell with layouts is done when its scores and its layouts are stored, so that a figure can be
// drawn again without training or t-SNE. The file is CELL.layouts beside CELL.json.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "experiments/compare_store.h"
#include "report/report_layout.h"

namespace scrl {

struct CellLayouts {
  std::vector<std::string> classes;
  std::vector<std::int32_t> labels;  // of every node
  std::vector<LayoutFrame> frames;   // ascending by epoch
};

// Of the snapshots in a finished run folder: the last from nothing, the others backwards, each from
// the layout of the next. Of the model's own embedding if no snapshots were asked for.
CellLayouts lay_out_run(const std::string& run, const CompareCell& cell, const Dataset& data);

void save_layouts(const CompareStore& store, const CompareCell& cell, const CellLayouts& layouts);
// None: not there, or damaged.
std::optional<CellLayouts> load_layouts(const CompareStore& store, const CompareCell& cell);

}  // namespace scrl
