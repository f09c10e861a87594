// base/cpu.h: what the processor calls itself.
#pragma once
#include <string>

namespace scrl {

// "AMD EPYC 7763 64-Core Processor"; empty where it cannot be asked. No call of the system.
std::string cpu_name();

}  // namespace scrl
