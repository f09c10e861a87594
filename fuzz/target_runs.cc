// Targets that read what a training left and use it.
#include <filesystem>

#include "data/dataset.h"
#include "report/report.h"
#include "run/outputs.h"
#include "run/train_run.h"
#include "scrl/dataset.h"
#include "scrl/model.h"
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

void use_run(const Bundle& bundle) {
  const std::string folder = scratch_folder("run");
  write_run(bundle, folder);
  ReportRequest request{.runs = {folder}, .data = kData, .map = {.kind = Layout2d::kPca}};
  accepts({ErrorKind::kModelFile, ErrorKind::kUsage, ErrorKind::kData, ErrorKind::kResource},
          [&] { report_page(request); });
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
