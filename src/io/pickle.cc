#include "io/pickle.h"

#include <bit>
#include <cstring>
#include <map>

#include "base/error.h"
#include "io/pickle_machine.h"

namespace scrl {
namespace {

using pickle::Kind;
using pickle::Object;
using pickle::Store;
using pickle::Value;

static_assert(std::endian::native == std::endian::little, "arrays are little endian");

constexpr Index kMaxPickle = Index{1} << 28;  // bytes; the largest published one has 8 million

template <class... Parts>
[[noreturn]] void refuse(const Store& store, const Parts&... parts) {
  fail(ErrorKind::kData, store.name, ": ", parts...);
}

PickleArray to_array(const Store& store, Value v, std::string_view what) {
  if (v.kind != Kind::kArray || store.at(v).width == 0) {
    refuse(store, what, ": expected a numpy array");
  }
  const Object& o = store.at(v);
  return {o.type, o.width, o.fortran_order, o.shape, o.text};
}

// The value stored last under a name, as in Python.
const Value* find(const Store& store, Value dict, std::string_view name) {
  const auto& items = store.at(dict).items;
  for (std::size_t i = items.size(); i >= 2; i -= 2) {
    const Value key = items[i - 2];
    if (key.kind == Kind::kText && store.at(key).text == name) return &items[i - 1];
  }
  return nullptr;
}

template <class To, class T>
To load(std::string_view bytes, Index i) {
  T value;
  std::memcpy(&value, bytes.data() + i * static_cast<Index>(sizeof value), sizeof value);
  return static_cast<To>(value);
}

}  // namespace

double PickleArray::number(Index i) const {
  if (is_integer()) return static_cast<double>(integer(i));
  return width == 4 ? load<double, float>(bytes, i) : load<double, double>(bytes, i);
}

Index PickleArray::integer(Index i) const {
  const bool is_signed = kind == 'i';
  switch (width) {
    case 1:
      return is_signed ? load<Index, std::int8_t>(bytes, i) : load<Index, std::uint8_t>(bytes, i);
    case 2:
      return is_signed ? load<Index, std::int16_t>(bytes, i) : load<Index, std::uint16_t>(bytes, i);
    case 4:
      return is_signed ? load<Index, std::int32_t>(bytes, i) : load<Index, std::uint32_t>(bytes, i);
    default:
      return load<Index, std::int64_t>(bytes, i);
  }
}

struct Pickle::Parts {
  Store store;
};

Pickle::Pickle(ByteStream& stream) {
  auto parts = std::make_unique<Parts>();
  parts->store.name = stream.name();
  parts->store.content = read_all(stream, kMaxPickle);
  parts->store.stored_bytes = stream.stored_bytes();
  pickle::Machine(parts->store).run();
  parts_ = std::move(parts);
}

Pickle::~Pickle() = default;

PickleArray Pickle::array() const { return to_array(parts_->store, parts_->store.root, "content"); }

PickleCsr Pickle::csr() const {
  const Store& store = parts_->store;
  if (store.root.kind != Kind::kSparse) refuse(store, "expected a scipy csr_matrix");
  const auto part = [&](std::string_view name) -> Value {
    const Value* found = find(store, store.root, name);
    if (!found) refuse(store, "csr_matrix: expected the part '", name, "'");
    return *found;
  };
  const auto vector = [&](std::string_view name, bool integer) {
    PickleArray a = to_array(store, part(name), name);
    if (a.shape.size() != 1) refuse(store, name, ": expected one dimension");
    if (integer && !a.is_integer()) refuse(store, name, ": expected whole numbers");
    return a;
  };
  const Value shape = part("_shape");
  const bool pair = shape.kind == Kind::kTuple && store.at(shape).items.size() == 2 &&
                    store.at(shape).items[0].kind == Kind::kInt &&
                    store.at(shape).items[1].kind == Kind::kInt;
  if (!pair) refuse(store, "_shape: expected two sizes");
  return {store.at(shape).items[0].number, store.at(shape).items[1].number, vector("indptr", true),
          vector("indices", true), vector("data", false)};
}

std::vector<std::pair<Index, std::vector<Index>>> Pickle::lists() const {
  const Store& store = parts_->store;
  if (store.root.kind != Kind::kDict) refuse(store, "expected a dictionary of lists");
  std::map<Index, Value> by_key;
  const auto& items = store.at(store.root).items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i].kind != Kind::kInt) refuse(store, "expected whole numbers as keys");
    by_key[items[i].number] = items[i + 1];
  }
  // Lists are copied out, so one that many keys share must not multiply without bound.
  Index budget = static_cast<Index>(store.content.size());
  std::vector<std::pair<Index, std::vector<Index>>> out;
  for (const auto& [key, list] : by_key) {
    if (list.kind != Kind::kList) refuse(store, "key ", key, ": expected a list");
    auto& numbers = out.emplace_back(key, std::vector<Index>()).second;
    budget -= static_cast<Index>(store.at(list).items.size());
    if (budget < 0) refuse(store, "key ", key, ": lists repeat themselves too often");
    for (const Value v : store.at(list).items) {
      if (v.kind != Kind::kInt) refuse(store, "key ", key, ": expected whole numbers in the list");
      numbers.push_back(v.number);
    }
  }
  return out;
}

}  // namespace scrl
