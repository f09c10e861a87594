// config/json.h: the JSON type of files that people and programs read. Keys keep their order.
#pragma once
#include <nlohmann/json.hpp>

namespace scrl {

using Json = nlohmann::ordered_json;

}  // namespace scrl
