// io/pickle_machine.h: the stack machine behind io/pickle.h. Internal to it.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/types.h"

namespace scrl::pickle {

enum class Kind : std::uint8_t {
  kNone,
  kBool,
  kInt,  // held in the value itself
  kText,
  kTuple,
  kList,
  kDict,  // number = position in the store
  kGlobal,
  kType,
  kArray,
  kSparse,  // likewise
};

// The names a pickle may mention; nothing behind them is ever called.
enum class Name : Index {
  kCsrMatrix,
  kReconstructArray,
  kArrayClass,
  kTypeClass,
  kDefaultDict,
  kListClass,
  kReconstructObject,
  kObjectClass,
  kEncode,
};

struct Value {
  Kind kind = Kind::kNone;
  Index number = 0;
};

struct Object {
  std::string_view text;     // kText: its bytes; kArray: the data
  std::vector<Value> items;  // kTuple, kList; kDict, kSparse: key, value, key, value, ...
  // kType and kArray
  char type = 0;
  int width = 0;
  bool fortran_order = false;
  std::vector<Index> shape;
};

// Everything a pickle made. Objects refer to each other by position, in any shape (also circles):
// whoever follows references must do so to a fixed depth.
struct Store {
  std::string name, content;
  Index stored_bytes = 0;  // that the content took on disk
  std::deque<Object> objects;
  std::deque<std::string> texts;  // texts that are not a piece of the content
  Value root;

  Object& at(Value v) { return objects[static_cast<std::size_t>(v.number)]; }
  const Object& at(Value v) const { return objects[static_cast<std::size_t>(v.number)]; }
};

class Machine {
 public:
  explicit Machine(Store& store) : store_(store) {}
  void run();  // fills store.root from store.content

 private:
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail(ErrorKind::kData, store_.name, ": byte ", opcode_at_, ": ", parts...);
  }

  // Bytes
  std::string_view take(std::size_t size);
  template <class T>
  T little();
  std::string_view line();
  Index decimal(std::string_view text) const;
  Index long_integer(std::size_t size);

  // Stack
  void spend(std::size_t bytes);  // of memory; refuses more than the file is good for
  Value pop();
  void push(Value v);
  Value make(Kind kind);
  void push_text(std::string_view text);
  std::vector<Value> pop_to_mark();
  Value& top_of(Kind kind, const char* what);
  std::string_view text_of(Value v, const char* what) const;

  // Opcodes
  bool step(unsigned char opcode);  // false: unknown
  bool step_numbers_and_texts(unsigned char opcode);
  bool step_containers(unsigned char opcode);
  bool step_memo(unsigned char opcode);
  bool step_calls(unsigned char opcode);
  void tuple(std::vector<Value> items);
  void append(std::vector<Value> items);
  void set_items(std::vector<Value> items);
  void memo_put(Index key);
  void memo_get(Index key);
  void global(std::string_view module, std::string_view name);
  void reduce();
  void build();
  void check_type_state(Value state) const;
  void build_array(Object& array, Value state);
  void quoted_text(std::string_view source);
  void escaped_text(std::string_view source);
  void encode_latin1(std::string_view utf8);

  Store& store_;
  std::size_t at_ = 0;  // next byte
  std::size_t opcode_at_ = 0;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;  // stack sizes
  std::unordered_map<Index, Value> memo_;
  Index spent_ = 0;
};

}  // namespace scrl::pickle
