// base/text.h: numbers as people read them.
#pragma once
#include <string>

namespace scrl {

std::string number_text(double value, int digits);  // with so many digits after the point

}  // namespace scrl
