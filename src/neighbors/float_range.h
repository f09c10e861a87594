// neighbors/float_range.h: rows brought to where squares in float neither overflow nor vanish.
//
// The factor is a power of two, so that nothing is rounded: what is computed from the rows is that
// multiple of what it would be without, and ordinary data is left as it is.
#pragma once
#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

// e such that X * 2^-e is of that size; 0: X is already. REQUIRES: every number of X is finite.
int float_exponent(const Matrix& X);
Matrix scaled(const Matrix& X, int exponent);  // X * 2^exponent, infinite beyond float

// The largest row is so much longer than the shortest that is not zero that float, relative to
// their mean, would lose the short ones.
bool rows_differ_beyond_float(const Matrix& X);

}  // namespace scrl
