// serve/batcher.h: the one thread that predicts new nodes, many of them at once.
//
// It waits until 256 nodes have come or the first has waited for 2 ms. A new node sees nodes of the
// training data only, so its company in a batch changes no bit of its answer (scrl/predictor.h).
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "serve/answers.h"
#include "serve/metrics.h"
#include "serve/served_model.h"

namespace scrl {

// A request that the worker answers.
class Waiting {
 public:
  virtual ~Waiting() = default;
  // Called once, by the worker, which does not touch the object afterwards.
  virtual void done() noexcept = 0;

  std::shared_ptr<const ServedModel> model;
  PredictRequest request;
  bool single = false;                     // the answer is one prediction, not a list
  std::shared_ptr<const ServedSets> sets;  // of request.alpha; null: to be made

  NewPredictions found;  // unless there is a problem
  std::optional<Reply> problem;

 private:
  friend class Batcher;
  Index begun_ = 0;  // rows that are in a batch or done
  std::chrono::steady_clock::time_point since_;
};

class Batcher {
 public:
  static constexpr Index kBatch = 256;
  static constexpr std::chrono::milliseconds kDelay{2};
  static constexpr Index kQueue = 1024;  // nodes that may wait

  explicit Batcher(Metrics& metrics) : metrics_(metrics), worker_([this] { work(); }) {}
  ~Batcher();  // what waits is answered first

  // False: too many wait already. A request of any size that is allowed fits when none waits.
  bool add(Waiting& request);

  // The sets of an alpha, where they have been made before; else null.
  std::shared_ptr<const ServedSets> ready_sets(const ServedModel& model, double alpha) const;

 private:
  struct Piece {  // rows [begin, end) of a request
    Waiting* request;
    Index begin, end;
  };
  struct KeptSets {
    std::weak_ptr<const ServedModel> model;
    std::shared_ptr<const ServedSets> sets;
  };
  void work();
  std::vector<Piece> next_batch();
  void predict(const std::vector<Piece>& batch);
  void finish(Waiting& request);
  void make_sets(Waiting& request);

  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting*> queue_;
  Index queued_ = 0;  // nodes of queue_ that are in no batch
  bool stopping_ = false;
  std::deque<KeptSets> kept_;  // the last made first
  std::thread worker_;
};

}  // namespace scrl
