// binding.h: what the files of the Python module share. Nothing is computed here: arguments become
// the engine's types, results become NumPy arrays and JSON texts.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace scrl::python {

namespace nb = nanobind;

// Borrowed from NumPy; read-only arrays will do.
template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copy_of(const Array<T>& a) {
  return {a.data(), a.data() + a.size()};
}

// A NumPy array of these values; with columns a matrix, row by row.
template <class T>
nb::object to_numpy(std::vector<T> values, std::size_t columns = 0) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  if (columns == 0) return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner));
  return nb::cast(
      nb::ndarray<nb::numpy, T>(kept->data(), {kept->size() / columns, columns}, owner));
}

// One function per file; each adds its part to the module.
void bind_errors(nb::module_& m);
void bind_methods(nb::module_& m);
void bind_data(nb::module_& m);
void bind_model(nb::module_& m);
void bind_new_nodes(nb::module_& m);
void bind_experiments(nb::module_& m);
void bind_trust(nb::module_& m);

}  // namespace scrl::python
