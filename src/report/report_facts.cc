#include "report/report_facts.h"

#include <algorithm>
#include <cmath>

#include "report/report_blob.h"

namespace scrl {
namespace {

constexpr Index kListed = 24;  // neighbours of a node that the page can name

// The heaviest edges of each node, at most kListed, and how many it has; loops left out.
Json neighbours_json(const Csr& A, ReportBlob& blob) {
  std::vector<std::uint32_t> start = {0}, node, degree;
  std::vector<std::pair<float, NodeId>> row;
  for (Index i = 0; i < A.rows; ++i) {
    row.clear();
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
      if (A.col[e] != i) row.emplace_back(-A.val[e], A.col[e]);
    degree.push_back(static_cast<std::uint32_t>(row.size()));
    std::sort(row.begin(), row.end());
    row.resize(std::min<std::size_t>(row.size(), kListed));
    for (const auto& [weight, j] : row) node.push_back(static_cast<std::uint32_t>(j));
    start.push_back(static_cast<std::uint32_t>(node.size()));
  }
  return {{"start", blob.add(start)}, {"node", blob.add(node)}, {"degree", blob.add(degree)}};
}

Json data_json(const ReportData& d, ReportBlob& blob) {
  Json j = {{"name", d.data.name},
            {"fingerprint", d.facts.fingerprint},
            {"nodes", d.data.nodes},
            {"classes", d.data.classes}};
  std::vector<std::uint16_t> labels;
  for (const std::int32_t y : d.data.labels)
    labels.push_back(static_cast<std::uint16_t>(y == kUnlabelled ? 65535 : y));
  j["labels"] = blob.add(labels);
  j["ids"] =
      d.data.ids.empty()
          ? Json(nullptr)
          : blob.add_text(Json(d.data.ids).dump(-1, ' ', false, Json::error_handler_t::replace));
  j["topology"] = neighbours_json(d.topology, blob);
  j["features"] = d.features ? neighbours_json(*d.features, blob) : Json(nullptr);
  return j;
}

template <class To, class From>
std::vector<To> as(const std::vector<From>& values) {
  std::vector<To> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [](From v) { return static_cast<To>(v); });
  return out;
}

Json curves_json(const ReportRun& run, ReportBlob& blob) {
  Json out = Json::array();
  for (const Curve& c : run.curves)
    out.push_back({{"seed", c.seed},
                   {"best_epoch", c.best_epoch},
                   {"epoch", blob.add(c.epoch)},
                   {"loss", blob.add(c.loss)},
                   {"val_loss", blob.add(c.val_loss)},
                   {"train", blob.add(c.train)},
                   {"val", blob.add(c.val)},
                   {"test", blob.add(c.test)},
                   {"agreement", blob.add(c.agreement)}});
  return out;
}

Json views_json(const ViewFacts& v, bool prototypes_are_classes, ReportBlob& blob) {
  std::vector<std::uint8_t> share;
  for (const float s : v.topology_share)
    share.push_back(static_cast<std::uint8_t>(std::lround(255 * s)));
  return {{"prototypes", v.prototypes},
          {"prototypes_are_classes", prototypes_are_classes},
          {"share", share.empty() ? Json(nullptr) : blob.add(share)},
          {"nearest",
           {blob.add(as<std::uint16_t>(v.nearest[0])), blob.add(as<std::uint16_t>(v.nearest[1]))}}};
}

Json run_json(const ReportRun& run, std::size_t data, ReportBlob& blob) {
  std::vector<std::uint16_t> probabilities;
  for (const float lp : run.log_probs.packed())
    probabilities.push_back(static_cast<std::uint16_t>(
        std::lround(65535 * std::clamp(std::exp(static_cast<double>(lp)), 0.0, 1.0))));
  Json bins = Json::array(), frames = Json::array();
  for (const CalibrationBin& b : run.calibration.bins)
    bins.push_back({{"nodes", b.nodes}, {"confidence", b.confidence}, {"accuracy", b.accuracy}});
  for (const LayoutFrame& f : run.frames)
    frames.push_back(
        {{"epoch", f.epoch}, {"chosen", f.chosen}, {"coordinates", blob.add(f.coordinates)}});
  return {{"name", run.name},
          {"method", run.method},
          {"data", data},
          {"seed", run.seed},
          {"best_epoch", run.best_epoch},
          {"roles", blob.add(as<std::uint8_t>(run.roles))},
          {"predicted", blob.add(as<std::uint16_t>(run.predicted))},
          {"probabilities", blob.add(probabilities)},
          {"curves", curves_json(run, blob)},
          {"calibration", bins},
          {"views",
           run.views ? views_json(*run.views, run.prototypes_are_classes, blob) : Json(nullptr)},
          {"frames", frames}};
}

}  // namespace

ReportFacts report_facts(const std::vector<ReportRun>& runs, Layout2d layout) {
  ReportBlob blob;
  Json j = {
      {"schema", 1}, {"layout", name_of(layout)}, {"data", Json::array()}, {"runs", Json::array()}};
  std::vector<const ReportData*> seen;
  for (const ReportRun& r : runs) {
    auto at = std::find(seen.begin(), seen.end(), r.data.get());
    if (at == seen.end()) {
      seen.push_back(r.data.get());
      j["data"].push_back(data_json(*r.data, blob));
      at = seen.end() - 1;
    }
    j["runs"].push_back(run_json(r, static_cast<std::size_t>(at - seen.begin()), blob));
  }
  return {.json = std::move(j), .arrays = blob.base64_text()};
}

}  // namespace scrl
