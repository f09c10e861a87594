// serve/json_reader.h: reads the JSON of a request value by value, as the caller expects them.
//
//   JsonReader in(body);
//   in.object([&](const std::string& key) {
//     if (key == "ids") in.array([&] { ids.push_back(in.text()); });
//     else in.refuse("expected ids");
//   });
//   in.end();
// No tree is built: memory follows what the caller keeps. A caller reads what it knows and refuses
// the rest, so nesting is as deep as the caller's own calls. What is no JSON is a Problem with
// status 400 and the byte; what is JSON of another shape is one with 422 and the place of the
// value.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/types.h"
#include "serve/problem.h"

namespace scrl {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  // Calls `member` for each member, `item` for each item; they read the value. Whether a key may
  // come twice is the caller's to say.
  void object(FunctionRef<void(const std::string& key)> member);
  void array(FunctionRef<void()> item);
  std::string text();
  std::string_view number();  // its characters
  bool at_object();           // what comes next, without reading it
  void end();                 // nothing may follow

  // Status 422, at the value that was read last or is being read.
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    refuse_text(cat(parts...));
  }
  std::string place() const;  // "nodes[3].features.12"; empty: the whole

 private:
  struct Step {
    std::string key;  // of an object
    Index item = -1;  // of an array
  };
  [[noreturn]] void refuse_text(const std::string& detail) const;
  [[noreturn]] void broken(std::string_view expected) const;
  char next();  // the first character of what comes next; 0: the text ends
  void expect(char first, std::string_view what);
  bool take(char c);
  void more_or(char close, bool& more);
  std::string quoted();
  void escape(std::string& out);
  unsigned hex4();

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Step> steps_;
};

// The other way: a text in quotes, escaped.
void append_json_text(std::string& out, std::string_view text);

}  // namespace scrl
