// cli/out_of_memory.h: the program ends with a message and its exit code wherever memory runs out.
#pragma once

namespace scrl::cli {

// Writes the message that memory ran out and returns the exit code.
int report_out_of_memory();

// Two precautions, to be called first. When an allocation fails, a reserve is freed before
// std::bad_alloc is thrown, for whoever cleans up on the way. A failure in a destructor that must
// not throw (JSON values allocate when they are destroyed) ends the process with the message
// instead of an abort; every file is written to a temporary one first, so nothing is lost.
void prepare_for_lack_of_memory();

}  // namespace scrl::cli
