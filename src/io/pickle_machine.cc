// Long because it is one switch over the opcodes of the pickle protocol.
#include "io/pickle_machine.h"

#include <charconv>
#include <cstring>
#include <utility>

namespace scrl::pickle {
namespace {

// What is made of a pickle may take so many times the bytes that it takes on disk, and this much in
// any case. A list of node numbers takes 16 times its bytes, lists of one number 60 times.
constexpr Index kMaxGrowth = 256, kGrowthAllowance = Index{16} << 20;
constexpr std::size_t kMemoEntry = 64;

constexpr const char* kWhatIsRead =
    ": only scipy CSR, numpy arrays and dict of lists are read, nothing is executed";

}  // namespace

std::string_view Machine::take(std::size_t size) {
  if (size > store_.content.size() - at_) refuse("the pickle ends too early");
  at_ += size;
  return std::string_view(store_.content).substr(at_ - size, size);
}

template <class T>
T Machine::little() {
  T value;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

std::string_view Machine::line() {
  const std::size_t end = store_.content.find('\n', at_);
  if (end == std::string::npos) refuse("the pickle ends too early");
  const auto text = take(end - at_);
  take(1);
  return text;
}

Index Machine::decimal(std::string_view text) const {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    refuse("expected a whole number below 2^63");
  }
  return value;
}

Index Machine::long_integer(std::size_t size) {
  if (size > sizeof(Index)) refuse("expected a whole number below 2^63");
  const auto bytes = take(size);
  std::uint64_t value = size > 0 && bytes.back() & 0x80 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return static_cast<Index>(value);
}

Value Machine::pop() {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) refuse("a value is missing");
  const Value v = stack_.back();
  stack_.pop_back();
  return v;
}

void Machine::push(Value v) {
  spend(sizeof v);
  stack_.push_back(v);
}

Value Machine::make(Kind kind) {
  spend(sizeof(Object));
  store_.objects.emplace_back();
  return {kind, static_cast<Index>(store_.objects.size()) - 1};
}

void Machine::push_text(std::string_view text) {
  const Value v = make(Kind::kText);
  store_.at(v).text = text;
  push(v);
}

std::vector<Value> Machine::pop_to_mark() {
  if (marks_.empty()) refuse("a mark is missing");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  spend(sizeof(Value) * static_cast<std::size_t>(stack_.end() - begin));
  std::vector<Value> items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

Value& Machine::top_of(Kind kind, const char* what) {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()) || stack_.back().kind != kind) {
    refuse("expected ", what);
  }
  return stack_.back();
}

std::string_view Machine::text_of(Value v, const char* what) const {
  if (v.kind != Kind::kText) refuse("expected ", what);
  return store_.at(v).text;
}

void Machine::spend(std::size_t bytes) {
  spent_ += static_cast<Index>(bytes);
  if (spent_ > kGrowthAllowance && spent_ / kMaxGrowth > store_.stored_bytes)
    refuse("refused: its ", store_.stored_bytes, " bytes make objects of more than ", spent_,
           "; no pickle of a Planetoid data set does");
}

void Machine::run() {
  for (;;) {
    opcode_at_ = at_;
    const auto opcode = static_cast<unsigned char>(take(1)[0]);
    if (opcode == '.') break;
    if (!step(opcode)) {
      refuse("refused opcode ", static_cast<int>(opcode), kWhatIsRead);
    }
  }
  store_.root = pop();
  if (at_ != store_.content.size()) refuse("text after the end of the pickle");
}

bool Machine::step(unsigned char opcode) {
  switch (opcode) {
    case 0x80: {  // PROTO
      const int protocol = little<std::uint8_t>();
      if (protocol > 4) refuse("pickle protocol ", protocol, " is not read, expected 0 to 4");
      return true;
    }
    case 0x95:
      take(8);
      return true;  // FRAME: a hint about sizes
    case '(':
      spend(sizeof(std::size_t));
      marks_.push_back(stack_.size());
      return true;
    case '0':
      pop();
      return true;
    case '1':
      pop_to_mark();
      return true;
    default:
      return step_numbers_and_texts(opcode) || step_containers(opcode) || step_memo(opcode) ||
             step_calls(opcode);
  }
}

bool Machine::step_numbers_and_texts(unsigned char opcode) {
  const auto push_int = [&](Index n) { push({Kind::kInt, n}); };
  switch (opcode) {
    case 'N':
      push({});
      return true;
    case 0x88:
      push({Kind::kBool, 1});
      return true;
    case 0x89:
      push({Kind::kBool, 0});
      return true;
    case 'J':
      push_int(little<std::int32_t>());
      return true;
    case 'K':
      push_int(little<std::uint8_t>());
      return true;
    case 'M':
      push_int(little<std::uint16_t>());
      return true;
    case 'I': {  // INT; protocol 0 writes True and False as 01 and 00
      const auto text = line();
      if (text == "00" || text == "01") {
        push({Kind::kBool, text == "01"});
      } else {
        push_int(decimal(text));
      }
      return true;
    }
    case 'L': {
      auto text = line();
      if (text.ends_with('L')) text.remove_suffix(1);
      push_int(decimal(text));
      return true;
    }
    case 0x8a:
      push_int(long_integer(little<std::uint8_t>()));
      return true;
    case 0x8b:
      push_int(long_integer(little<std::uint32_t>()));
      return true;
    case 'U':
    case 'C':
    case 0x8c:
      push_text(take(little<std::uint8_t>()));
      return true;
    case 'T':
    case 'B':
    case 'X':
      push_text(take(little<std::uint32_t>()));
      return true;
    case 0x8d:
    case 0x8e:
      push_text(take(little<std::uint64_t>()));
      return true;
    case 'S':
      quoted_text(line());
      return true;
    case 'V':
      escaped_text(line());
      return true;
    default:
      return false;
  }
}

bool Machine::step_containers(unsigned char opcode) {
  const auto last = [&](std::size_t count) {
    std::vector<Value> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    return items;
  };
  switch (opcode) {
    case ')':
      tuple({});
      return true;
    case 't':
      tuple(pop_to_mark());
      return true;
    case 0x85:
      tuple(last(1));
      return true;
    case 0x86:
      tuple(last(2));
      return true;
    case 0x87:
      tuple(last(3));
      return true;
    case ']':
      push(make(Kind::kList));
      return true;
    case 'l': {
      auto items = pop_to_mark();
      push(make(Kind::kList));
      append(std::move(items));
      return true;
    }
    case 'a':
      append(last(1));
      return true;
    case 'e':
      append(pop_to_mark());
      return true;
    case '}':
      push(make(Kind::kDict));
      return true;
    case 'd': {
      auto items = pop_to_mark();
      push(make(Kind::kDict));
      set_items(std::move(items));
      return true;
    }
    case 's':
      set_items(last(2));
      return true;
    case 'u':
      set_items(pop_to_mark());
      return true;
    default:
      return false;
  }
}

void Machine::tuple(std::vector<Value> items) {
  const Value v = make(Kind::kTuple);
  store_.at(v).items = std::move(items);
  push(v);
}

void Machine::append(std::vector<Value> items) {
  auto& list = store_.at(top_of(Kind::kList, "a list")).items;
  list.insert(list.end(), items.begin(), items.end());
}

void Machine::set_items(std::vector<Value> items) {
  auto& dict = store_.at(top_of(Kind::kDict, "a dictionary")).items;
  if (items.size() % 2 != 0) refuse("expected pairs of keys and values");
  dict.insert(dict.end(), items.begin(), items.end());
}

bool Machine::step_memo(unsigned char opcode) {
  switch (opcode) {
    case 'q':
      memo_put(little<std::uint8_t>());
      return true;
    case 'r':
      memo_put(little<std::uint32_t>());
      return true;
    case 'p':
      memo_put(decimal(line()));
      return true;
    case 0x94:
      memo_put(static_cast<Index>(memo_.size()));
      return true;
    case 'h':
      memo_get(little<std::uint8_t>());
      return true;
    case 'j':
      memo_get(little<std::uint32_t>());
      return true;
    case 'g':
      memo_get(decimal(line()));
      return true;
    default:
      return false;
  }
}

void Machine::memo_put(Index key) {
  const Value v = pop();
  spend(memo_.contains(key) ? 0 : kMemoEntry);
  memo_[key] = v;
  push(v);
}

void Machine::memo_get(Index key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) refuse("memo ", key, " is not set");
  push(found->second);
}

bool Machine::step_calls(unsigned char opcode) {
  switch (opcode) {
    case 'c': {
      const auto module = line();
      global(module, line());
      return true;
    }
    case 0x93: {  // STACK_GLOBAL
      const Value name = pop(), module = pop();
      global(text_of(module, "a module name"), text_of(name, "a name"));
      return true;
    }
    case 'R':
    case 0x81:
      reduce();
      return true;  // NEWOBJ: class and arguments instead of function and ditto
    case 'b':
      build();
      return true;
    default:
      return false;
  }
}

void Machine::global(std::string_view module, std::string_view name) {
  static constexpr struct {
    std::string_view module, name;
    Name means;
  } kKnown[] = {
      {"scipy.sparse", "csr_matrix", Name::kCsrMatrix},
      {"scipy.sparse.csr", "csr_matrix", Name::kCsrMatrix},
      {"scipy.sparse._csr", "csr_matrix", Name::kCsrMatrix},
      {"numpy.core.multiarray", "_reconstruct", Name::kReconstructArray},
      {"numpy._core.multiarray", "_reconstruct", Name::kReconstructArray},
      {"numpy", "ndarray", Name::kArrayClass},
      {"numpy", "dtype", Name::kTypeClass},
      {"collections", "defaultdict", Name::kDefaultDict},
      {"__builtin__", "list", Name::kListClass},
      {"builtins", "list", Name::kListClass},
      {"copy_reg", "_reconstructor", Name::kReconstructObject},
      {"copyreg", "_reconstructor", Name::kReconstructObject},
      {"__builtin__", "object", Name::kObjectClass},
      {"builtins", "object", Name::kObjectClass},
      {"_codecs", "encode", Name::kEncode},
  };
  for (const auto& known : kKnown) {
    if (known.module == module && known.name == name) {
      push({Kind::kGlobal, static_cast<Index>(known.means)});
      return;
    }
  }
  refuse("refused '", module.substr(0, 80), " ", name.substr(0, 80), "'", kWhatIsRead);
}

}  // namespace scrl::pickle
