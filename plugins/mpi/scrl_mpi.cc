// Bytes between ranks by MPI, for one implementation of it: built once with the headers of Open MPI
// and once with those of MPICH. src/ranks/mpi_plugin.h is the interface.
#include <mpi.h>

#include <cstdio>
#include <vector>

#include "ranks/mpi_plugin.h"

namespace {

constexpr int kMessageSize = 512;
constexpr int64_t kPiece = int64_t{1} << 30;  // MPI counts in int

int failed(int code, const char* what, char* message) {
  if (code == MPI_SUCCESS) return 0;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  std::snprintf(message, kMessageSize, "MPI: %s: %.*s", what, length, text);
  return 1;
}

int largest(int value, int* most, char* message) {
  return failed(MPI_Allreduce(&value, most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "agreement",
                message);
}

int broadcast(void* bytes, int64_t size, int root, char* message) {
  for (int64_t at = 0; at < size; at += kPiece) {
    const int count = static_cast<int>(size - at < kPiece ? size - at : kPiece);
    if (failed(MPI_Bcast(static_cast<char*>(bytes) + at, count, MPI_BYTE, root, MPI_COMM_WORLD),
               "broadcast", message))
      return 1;
  }
  return 0;
}

// Every piece of every message at once; with itself a rank talks in the same way.
int exchange(const void* send, const int64_t* send_sizes, void* recv, const int64_t* recv_sizes,
             char* message) {
  int ranks = 0;
  if (failed(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "size", message)) return 1;
  std::vector<MPI_Request> requests;
  const auto start = [&](char* bytes, const int64_t* sizes, bool sends) {
    for (int r = 0; r < ranks; bytes += sizes[r], ++r) {
      for (int64_t at = 0; at < sizes[r]; at += kPiece) {
        const int64_t left = sizes[r] - at;
        const int count = static_cast<int>(left < kPiece ? left : kPiece);
        MPI_Request& request = requests.emplace_back();
        const int code =
            sends ? MPI_Isend(bytes + at, count, MPI_BYTE, r, 0, MPI_COMM_WORLD, &request)
                  : MPI_Irecv(bytes + at, count, MPI_BYTE, r, 0, MPI_COMM_WORLD, &request);
        if (failed(code, sends ? "send" : "receive", message)) return 1;
      }
    }
    return 0;
  };
  if (start(static_cast<char*>(recv), recv_sizes, false)) return 1;
  if (start(const_cast<char*>(static_cast<const char*>(send)), send_sizes, true)) return 1;
  return failed(
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
      "exchange", message);
}

int finish(char* message) { return failed(MPI_Finalize(), "end", message); }

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

char library[MPI_MAX_LIBRARY_VERSION_STRING];
ScrlMpi functions = {kScrlMpiVersion, library,  0,      0,        largest,
                     broadcast,       exchange, finish, abort_all};

}  // namespace

extern "C" __attribute__((visibility("default"))) const ScrlMpi* scrl_mpi_start(char* message) {
  int given = 0, length = 0;
  // One thread of each rank talks to others.
  if (failed(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given), "start", message) ||
      failed(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "start", message) ||
      failed(MPI_Comm_rank(MPI_COMM_WORLD, &functions.rank), "rank", message) ||
      failed(MPI_Comm_size(MPI_COMM_WORLD, &functions.size), "size", message) ||
      failed(MPI_Get_library_version(library, &length), "version", message))
    return nullptr;
  return &functions;
}
