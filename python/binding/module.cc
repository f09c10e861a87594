// scrl._core: the engine as a Python module.
#include <nanobind/stl/string.h>

#include "base/parallel.h"
#include "binding.h"
#include "kernels/simd.h"
#include "version.h"

NB_MODULE(_core, m) {
  using namespace scrl::python;
  m.attr("version") = SCRL_VERSION;
  m.attr("commit") = SCRL_COMMIT;
  m.def("simd_level", [] { return scrl::kernels::simd_level(); });
  bind_errors(m);
  bind_methods(m);
  bind_data(m);
  bind_model(m);
  bind_new_nodes(m);
  bind_experiments(m);
  bind_trust(m);
}
