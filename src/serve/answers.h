// serve/answers.h: the JSON of answers, written straight into one string. Probabilities have the
// digits that scrl predict gives them, classes in a set its order.
#pragma once
#include <string>
#include <string_view>

#include "serve/served_model.h"

namespace scrl {

// A whole answer. `body` goes out as it is.
struct Reply {
  int status = 200;
  const char* type = "application/json";
  std::string body;
  std::string allow;    // header Allow, of status 405
  int retry_after = 0;  // seconds; 0: no such header
};

// application/problem+json.
Reply problem_reply(int status, std::string_view detail, std::string_view field = {});
Reply problem_of_exception();  // of the one that is being handled
const char* status_text(int status);

// Of each new node of a request.
struct NewPredictions {
  std::vector<std::string> ids;
  std::vector<std::int32_t> label;
  std::vector<float> probabilities;  // row by row
  std::vector<bool> member;          // of its set, row by row; empty: no sets
};

// "id":...,"label":...,"probabilities":{...},"set":[...], the members of an object.
void append_known(std::string& out, const ServedModel& model, NodeId node, const ServedSets* sets);
void append_new(std::string& out, const ServedModel& model, const NewPredictions& found,
                std::size_t i);
// "sets":{...}: what the sets are and what is promised.
void append_sets_note(std::string& out, const ServedSets& sets, bool any_new);

}  // namespace scrl
