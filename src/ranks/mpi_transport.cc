#include "ranks/mpi_transport.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "ranks/mpi_plugin.h"

namespace scrl {
namespace {

static_assert(sizeof(Index) == sizeof(std::int64_t));
constexpr std::size_t kMessageSize = 512;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

class MpiTransport : public Transport {
 public:
  explicit MpiTransport(const ScrlMpi& mpi) : mpi_(mpi) {}
  ~MpiTransport() override {
    char message[kMessageSize];
    if (broken_ || mpi_.finish(message) != 0) mpi_.end_all(static_cast<int>(ErrorKind::kRun));
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  int rank() const override { return mpi_.rank; }
  int size() const override { return mpi_.size; }
  int largest(int value) override {
    int most = value;
    checked([&](char* message) { return mpi_.largest(value, &most, message); });
    return most;
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    checked([&](char* message) {
      return mpi_.broadcast(bytes.data(), static_cast<Index>(bytes.size()), root, message);
    });
  }
  void exchange(std::span<const std::byte> send, std::span<const Index> send_sizes,
                std::span<std::byte> recv, std::span<const Index> recv_sizes) override {
    checked([&](char* message) {
      return mpi_.exchange(send.data(), send_sizes.data(), recv.data(), recv_sizes.data(), message);
    });
  }

 private:
  template <class Call>
  void checked(const Call& call) {
    char message[kMessageSize] = "";
    if (broken_ || call(message) == 0) return;
    broken_ = true;
    fail(ErrorKind::kRun, message);
  }

  const ScrlMpi& mpi_;
  bool broken_ = false;
};

}  // namespace

std::string launched_by() {
  const std::string own = variable("SCRL_MPI");
  if (own == "off") return "";
  if (own == "openmpi" || own == "mpich") return own;
  if (!own.empty())
    fail(ErrorKind::kUsage, "SCRL_MPI: expected openmpi, mpich or off, found '", own, "'");
  if (!variable("OMPI_COMM_WORLD_SIZE").empty()) return "openmpi";
  if (!variable("PMI_SIZE").empty() && !variable("PMI_RANK").empty()) return "mpich";
  return "";
}

std::vector<std::string> plugin_places(const std::string& library) {
  const std::string file = cat("scrl_mpi_", library, ".so");
  if (const std::string own = variable("SCRL_MPI_PLUGIN"); !own.empty()) return {own};
  std::vector<std::string> places;
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none) {
    const std::string folder = program.parent_path().string();
    places.push_back(cat(folder, "/", file));
    places.push_back(cat(folder, "/../lib/scrl/", file));
  }
  return places;
}

std::unique_ptr<Transport> launched_transport() {
  const std::string library = launched_by();
  if (library.empty()) return nullptr;
  const std::vector<std::string> places = plugin_places(library);
  void* plugin = nullptr;
  std::string reasons;
  for (const std::string& place : places) {
    // Open MPI loads parts of itself, which look for its symbols.
    plugin = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (plugin) break;
    const char* const reason = dlerror();
    reasons += cat(reasons.empty() ? "" : "; ", reason ? reason : place);
  }
  if (!plugin)
    fail(ErrorKind::kRun, "started by ", library, ", but its plugin cannot be loaded: ", reasons,
         ". Build with lib", library, "-dev installed, name the plugin in SCRL_MPI_PLUGIN, or set ",
         "SCRL_MPI=off to run without other processes");
  const auto start = reinterpret_cast<ScrlMpiStart>(dlsym(plugin, "scrl_mpi_start"));
  char message[kMessageSize] = "no scrl_mpi_start in it";
  const ScrlMpi* const mpi = start ? start(message) : nullptr;
  if (!mpi) fail(ErrorKind::kRun, "the plugin for ", library, " does not start: ", message);
  if (mpi->version != kScrlMpiVersion)
    fail(ErrorKind::kRun, "the plugin for ", library, " has version ", mpi->version, ", expected ",
         static_cast<int>(kScrlMpiVersion), "; build it again");
  return std::make_unique<MpiTransport>(*mpi);
}

}  // namespace scrl
