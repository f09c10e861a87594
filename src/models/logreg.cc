#include "models/logreg.h"

namespace scrl {

void bind(OptionSet& set, LogregOptions& o) {
  set.add("C", o.C, above(0),
          "inverse strength of the L2 penalty; auto: from 0.1 to 10000, by cross-validation on the "
          "training labels");
}

}  // namespace scrl
