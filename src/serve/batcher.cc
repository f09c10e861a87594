#include "serve/batcher.h"

#include <algorithm>
#include <cmath>

#include "serve/problem.h"

namespace scrl {
namespace {

constexpr std::size_t kKeptSets = 16;

// A request for sets alone counts as one node.
Index weight(const Waiting& w) {
  return std::max<Index>(1, static_cast<Index>(w.found.ids.size()));
}

void append_rows(const Csr& from, Index begin, Index end, Csr& to) {
  const Index first = from.row_ptr[begin], last = from.row_ptr[end];
  for (Index i = begin; i < end; ++i) to.row_ptr.push_back(to.nnz() + from.row_ptr[i + 1] - first);
  to.col.insert(to.col.end(), from.col.begin() + first, from.col.begin() + last);
  to.val.insert(to.val.end(), from.val.begin() + first, from.val.begin() + last);
  to.rows += end - begin;
}

template <class Do>
std::optional<Reply> problem_of(Do step) {
  try {
    step();
  } catch (...) {
    return problem_of_exception();
  }
  return std::nullopt;
}

}  // namespace

Batcher::~Batcher() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

bool Batcher::add(Waiting& w) {
  {
    std::lock_guard lock(mutex_);
    if (queued_ > 0 && queued_ + weight(w) > kQueue) return false;
    w.since_ = std::chrono::steady_clock::now();
    queue_.push_back(&w);
    queued_ += weight(w);
    metrics_.queued_nodes = queued_;
  }
  changed_.notify_all();
  return true;
}

std::shared_ptr<const ServedSets> Batcher::ready_sets(const ServedModel& model,
                                                      double alpha) const {
  std::lock_guard lock(mutex_);
  for (const KeptSets& k : kept_)
    if (k.sets->alpha == alpha && k.model.lock().get() == &model) return k.sets;
  return nullptr;
}

void Batcher::work() {
  for (;;) {
    const std::vector<Piece> batch = next_batch();
    if (batch.empty()) return;
    predict(batch);
    for (const Piece& p : batch)
      if (p.end == static_cast<Index>(p.request->found.ids.size())) finish(*p.request);
  }
}

// Of one model; a request with more rows than fit goes on in the next batch.
std::vector<Batcher::Piece> Batcher::next_batch() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
  if (queue_.empty()) return {};
  changed_.wait_until(lock, queue_.front()->since_ + kDelay,
                      [&] { return stopping_ || queued_ >= kBatch; });
  std::vector<Piece> out;
  const ServedModel* model = queue_.front()->model.get();
  for (Index room = kBatch; room > 0 && !queue_.empty() && queue_.front()->model.get() == model;) {
    Waiting& w = *queue_.front();
    const Index rows = static_cast<Index>(w.found.ids.size());
    const Index end = std::min(rows, w.begun_ + room);
    out.push_back({&w, w.begun_, end});
    const Index taken = std::max<Index>(1, end - w.begun_);
    w.begun_ = end;
    queued_ -= taken;
    room -= taken;
    if (end == rows) queue_.pop_front();
  }
  metrics_.queued_nodes = queued_;
  return out;
}

void Batcher::predict(const std::vector<Piece>& batch) {
  const ServedModel& model = *batch.front().request->model;
  Csr features{.cols = batch.front().request->request.features.cols};
  Csr edges{.cols = batch.front().request->request.edges.cols};
  Predictions found;
  const auto problem = problem_of([&] {
    for (const Piece& p : batch) {
      append_rows(p.request->request.features, p.begin, p.end, features);
      append_rows(p.request->request.edges, p.begin, p.end, edges);
    }
    if (features.rows > 0) found = model.predict(features, edges);
  });
  if (features.rows > 0) metrics_.batches.fetch_add(1, std::memory_order_relaxed);
  const std::size_t M = model.classes().size();
  std::size_t row = 0;
  for (const Piece& p : batch) {
    Waiting& w = *p.request;
    const auto count = static_cast<std::size_t>(p.end - p.begin);
    if (problem) {
      w.problem = problem;
    } else {
      const auto label = found.label.begin() + row;
      const auto p0 = found.probabilities.begin() + row * M;
      w.found.label.insert(w.found.label.end(), label, label + count);
      w.found.probabilities.insert(w.found.probabilities.end(), p0, p0 + count * M);
    }
    row += count;
  }
}

void Batcher::finish(Waiting& w) {
  if (!w.problem &&
      !std::ranges::all_of(w.found.probabilities, [](float p) { return std::isfinite(p); }))
    w.problem = problem_reply(422, "predictions are beyond the range of float; scale the features",
                              "nodes");
  if (!w.problem && w.request.alpha) w.problem = problem_of([&] { make_sets(w); });
  w.done();
}

void Batcher::make_sets(Waiting& w) {
  const double alpha = *w.request.alpha;
  if (!w.sets) w.sets = ready_sets(*w.model, alpha);
  if (!w.sets) {
    try {
      w.sets = std::make_shared<const ServedSets>(w.model->sets(alpha));
    } catch (const Error& e) {
      throw Problem(422, e.what(), "alpha");
    }
    std::lock_guard lock(mutex_);
    kept_.push_front({w.model, w.sets});
    if (kept_.size() > kKeptSets) kept_.pop_back();
  }
  if (!w.found.ids.empty())
    w.found.member = w.model->sets_of_new(*w.sets, w.found.ids, w.found.probabilities);
}

}  // namespace scrl
