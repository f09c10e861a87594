// scrl::Error as the exceptions of scrl/_errors.py, by kind and with the same text.
#include "binding.h"
#include "scrl/error.h"

namespace scrl::python {
namespace {

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "UsageError";
    case ErrorKind::kData:
      return "DataError";
    case ErrorKind::kModelFile:
      return "ModelFileError";
    case ErrorKind::kResource:
      return "ResourceError";
    case ErrorKind::kDiverged:
      return "DivergedError";
    case ErrorKind::kRun:
      break;
  }
  return "RunError";
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error& e) {
      const nb::object type = nb::module_::import_("scrl._errors").attr(class_of(e.kind()));
      PyErr_SetString(type.ptr(), e.what());
    }
  });
}

}  // namespace scrl::python
