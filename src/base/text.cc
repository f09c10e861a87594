#include "base/text.h"

#include <cstdio>

namespace scrl {

std::string number_text(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace scrl
