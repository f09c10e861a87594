#include "serve/answers.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "serve/json_reader.h"
#include "serve/problem.h"

namespace scrl {
const char* status_text(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

Reply problem_reply(int status, std::string_view detail, std::string_view field) {
  Reply out{.status = status, .type = "application/problem+json"};
  out.body = cat("{\"type\":\"about:blank\",\"title\":\"", status_text(status),
                 "\",\"status\":", status, ",\"detail\":");
  append_json_text(out.body, detail);
  if (!field.empty()) append_json_text(out.body += ",\"field\":", field);
  out.body += "}\n";
  return out;
}

Reply problem_of_exception() {
  try {
    throw;
  } catch (const Problem& p) {
    return problem_reply(p.status(), p.what(), p.field());
  } catch (const Error& e) {
    return problem_reply(e.kind() == ErrorKind::kUsage ? 422 : 500, e.what());
  } catch (const std::bad_alloc&) {
    return problem_reply(503, "the server is out of memory");
  } catch (const std::exception& e) {
    return problem_reply(500, e.what());
  }
}

namespace {

void append_prediction(std::string& out, const ServedModel& model, std::string_view id,
                       std::size_t label, const float* p) {
  const std::vector<std::string>& names = model.class_json();
  append_json_text(out += "\"id\":", id);
  (out += ",\"label\":") += names[label];
  out += ",\"probabilities\":{";
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (c > 0) out += ',';
    (out += names[c]) += ':';
    detail::append(out, p[c]);
  }
  out += '}';
}

// The most probable class first; `scores` ascend with the probabilities.
void append_set(std::string& out, const ServedModel& model, const float* scores,
                const std::vector<bool>& member, std::size_t row) {
  const std::vector<std::string>& names = model.class_json();
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (member[row * names.size() + c]) order.push_back(c);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  out += ",\"set\":[";
  for (std::size_t i = 0; i < order.size(); ++i) (out += i > 0 ? "," : "") += names[order[i]];
  out += ']';
}

}  // namespace

void append_known(std::string& out, const ServedModel& model, NodeId node, const ServedSets* sets) {
  const auto row = model.log_probs().row_span(node);
  const auto best = std::max_element(row.begin(), row.end()) - row.begin();
  std::vector<float> p(row.begin(), row.end());
  for (float& v : p) v = std::exp(v);
  append_prediction(out, model, model.id(node), static_cast<std::size_t>(best), p.data());
  if (sets)
    append_set(out, model, row.data(), sets->known.sets.member, static_cast<std::size_t>(node));
}

void append_new(std::string& out, const ServedModel& model, const NewPredictions& found,
                std::size_t i) {
  const float* p = found.probabilities.data() + i * model.classes().size();
  append_prediction(out, model, found.ids[i], static_cast<std::size_t>(found.label[i]), p);
  if (!found.member.empty()) append_set(out, model, p, found.member, i);
}

void append_sets_note(std::string& out, const ServedSets& sets, bool any_new) {
  out += cat("\"sets\":{\"alpha\":", sets.alpha,
             ",\"guaranteed\":", sets.known.guaranteed && !any_new, ",\"statement\":");
  append_json_text(out, any_new ? cat(sets.known.statement, ". Nothing is promised for new nodes: ",
                                      "their sets are by APS and the same labels")
                                : sets.known.statement);
  out += '}';
}

}  // namespace scrl
