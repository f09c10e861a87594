// report/report_run.h: everything a report says about one run, gathered from its folder and its
// data.
//
// Scores, confusion and calibration are those of the model in the folder, which is of the first
// seed; figures over all seeds come from metrics.json, curves from events.jsonl.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/dataset.h"
#include "eval/per_class.h"
#include "report/report_layout.h"
#include "report/report_views.h"
#include "run/inspect.h"
#include "run/results.h"

namespace scrl {

// The figures of every epoch of one seed; NaN where an epoch has none.
struct Curve {
  int seed = 0, best_epoch = 0;
  std::vector<float> epoch, loss, val_loss, train, val, test, agreement;
};

// What runs on the same data with the same graphs share.
struct ReportData {
  std::string key;  // equal keys: equal data and graphs
  Dataset data;
  Csr topology;
  std::optional<Csr> features;  // the feature graph, if there are features
  Inspection facts;
};

enum class Role : std::uint8_t { kNone, kTrain, kVal, kTest };

struct ReportRun {
  std::string name, method;  // name: of the folder
  std::shared_ptr<const ReportData> data;
  TrainResult result;
  std::string settings, command;
  int seed = 0, best_epoch = 0;
  std::vector<Role> roles;  // of every node, for that seed
  std::vector<NodeId> test;
  std::vector<std::int32_t> predicted;
  Matrix log_probs;
  std::vector<Index> counts;  // confusion on the test nodes
  std::vector<ClassScores> classes;
  Calibration calibration;
  std::optional<ViewFacts> views;
  bool prototypes_are_classes = false;
  std::vector<Curve> curves;
  std::vector<LayoutFrame> frames;
};

struct ReportRequest {
  std::vector<std::string> runs;  // folders
  std::string data;               // in place of what config.toml names; empty: as it says
  LayoutOptions layout;
  std::function<void(const std::string&)> note;
  std::function<void(const std::string& run, std::size_t done, std::size_t all)> frame;
};

// Throws Error(kUsage) when the folder is no finished run, Error(kModelFile) when it is damaged.
ReportRun gather_run(const std::string& folder, const ReportRequest& request,
                     const std::vector<ReportRun>& earlier);

// The command that gives this run again: the settings that are not where they start from.
std::string repeat_command(const RunConfig& config, const std::string& data,
                           const std::string& dataset);

}  // namespace scrl
