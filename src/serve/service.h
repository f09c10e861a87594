// serve/service.h: what the server answers, apart from HTTP: the model that is served now, its
// answers, and the change to another one.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "serve/batcher.h"
#include "serve/embedding2d.h"
#include "serve/router.h"

namespace scrl {

struct ServeRequest {
  std::string run, data;              // as ServedModel takes them
  Layout2d layout = Layout2d::kTsne;  // of the page's 2-D embedding
};

class Service {
 public:
  // Loads the model. Throws what ServedModel throws.
  explicit Service(ServeRequest request);

  // Loads the model anew and serves it from then on. Requests that have begun end with the model
  // they began with. On an error the old one stays, and the error is thrown.
  void reload();

  // The answer; or none, then `waiting` has the request, and it takes the worker.
  std::optional<Reply> answer(const Target& target, std::string_view body, Waiting& waiting);
  // Calls waiting.done(), mostly later; then answer_of() has the answer.
  void submit(Waiting& waiting);
  Reply answer_of(Waiting& waiting) const;

  void drain() { draining_ = true; }  // from now on GET /readyz says no
  Metrics& metrics() { return metrics_; }
  std::shared_ptr<const ServedModel> model() const;

 private:
  std::optional<Reply> predict(std::string_view body, Waiting& waiting);
  std::optional<Reply> node(const Target& target, Waiting& waiting);
  std::optional<Reply> look_up(Waiting& waiting);
  Reply written(const Waiting& waiting) const;

  std::shared_ptr<Embedding2d> embedding() const;

  const ServeRequest request_;
  mutable std::mutex mutex_;  // of the two below
  std::shared_ptr<const ServedModel> model_;
  std::shared_ptr<Embedding2d> embedding_;
  std::atomic<bool> draining_{false};
  mutable Metrics metrics_;
  Batcher batcher_{metrics_};
};

}  // namespace scrl
