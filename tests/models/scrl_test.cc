// tests/models/scrl_test.cc: what the loss of scrl makes of uneven classes.
#include "models/scrl.h"

#include <gtest/gtest.h>

#include "models/small.h"

namespace scrl {
namespace {
}  // namespace
}  // namespace scrl
