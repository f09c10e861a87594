// The calls a pickle of the Planetoid family makes, done as plain assignments.
#include <charconv>

#include "io/pickle_machine.h"

namespace scrl::pickle {
namespace {

bool is(Value v, Name name) {
  return v.kind == Kind::kGlobal && v.number == static_cast<Index>(name);
}

}  // namespace

// function(arguments), for the functions we know.
void Machine::reduce() {
  const Value packed = pop(), function = pop();
  if (packed.kind != Kind::kTuple) refuse("expected a tuple of arguments");
  const std::vector<Value>& arguments = store_.at(packed).items;
  if (is(function, Name::kCsrMatrix) && arguments.empty()) {
    push(make(Kind::kSparse));
  } else if (is(function, Name::kReconstructObject) && arguments.size() == 3 &&
             is(arguments[0], Name::kCsrMatrix) && is(arguments[1], Name::kObjectClass)) {
    push(make(Kind::kSparse));
  } else if (is(function, Name::kReconstructArray) && arguments.size() == 3 &&
             is(arguments[0], Name::kArrayClass)) {
    push(make(Kind::kArray));
  } else if (is(function, Name::kDefaultDict) && arguments.size() <= 1 &&
             (arguments.empty() || is(arguments[0], Name::kListClass))) {
    push(make(Kind::kDict));
  } else if (is(function, Name::kEncode) && arguments.size() == 2 &&
             text_of(arguments[1], "an encoding") == "latin1") {
    encode_latin1(text_of(arguments[0], "a text"));
  } else if (is(function, Name::kTypeClass) && !arguments.empty()) {
    const auto text = text_of(arguments[0], "a type name");
    const Value v = make(Kind::kType);
    Object& type = store_.at(v);
    type.type = text.empty() ? '\0' : text[0];
    const char* end = text.data() + text.size();
    const bool known = text.size() == 2 && std::string_view("fiub").find(type.type) != text.npos &&
                       std::from_chars(text.data() + 1, end, type.width).ptr == end &&
                       (type.width == 1 || type.width == 2 || type.width == 4 || type.width == 8) &&
                       (type.type != 'f' || type.width >= 4) &&
                       (type.type != 'b' || type.width == 1);
    if (!known) {
      refuse("type '", text.substr(0, 20), "' is not read, expected f4 f8, i1..i8, u1..u8 or b1");
    }
    push(v);
  } else {
    refuse("refused a call with these arguments");
  }
}

// Gives an object its state.
void Machine::build() {
  const Value state = pop(), target = pop();
  switch (target.kind) {
    case Kind::kType:
      check_type_state(state);
      break;
    case Kind::kArray:
      build_array(store_.at(target), state);
      break;
    case Kind::kSparse:
      if (state.kind != Kind::kDict) refuse("csr_matrix: expected a dictionary of its parts");
      spend(sizeof(Value) * store_.at(state).items.size());
      store_.at(target).items = store_.at(state).items;
      break;
    default:
      refuse("refused a state for this object");
  }
  push(target);
}

// (version, byte order, ...); the rest describes structured types.
void Machine::check_type_state(Value state) const {
  if (state.kind != Kind::kTuple || store_.at(state).items.size() < 2) {
    refuse("dtype: expected a tuple");
  }
  const auto order = text_of(store_.at(state).items[1], "a byte order");
  if (order != "<" && order != "|" && order != "=") {
    refuse("byte order '", order.substr(0, 8), "' is not read, expected '<'");
  }
}

// (version, shape, type, fortran order, data)
void Machine::build_array(Object& array, Value state) {
  if (state.kind != Kind::kTuple || store_.at(state).items.size() != 5) {
    refuse("ndarray: expected a tuple of 5");
  }
  const std::vector<Value>& parts = store_.at(state).items;
  if (parts[1].kind != Kind::kTuple || parts[2].kind != Kind::kType ||
      (parts[3].kind != Kind::kBool && parts[3].kind != Kind::kInt)) {
    refuse("ndarray: expected a shape, a type and an order");
  }
  const Object& type = store_.at(parts[2]);
  const auto bytes = text_of(parts[4], "the bytes of an array");
  Index expected = type.width;
  std::vector<Index> shape;
  spend(sizeof(Index) * store_.at(parts[1]).items.size());
  for (const Value size : store_.at(parts[1]).items) {
    if (size.kind != Kind::kInt || size.number < 0 ||
        __builtin_mul_overflow(expected, size.number, &expected)) {
      refuse("ndarray: bad shape");
    }
    shape.push_back(size.number);
  }
  if (expected != static_cast<Index>(bytes.size())) {
    refuse("ndarray: the shape needs ", expected, " bytes, found ", bytes.size());
  }
  array.type = type.type;
  array.width = type.width;
  array.fortran_order = parts[3].number != 0;
  array.shape = std::move(shape);
  array.text = bytes;
}

}  // namespace scrl::pickle
