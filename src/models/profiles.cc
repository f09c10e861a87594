#include "models/profiles.h"

#include "base/error.h"
#include "models/profile_cells.h"

namespace scrl {

KeyValues published_values(std::string_view method, std::string_view dataset, int labels) {
  constexpr int kFirstRate = 20;  // of the splits that the data sets are published with
  if (labels == 0) labels = kFirstRate;
  KeyValues out;
  bool found = false;
  std::string known;
  for (const Cell& c : published_cells()) {
    if (method != c.method) continue;
    if (c.dataset != kAny) {
      const std::string cell = cat(c.dataset, c.labels == 0 ? std::string() : cat(" ", c.labels));
      // A row for all rates says it for those that have their own besides.
      if (!known.ends_with(cell) && !known.ends_with(c.dataset))
        known += cat(known.empty() ? "" : ", ", cell);
    }
    if ((c.dataset != kAny && dataset != c.dataset) || (c.labels > 0 && labels != c.labels))
      continue;
    found |= c.labels != kCommon;
    out.insert(out.end(), c.values.begin(), c.values.end());
  }
  if (found) return out;
  fail(ErrorKind::kUsage, "profile paper: nothing is known for ", method, " on ", dataset, " with ",
       labels, " labels per class",
       known.empty() ? std::string("; its defaults are all there is") : cat("; there is: ", known));
}

}  // namespace scrl
