// experiments/compare_store.h: the folder of a comparison or of a search; docs/formats.md has its
// files.
//
// One JSON file per cell, named by a hash of its key, so that other settings never replace what was
// trained, and the run folder of a cell while it trains. One process at a time works in a folder.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "experiments/compare_plan.h"
#include "io/folder_lock.h"
#include "plan/bench.h"
#include "run/results.h"

namespace scrl {

struct CellOutcome {
  enum class Status { kMissing, kDone, kFailed } status = Status::kMissing;
  std::optional<TrainResult> training;  // of a cell that was trained
  std::optional<EpochTimes> times;      // of a cell whose epochs were timed
  std::string program;                  // which version trained it
  double seconds = 0;                   // of the training, all seeds
  std::optional<double> peak_mb;        // none: not known
  ErrorKind kind = ErrorKind::kRun;
  std::string failure;
};

// Messages may quote bytes of a file that are no UTF-8; they are replaced.
std::string json_text(const Json& j);

// The files of tables with these names: STEM.csv and so on.
std::vector<std::string> table_files(const std::vector<std::string>& stems);

class CompareStore {
 public:
  // Makes the folder. Throws Error(kUsage) when another process works in it, or files of somebody
  // else are where results would go.
  // `files` are the results, `what` is the word for them in messages.
  explicit CompareStore(std::string folder,
                        const std::vector<std::string>& files = table_files({"results"}),
                        std::string_view what = "comparison");

  // What was stored under the cell's key, a failure included; a damaged file is none.
  std::optional<CellOutcome> load(const CompareCell& cell) const;
  // What another version of the program trained with the same data, settings and instruction set,
  // the latest of several; failures are not looked at.
  std::optional<CellOutcome> load_of_any_build(const CompareCell& cell) const;
  void save(const CompareCell& cell, const CellOutcome& outcome) const;
  // How the key differs from that of a stored result of the same cell; empty: there is none. A
  // table may have several rows of a method, and then only results with the same settings tell.
  std::string change(const CompareCell& cell, bool same_settings = false) const;

  // Where layouts of its embeddings are (experiments/figure_layouts.h).
  std::string layouts_file(const CompareCell& cell) const {
    return cells() + "/" + cell.name + ".layouts";
  }
  std::string run_folder(const CompareCell& cell) const;
  void remove_run(const CompareCell& cell) const;

  // What cells of a method that learns without labels share while they train (TrainRequest).
  std::string embeddings(const CompareCell& cell) const { return cells() + "/" + cell.embedding; }
  void remove_embeddings(std::string_view name = "") const;  // "": all of them

  const std::string& folder() const { return folder_; }
  void write(std::string_view name, std::string_view content) const;  // atomically

 private:
  std::string cells() const { return folder_ + "/cells"; }
  std::string file(const CompareCell& cell) const { return cells() + "/" + cell.name + ".json"; }
  std::string folder_;
  std::optional<FolderLock> lock_;
};

}  // namespace scrl
