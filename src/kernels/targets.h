// kernels/targets.h: the instruction sets kernels are compiled for, and how one is called.
//
// Included by kernel sources before any Highway header; nothing else includes it. Highway's SSSE3
// level is left out: CPUs that have it and no SSE4.2 are served by the scalar code.
#pragma once
#define HWY_DISABLED_TARGETS HWY_SSSE3

#include "kernels/simd.h"

// The compiled version of `body` that fits this CPU; evaluates to a function.
#define SCRL_DISPATCH(body) (::scrl::kernels::require_simd(), HWY_DYNAMIC_DISPATCH(body))
