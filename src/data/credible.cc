#include "data/credible.h"

#include "base/error.h"

namespace scrl {

void check_credible(Index size, std::string_view what, Index entries, const std::string& where) {
  const Index limit = 1'000'000 + 64 * entries;
  if (size <= limit) return;
  fail(ErrorKind::kData, where, ": expected at most ", limit, " ", what, " for ", entries,
       entries == 1 ? " value" : " values", ", found ", size, "; number the ", what,
       " in use one after the other");
}

}  // namespace scrl
