#include "experiments/reproduce.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "data/dataset.h"
#include "experiments/figures.h"
#include "experiments/paper_experiments.h"

namespace scrl {
namespace {

template <class T>
bool contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Why a data set cannot be found; empty: it can.
std::string reason_missing(const std::string& name) {
  try {
    dataset_path(name);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

// Leaves of an experiment what was asked for, and says why if that is nothing.
std::string restrict(Experiment& e, const ReproduceRequest& request) {
  if (!request.methods.empty())
    std::erase_if(e.rows, [&](const Variant& r) { return !contains(request.methods, r.method); });
  if (e.rows.empty()) return "it has none of the methods asked for";
  if (!request.only.empty())
    std::erase_if(e.data, [&](const DataRequest& d) { return !contains(request.only, d.given); });
  if (e.data.empty()) return "it is on none of the data sets asked for";
  if (!request.labels.empty())
    for (DataRequest& d : e.data)
      std::erase_if(d.labels, [&](int rate) { return !contains(request.labels, rate); });
  std::erase_if(e.data, [](const DataRequest& d) { return d.labels.empty(); });
  return e.data.empty() ? "it has none of the label rates asked for" : "";
}

void check_data_names(const std::vector<std::string>& only) {
  std::vector<std::string> known;
  for (const Experiment& e : experiments())
    for (const DataRequest& d : e.data)
      if (!contains(known, d.given)) known.push_back(d.given);
  for (const std::string& name : only)
    if (!contains(known, name))
      fail(ErrorKind::kUsage, "--only: the paper has no data set '", name, "'; it has ",
           joined(known));
}

// Takes out the data sets that are not there, if all tables were asked for.
void check_data(std::vector<Experiment>& list, bool all, std::vector<std::string>& skipped) {
  std::map<std::string, std::string> missing;  // name, reason
  std::map<std::string, std::vector<std::string>> tables;
  bool some = false;
  for (const Experiment& e : list)
    for (const DataRequest& d : e.data) {
      const std::string why = reason_missing(d.given);
      some |= why.empty();
      if (why.empty()) continue;
      missing[d.given] = why;
      tables[d.given].push_back(e.name);
    }
  if (missing.empty()) return;
  if (!some || !all) {
    std::vector<std::string> names;
    names.reserve(missing.size());
    for (const auto& m : missing) names.push_back(m.first);
    fail(ErrorKind::kData, missing.begin()->second,
         some ? cat(". Missing: ", joined(names), "; --only names the data sets to use") : "");
  }
  for (const auto& m : missing)
    skipped.push_back(cat(m.first, " is not there and left out of ", joined(tables[m.first])));
  for (Experiment& e : list)
    std::erase_if(e.data, [&](const DataRequest& d) { return missing.count(d.given) > 0; });
  for (const Experiment& e : list)
    if (e.data.empty()) skipped.push_back(e.name + " is left out: no data set of it is there");
  std::erase_if(list, [](const Experiment& e) { return e.data.empty(); });
}

CompareRequest request_for(const Experiment& e, const ReproduceRequest& request) {
  CompareRequest out{.data = e.data,
                     .rows = e.rows,
                     .protocols = e.protocols,
                     .table = e.name,
                     .title = e.title,
                     .notes = e.notes,
                     .bench_epochs = e.timing ? request.bench_epochs : 0,
                     .layouts = e.layouts,
                     .gain = e.gain,
                     .program = request.program,
                     .any_build = request.any_build,
                     .mem_limit = request.mem_limit};
  const int seeds = request.seeds > 0 && !e.timing ? request.seeds : e.seeds;
  out.settings = {{"seeds", cat(seeds), "reproduce"}};
  for (const Setting& s : request.settings)
    if (applies(s, methods_of(e.rows))) out.settings.push_back(s);
  return out;
}

}  // namespace

std::vector<CompareRequest> plan_reproduction(const ReproduceRequest& request,
                                              std::vector<std::string>& skipped) {
  std::vector<Experiment> list = experiments_named(request.tables);
  const bool all = std::any_of(request.tables.begin(), request.tables.end(), is_group);
  check_data_names(request.only);
  for (Experiment& e : list) {
    const std::string why = restrict(e, request);
    if (why.empty()) continue;
    if (!all || list.size() == 1) fail(ErrorKind::kUsage, e.name, ": ", why);
    skipped.push_back(cat(e.name, " is left out: ", why));
    e.rows.clear();
  }
  std::erase_if(list, [](const Experiment& e) { return e.rows.empty(); });
  if (list.empty()) fail(ErrorKind::kUsage, "nothing is left to do: ", joined(skipped));
  std::vector<CompareRequest> out;
  for (const Setting& s : request.settings)
    if (std::none_of(list.begin(), list.end(),
                     [&](const Experiment& e) { return applies(s, methods_of(e.rows)); })) {
      CompareRequest wrong = request_for(list.front(), request);
      wrong.settings = {s};
      check_request(wrong);  // says what is wrong with it
    }
  check_data(list, all, skipped);
  for (const Experiment& e : list) {
    out.push_back(request_for(e, request));
    check_request(out.back());
  }
  return out;
}

Reproduction reproduce(const ReproduceRequest& request, const CompareEvents& events,
                       const std::function<void(const Comparison&)>& table_done) {
  Reproduction out;
  const std::vector<CompareRequest> plan = plan_reproduction(request, out.skipped);
  for (const std::string& line : out.skipped)
    if (events.note) events.note(line);
  std::vector<std::string> stems;
  stems.reserve(plan.size());
  for (const CompareRequest& r : plan) stems.push_back(r.table);
  std::vector<std::string> files = table_files(stems);
  for (const CompareRequest& r : plan)
    for (const std::string& name : figure_files(r)) files.push_back(name);
  const bool page = std::any_of(plan.begin(), plan.end(), [](const CompareRequest& r) {
    return r.table.starts_with("fig-");
  });
  if (page) files.emplace_back(kFiguresPage);
  const CompareStore store(request.folder, files);
  out.folder = store.folder();
  for (const CompareRequest& r : plan) {
    out.tables.push_back(run_comparison(r, events, &store));
    if (table_done) table_done(out.tables.back());
    out.interrupted = out.tables.back().interrupted;
    if (out.interrupted) break;
  }
  if (page) store.write(kFiguresPage, figures_page(out.tables, store));
  return out;
}

}  // namespace scrl
