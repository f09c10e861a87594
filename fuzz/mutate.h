// fuzz/mutate.h: changes a bundle so that it stays one: a value of a JSON text, a number of a table
// or of an array, or a whole part.
#pragma once
#include <cstdint>
#include <functional>
#include <random>
#include <string>

#include "bundle.h"

namespace scrl::fuzz {

using Random = std::minstd_rand;
// Changes bytes without knowing what they mean.
using ChangeBytes = std::function<void(std::string& bytes)>;

void mutate(Bundle& bundle, Random& random, const ChangeBytes& change_bytes);

}  // namespace scrl::fuzz
