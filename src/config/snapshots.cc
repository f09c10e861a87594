#include "config/snapshots.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/npy.h"
#include "io/paths.h"

namespace scrl {
namespace fs = std::filesystem;
namespace {

// -1: not a number that an epoch can have.
int epoch_of(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

std::string folder_of(const std::string& run) { return cat(run, "/", kSnapshotFolder); }

// The number in "epoch-N.npy", written plainly; -1: another file.
int epoch_of_file(const std::string& name) {
  constexpr std::string_view kBefore = "epoch-", kAfter = ".npy";
  if (!name.starts_with(kBefore) || !name.ends_with(kAfter)) return -1;
  const int epoch = epoch_of(
      std::string_view(name).substr(kBefore.size(), name.size() - kBefore.size() - kAfter.size()));
  return epoch >= 0 && cat(kBefore, epoch, kAfter) == name ? epoch : -1;
}

}  // namespace

SnapshotEpochs::SnapshotEpochs(const std::string& text) {
  constexpr std::string_view kEvery = "every:";
  const auto wrong = [&](std::string_view part) {
    fail(ErrorKind::kUsage, "snapshots: expected epochs as in 0,10,20, or every:N, got '", part,
         "' in '", text, "'");
  };
  if (text.starts_with(kEvery)) {
    every_ = epoch_of(std::string_view(text).substr(kEvery.size()));
    if (every_ < 1) wrong(text);
    return;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = std::string_view(text).substr(begin, end - begin);
    listed_.push_back(epoch_of(part));
    if (listed_.back() < 0 || end + 1 == text.size()) wrong(part);
    begin = end + 1;
  }
}

bool SnapshotEpochs::contains(int epoch) const {
  if (every_ > 0) return epoch % every_ == 0;
  return std::find(listed_.begin(), listed_.end(), epoch) != listed_.end();
}

std::vector<Snapshot> list_snapshots(const std::string& run) {
  std::vector<Snapshot> out;
  for (const std::string& name : names_in(folder_of(run)))
    if (const int epoch = epoch_of_file(name); epoch >= 0)
      out.push_back({epoch, cat(folder_of(run), "/", name)});
  std::sort(out.begin(), out.end(),
            [](const Snapshot& a, const Snapshot& b) { return a.epoch < b.epoch; });
  return out;
}

void write_snapshot(const std::string& run, int epoch, const Matrix& embedding) {
  make_directories(folder_of(run));
  write_atomically(cat(folder_of(run), "/epoch-", epoch, ".npy"), npy_half_bytes(embedding));
}

Matrix read_snapshot(const Snapshot& snapshot) {
  try {
    NpyReader reader(open_file(snapshot.path));
    const std::vector<Index> shape = reader.header().shape;
    const std::vector<float> values = reader.rest<float>();
    if (shape.size() != 2 || reader.header().fortran_order)
      fail(ErrorKind::kModelFile, snapshot.path, ": expected a matrix in row order");
    Matrix out(shape[0], shape[1]);
    out.assign_packed(values);
    return out;
  } catch (const Error& e) {
    fail(ErrorKind::kModelFile, e.what(), "; delete the file to do without it");
  }
}

void remove_torn_snapshots(const std::string& run) {
  for (const std::string& name : names_in(folder_of(run))) {
    const std::size_t end = name.find(".tmp-");
    if (end != std::string::npos && epoch_of_file(name.substr(0, end)) >= 0)
      remove_file(cat(folder_of(run), "/", name));
  }
}

void remove_snapshots(const std::string& run) {
  for (const Snapshot& s : list_snapshots(run)) remove_file(s.path);
  remove_torn_snapshots(run);
  std::error_code others;
  fs::remove(folder_of(run), others);  // stays if somebody else's files are in it
}

}  // namespace scrl
