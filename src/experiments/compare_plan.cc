#include "experiments/compare_plan.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "kernels/simd.h"
#include "models/registry.h"
#include "paper/published_settings.h"

namespace scrl {
namespace {

std::string file_text(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
  return text;
}

std::string short_hash(const Json& key) {
  return Hasher()
      .text(key.dump(-1, ' ', false, Json::error_handler_t::replace))
      .hex()
      .substr(0, 12);
}

// The name of what a method without labels learns, whatever nodes its classifier is fitted to.
std::string embedding_name(const CompareCell& cell, const DataFacts& data) {
  Json key = cell.key;
  for (const char* of_labels : {"split", "labels", "protocol", "val_nodes", "test_nodes",
                                "val_share", "test_share", "seed", "seeds"})
    key["settings"].erase(of_labels);
  return file_text(cat(data.name, "-", cell.method, "-", short_hash(key)));
}

}  // namespace

void finish_cell(CompareCell& cell, const std::string& program, const DataFacts& data,
                 int bench_epochs) {
  const RunConfig config(cell.settings, data.name);
  cell.first_seed = config.train.seed;
  cell.epochs = config.train.epochs;
  cell.seeds = config.run.seeds;
  Json settings = Json::object();
  for (const Setting& s : config.values()) settings[s.key] = s.value;
  cell.key = {{"program", program},
              {"simd", kernels::simd_level()},
              {"dataset", data.name},
              {"fingerprint", data.fingerprint},
              {"settings", settings}};
  if (bench_epochs > 0) {
    cell.key["bench_epochs"] = bench_epochs;
    cell.key["threads"] = threads();
  }
  if (cell.layouts) cell.key["layouts"] = *cell.layouts;
  cell.stem = file_text(cat(data.name, "-", data.fingerprint.substr(0, 8), "-", cell.method, "-",
                            cell.labels, "-", bench_epochs > 0 ? "bench" : name_of(cell.protocol),
                            cell.layouts ? "-layouts" : ""));
  cell.name = cat(cell.stem, "-", short_hash(cell.key));
  if (bench_epochs == 0 && !method_info(cell.method).labels)
    cell.embedding = embedding_name(cell, data);
}

ComparePlan plan_comparison(const CompareRequest& request, std::vector<DataFacts> data) {
  ComparePlan plan{.table = request.table,
                   .title = request.title,
                   .data = std::move(data),
                   .rows = request.rows,
                   .protocols = request.protocols,
                   .bench_epochs = request.bench_epochs,
                   .layouts = request.layouts,
                   .gain = request.gain,
                   .notes = request.notes};
  for (const DataRequest& d : request.data)
    if (!d.note.empty()) plan.notes.push_back(d.note);
  for (std::string& note : notes_on_settings(request)) plan.notes.push_back(std::move(note));
  std::vector<Protocol> trainings;
  for (const Protocol p : request.protocols) {
    const Protocol training = p == Protocol::kOracle ? Protocol::kVal : p;
    if (std::find(trainings.begin(), trainings.end(), training) == trainings.end())
      trainings.push_back(training);
  }
  std::map<std::string, std::vector<std::string>> places;  // by what is missing there
  for (std::size_t d = 0; d < plan.data.size(); ++d) {
    if (plan.data[d].labels.empty()) plan.data[d].labels = request.labels;
    for (const int labels : plan.data[d].labels) {
      std::map<Profile, std::vector<std::string>> unpublished;  // methods
      for (std::size_t r = 0; r < plan.rows.size(); ++r) {
        const std::string& method = plan.rows[r].method;
        std::vector<Setting> settings = settings_for(request, plan.rows[r]);
        if (labels > 0) settings.push_back({"labels", cat(labels), "compare"});
        if (const Profile profile = plan.rows[r].profile; profile != Profile::kDefault) {
          try {
            published_values(method, plan.data[d].name, labels);
            settings.push_back({"profile", name_of(profile), "compare"});
          } catch (const Error&) {
            auto& methods = unpublished[profile];
            if (std::count(methods.begin(), methods.end(), method) == 0) methods.push_back(method);
          }
        }
        for (const Protocol training : trainings) {
          CompareCell cell{.data = d,
                           .labels = labels,
                           .row = r,
                           .method = method,
                           .protocol = training,
                           .settings = settings};
          cell.settings.push_back({"protocol", name_of(training), "compare"});
          if (request.layouts) {
            cell.layouts = request.data[d].snapshots;
            cell.settings.push_back({"snapshots", *cell.layouts, "compare"});
          }
          finish_cell(cell, request.program, plan.data[d], request.bench_epochs);
          plan.cells.push_back(std::move(cell));
        }
      }
      for (const auto& [profile, methods] : unpublished)
        places[cat(name_of(profile), " has no settings for ", joined(methods))].push_back(
            cat(plan.data[d].name, labels > 0 ? cat(" ", labels) : ""));
    }
  }
  for (const auto& [missing, where] : places)
    plan.notes.push_back(
        cat("profile ", missing, " on ", joined(where), "; the default ones were used"));
  // Only now, since profiles and keys go by the name of the data.
  std::multiset<std::string> names;
  for (const DataFacts& d : plan.data) names.insert(d.name);
  for (DataFacts& d : plan.data)
    if (names.count(d.name) > 1) d.name = d.given;
  return plan;
}

int shown_rate(const ComparePlan& plan, std::size_t data, int labels) {
  return labels > 0 ? labels : plan.data[data].first_rate;
}

std::size_t cell_of(const ComparePlan& plan, std::size_t data, int labels, std::size_t row,
                    Protocol protocol) {
  const Protocol training = protocol == Protocol::kOracle ? Protocol::kVal : protocol;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const CompareCell& c = plan.cells[i];
    if (c.data == data && c.labels == labels && c.row == row && c.protocol == training) return i;
  }
  fail(ErrorKind::kRun, "no cell for ", plan.rows[row].label, " under ", name_of(protocol));
}

}  // namespace scrl
