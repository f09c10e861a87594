// Targets that read what a training left and use it.
#include <filesystem>

#include "data/dataset.h"
#include "data/new_node_files.h"
#include "report/report.h"
#include "run/outputs.h"
#include "run/run_diff.h"
#include "run/train_run.h"
#include "scrl/dataset.h"
#include "scrl/model.h"
#include "scrl/predictor.h"
#include "targets.h"

namespace scrl::fuzz {
namespace {

// The data of all runs here; seeds.py trains on it.
const std::string kData = "demo:nodes=50,features=100";

const Dataset& known() {
  static const Dataset data = load_dataset(kData);
  return data;
}

const Dataset& other() {
  static const Dataset data = load_dataset("demo:nodes=60,features=100,seed=1");
  return data;
}

void write_run(const Bundle& bundle, const std::string& folder) {
  static const std::string print = fingerprint(known());
  write_bundle(bundle, folder, {{"@FINGERPRINT@", print}});
}

std::vector<Setting> settings_of(const Part* method) {
  std::vector<Setting> out = {{"seeds", "2", ""}, {"checkpoint_secs", "1000", ""}};
  const std::string name = method ? method->content : "gcn";
  if (name == "auto") {
    out.insert(out.end(), {{"method", "auto", ""}, {"members", "mlp,sgc", ""}});
    return out;
  }
  out.insert(out.end(), {{"epochs", "6", ""}, {"hidden1", "8", ""}});
  if (name == "scrl")
    out.insert(out.end(), {{"method", "scrl", ""}, {"hidden2", "4", ""}});
  else
    out.push_back({"method", "gcn", ""});
  return out;
}

}  // namespace

void use_model(const Bundle& bundle) {
  const std::string folder = scratch_folder("model");
  write_run(bundle, folder);
  TrainedModel model;
  if (!accepts({ErrorKind::kModelFile, ErrorKind::kUsage},
               [&] { model = TrainedModel::load(folder + "/model.scrl"); }))
    return;
  for (const Dataset* data : {&known(), &other()})
    accepts({ErrorKind::kModelFile, ErrorKind::kUsage, ErrorKind::kData, ErrorKind::kResource},
            [&] {
              const Predictions p = predict(model, *data);
              if (std::ssize(p.label) != data->nodes) throw Finding("nodes without a prediction");
              for (const std::int32_t label : p.label)
                if (label < 0 || label >= std::ssize(p.classes))
                  throw Finding("a class without a name");
            });
}

// Parts "nodes.csv" (or another ending) and "edges.csv".
void use_new_nodes(const Bundle& bundle) {
  const auto predictor = [](const char* method) {
    return Predictor(fit(known(), {{"method", method}, {"epochs", "2"}, {"hidden1", "8"}}).model,
                     known());
  };
  static const Predictor predictors[] = {predictor("gcn"), predictor("scrl")};
  const std::string folder = scratch_folder("joining");
  write_bundle(bundle, folder);
  std::string nodes = folder + "/nodes.csv";
  for (const Part& p : bundle)
    if (p.name.starts_with("nodes.") && p.name.size() < 20) nodes = folder + "/" + p.name;
  const std::string edges = find_part(bundle, "edges.csv") ? folder + "/edges.csv" : "";
  NewNodeFiles files;
  if (!accepts({ErrorKind::kData, ErrorKind::kUsage},
               [&] { files = read_new_nodes(nodes, edges, known()); }) ||
      files.features.rows > 500)
    return;
  for (const Predictor& p : predictors)
    for (const bool joint : {false, true})
      accepts({ErrorKind::kData}, [&] {
        const Predictions out = p.predict({.nodes = files.features.rows,
                                           .features = files.features,
                                           .edges = files.edges,
                                           .edges_among = joint ? files.edges_among : CsrView{}});
        for (const std::int32_t label : out.label)
          if (label < 0 || label >= std::ssize(out.classes))
            throw Finding("a class without a name");
        for (const float share : out.probabilities)
          if (!(share >= 0 && share <= 1.001f)) throw Finding("a probability that is none");
      });
}

void use_run(const Bundle& bundle) {
  const std::string folder = scratch_folder("run");
  write_run(bundle, folder);
  ReportRequest request{.runs = {folder}, .data = kData, .layout = {.kind = Layout2d::kPca}};
  accepts({ErrorKind::kModelFile, ErrorKind::kUsage, ErrorKind::kData, ErrorKind::kResource},
          [&] { report_page(request); });
}

void use_two_runs(const Bundle& bundle) {
  const std::string folder = scratch_folder("compared");
  write_run(bundle, folder);
  const std::string a = folder + "/a", b = folder + "/b";
  for (const std::string& other_run : {a, b})
    accepts({ErrorKind::kModelFile, ErrorKind::kUsage, ErrorKind::kData}, [&] {
      const RunDiff diff = diff_runs(a, other_run);
      (void)to_json(diff).dump();
      if (other_run == a && !diff.equal()) throw Finding("a run differs from itself");
    });
}

void use_checkpoint(const Bundle& bundle) {
  const std::string folder = scratch_folder("resumed");
  write_run(bundle, folder);
  int epochs = 0;
  TrainEvents events;
  events.epoch = [&](int, const std::string&, const EpochStats&, int) { ++epochs; };
  events.should_stop = [&] { return epochs >= 2; };
  TrainRequest request{.data = known(),
                       .data_reference = kData,
                       .settings = settings_of(find_part(bundle, "method")),
                       .out = folder,
                       .if_exists = IfExists::kResume};
  accepts({ErrorKind::kModelFile, ErrorKind::kUsage, ErrorKind::kDiverged, ErrorKind::kRun},
          [&] { run_training(std::move(request), events); });
}

}  // namespace scrl::fuzz
