// config/snapshots.h: embeddings kept while a model learns: RUN/snapshots/epoch-N.npy, float16.
//
// Epoch 0 is the model before its first step. A snapshot is on the disk before a checkpoint can
// cover its epoch, so a run that was killed and resumed has the same files as an unbroken one.
#pragma once
#include <string>
#include <vector>

#include "tensor/matrix.h"

namespace scrl {

inline constexpr const char* kSnapshotFolder = "snapshots";

// Which epochs: "" (none), "0,10,20", or "every:N" (0, N, 2N, ...).
class SnapshotEpochs {
 public:
  explicit SnapshotEpochs(const std::string& text);  // throws Error(kUsage)
  bool any() const { return every_ > 0 || !listed_.empty(); }
  bool contains(int epoch) const;

 private:
  int every_ = 0;
  std::vector<int> listed_;
};

struct Snapshot {
  int epoch = 0;
  std::string path;
};
// The snapshots in a run folder, ascending by epoch; other files are not looked at.
std::vector<Snapshot> list_snapshots(const std::string& run);
void write_snapshot(const std::string& run, int epoch, const Matrix& embedding);
Matrix read_snapshot(const Snapshot& snapshot);  // throws Error(kModelFile) on damage
// Removes what a killed process was writing.
void remove_torn_snapshots(const std::string& run);
// Removes the snapshots, and their folder if nothing else is in it.
void remove_snapshots(const std::string& run);

}  // namespace scrl
