// ranks/mpi_plugin.h: what a plugin for MPI offers. Open MPI and MPICH differ in their binary
// interface, so each has a plugin of its own (plugins/mpi/scrl_mpi.cc), which is loaded when its
// launcher has started the program. The program itself knows no MPI. Plain C: the plugin may be
// built by another compiler.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kScrlMpiVersion = 1 };

// Functions return 0, or write what went wrong to `message` (of at least 512 bytes).
struct ScrlMpi {
  int version;
  const char* library;  // name and version of the MPI library
  int rank, size;
  int (*largest)(int value, int* most, char* message);
  int (*broadcast)(void* bytes, int64_t size, int root, char* message);
  int (*exchange)(const void* send, const int64_t* send_sizes, void* recv,
                  const int64_t* recv_sizes, char* message);
  int (*finish)(char* message);  // all ranks together, at the end
  void (*end_all)(int code);     // ends all ranks at once
};

// Starts MPI. Null: it failed, see `message`. Exported by the plugin as "scrl_mpi_start".
typedef const struct ScrlMpi* (*ScrlMpiStart)(char* message);

#ifdef __cplusplus
}
#endif
