#include "serve/service.h"

#include "io/line_reader.h"
#include "serve/page.h"
#include "serve/problem.h"

namespace scrl {
namespace {

// Names of data may be any bytes.
std::string shown_description(const ServedModel& m) {
  return m.description().dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Service::Service(ServeRequest request)
    : request_(std::move(request)),
      model_(std::make_shared<const ServedModel>(request_.run, request_.data)),
      embedding_(std::make_shared<Embedding2d>(request_.run, request_.data, request_.layout)) {}

std::shared_ptr<const ServedModel> Service::model() const {
  std::lock_guard lock(mutex_);
  return model_;
}

std::shared_ptr<Embedding2d> Service::embedding() const {
  std::lock_guard lock(mutex_);
  return embedding_;
}

void Service::reload() {
  std::shared_ptr<const ServedModel> fresh;
  try {
    fresh = std::make_shared<const ServedModel>(request_.run, request_.data);
  } catch (...) {
    ++metrics_.failed_reloads;
    throw;
  }
  auto embedding = std::make_shared<Embedding2d>(request_.run, request_.data, request_.layout);
  {
    std::lock_guard lock(mutex_);
    model_.swap(fresh);
    embedding_.swap(embedding);
  }
  ++metrics_.reloads;
}

std::optional<Reply> Service::answer(const Target& target, std::string_view body,
                                     Waiting& waiting) {
  try {
    switch (target.route) {
      case Route::kHealth:
        return Reply{.body = "{\"status\":\"ok\"}\n"};
      case Route::kReady:
        if (draining_) return problem_reply(503, "the server is ending");
        return Reply{.body = "{\"status\":\"ready\"}\n"};
      case Route::kMetrics: {
        const auto m = model();
        return Reply{.type = "text/plain; version=0.0.4; charset=utf-8",
                     .body = metrics_.text(m->hash(), m->method())};
      }
      case Route::kModel:
        return Reply{.body = shown_description(*model())};
      case Route::kOpenApi:
        return Reply{.body = std::string(openapi_text())};
      case Route::kNode:
        return node(target, waiting);
      case Route::kPredict:
        return predict(body, waiting);
      case Route::kEmbedding:
        return embedding()->reply();
      case Route::kPage:
        return Reply{.type = "text/html; charset=utf-8", .body = page_html(*model())};
      case Route::kNone:
        break;
    }
    return problem_reply(404, "there is nothing here");
  } catch (...) {
    return problem_of_exception();
  }
}

std::optional<Reply> Service::node(const Target& target, Waiting& w) {
  w.model = model();
  const auto node = w.model->known().ids.find(target.id);
  if (!node) refuse(404, "there is no node ", shown(target.id), " in the training data");
  w.request = {.known = {*node}, .alpha = target.alpha};
  w.single = true;
  return look_up(w);
}

std::optional<Reply> Service::predict(std::string_view body, Waiting& w) {
  w.model = model();
  w.request = parse_predict_request(body, w.model->known());
  if (!w.request.new_ids.empty()) w.model->require_new_nodes();
  return look_up(w);
}

// None where there are new nodes, or sets that have yet to be made.
std::optional<Reply> Service::look_up(Waiting& w) {
  w.found.ids = std::move(w.request.new_ids);
  if (w.request.alpha) w.sets = batcher_.ready_sets(*w.model, *w.request.alpha);
  if (w.found.ids.empty() && (!w.request.alpha || w.sets)) return written(w);
  return std::nullopt;
}

void Service::submit(Waiting& w) {
  if (batcher_.add(w)) return;
  w.problem = problem_reply(429, cat("more than ", Batcher::kQueue, " new nodes wait already"));
  w.problem->retry_after = 1;
  w.done();
}

Reply Service::answer_of(Waiting& w) const {
  return w.problem ? std::move(*w.problem) : written(w);
}

Reply Service::written(const Waiting& w) const {
  const ServedModel& model = *w.model;
  metrics_.known_nodes.fetch_add(w.request.known.size(), std::memory_order_relaxed);
  metrics_.new_nodes.fetch_add(w.found.ids.size(), std::memory_order_relaxed);
  Reply out;
  std::string& body = out.body;
  body.reserve(256 +
               (w.request.known.size() + w.found.ids.size()) * (64 + 24 * model.classes().size()));
  ((body += "{\"model\":\"") += model.hash()) += "\",";
  if (w.sets) {
    append_sets_note(body, *w.sets, !w.found.ids.empty());
    body += ',';
  }
  if (!w.single) body += "\"predictions\":[{";
  bool first = true;
  const auto next = [&] {
    if (!first) body += "},{";
    first = false;
  };
  for (const NodeId node : w.request.known) {
    next();
    append_known(body, model, node, w.sets.get());
  }
  for (std::size_t i = 0; i < w.found.ids.size(); ++i) {
    next();
    append_new(body, model, w.found, i);
  }
  if (!w.single && first) body.pop_back();  // an empty list
  body += w.single ? "}\n" : first ? "]}\n" : "}]}\n";
  return out;
}

}  // namespace scrl
