#include "experiments/cell_training.h"

#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/memory.h"
#include "base/stopwatch.h"
#include "io/paths.h"
#include "run/event_log.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

// Epoch times of a run's events.jsonl. After a resume it holds every epoch once, those of the
// killed process included.
double epoch_seconds(const std::string& run) {
  double ms = 0;
  for (const LoggedEpoch& e : read_epochs(run + "/events.jsonl")) ms += e.milliseconds;
  return ms / 1e3;
}

TrainOutput train_or_start_anew(const CellTraining& t, const TrainEvents& events) {
  const std::string folder = t.store.run_folder(t.cell);
  const TrainRequest request{.data_reference = t.data_reference,
                             .settings = t.cell.settings,
                             .out = folder,
                             .if_exists = IfExists::kResume,
                             .mem_limit = t.mem_limit,
                             .shared_data = &t.data,
                             .operands = t.operands,
                             .outputs = t.outputs,
                             .embeddings = t.embeddings};
  const bool resumed = exists(folder);
  try {
    return run_training(request, events);
  } catch (const Error& e) {
    // The folder is ours: where it cannot be gone on with, that only costs time.
    if (!resumed || (e.kind() != ErrorKind::kModelFile && e.kind() != ErrorKind::kUsage)) throw;
    if (events.note) events.note(cat(e.what(), ": starting this cell anew"));
    t.store.remove_run(t.cell);
  }
  return run_training(request, events);
}

}  // namespace

CellOutcome train_cell(const CellTraining& training, const TrainEvents& given) {
  const bool peak_known = reset_peak_memory();
  const Stopwatch watch;
  double here = 0;  // seconds in epochs of this process
  TrainEvents events = given;
  events.epoch = [&](int seed, const std::string& name, const EpochStats& e, int epochs) {
    here += (e.train_ms + e.eval_ms) / 1e3;
    if (given.epoch) given.epoch(seed, name, e, epochs);
  };
  const TrainOutput output = train_or_start_anew(training, events);
  CellOutcome out;
  if (output.interrupted) return out;
  const double all = epoch_seconds(training.store.run_folder(training.cell));
  out.seconds = watch.seconds() + std::max(0.0, all - here) + output.reused_seconds;
  if (peak_known && output.reused_seconds == 0)
    out.peak_mb = static_cast<double>(peak_memory()) / 1e6;
  out.training = output.result;
  out.status = Status::kDone;
  return out;
}

CellOutcome outcome_of(const std::function<CellOutcome()>& train) {
  try {
    return train();
  } catch (const Error& e) {
    return {.status = Status::kFailed, .kind = e.kind(), .failure = e.what()};
  } catch (const std::bad_alloc&) {
    return {.status = Status::kFailed, .kind = ErrorKind::kResource, .failure = "out of memory"};
  }
}

}  // namespace scrl
