// ranks/mpi_transport.h: ranks that a launcher of MPI has started: mpirun, mpiexec, srun.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "ranks/communicator.h"

namespace scrl {

// Which MPI has started this process, by what its launcher leaves in the environment: "openmpi",
// "mpich", or "" if none has. SCRL_MPI=openmpi|mpich|off decides where launchers do not tell.
// Throws Error(kUsage) on another value.
std::string launched_by();

// Where the plugin of a library is looked for: what SCRL_MPI_PLUGIN names, else the folder of the
// program, then ../lib/scrl beside that.
std::vector<std::string> plugin_places(const std::string& library);

// Loads the plugin and joins the other ranks; null if no launcher has started this process. Throws
// Error(kRun) when the plugin is missing or does not start. At most one of them may be made, and it
// has to be destroyed on all ranks together; if MPI has failed, that ends all of them at once.
std::unique_ptr<Transport> launched_transport();

}  // namespace scrl
