// Targets that read one file: a container, a configuration, the figures of a run.
#include <cstring>
#include <filesystem>

#include "base/hash.h"
#include "config/config.h"
#include "config/snapshots.h"
#include "io/container.h"
#include "run/results.h"
#include "targets.h"
#include "tune/tune_space.h"

namespace scrl::fuzz {
namespace {

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void put_at(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// Offsets are those of the table in io/container.h.
void repair_checksums(std::string& file) {
  constexpr std::size_t kFixed = 48;
  if (file.size() < kFixed) return;
  const auto header = number_at<std::uint64_t>(file, 16);
  std::size_t at = kFixed + number_at<std::uint32_t>(file, 44);
  for (auto left = number_at<std::uint32_t>(file, 40); left > 0; --left) {
    if (at > file.size() || file.size() - at < 4) break;
    const std::size_t fields = at + 4 + number_at<std::uint32_t>(file, at);
    if (fields > file.size() || file.size() - fields < 24) break;
    const auto offset = number_at<std::uint64_t>(file, fields);
    const auto size = number_at<std::uint64_t>(file, fields + 8);
    if (offset <= file.size() && size <= file.size() - offset)
      put_at(file, fields + 16, checksum(file.data() + offset, size));
    at = fields + 24;
  }
  put_at(file, 24, static_cast<std::uint64_t>(file.size()));
  if (header < kFixed || header > file.size()) return;
  put_at(file, 32, std::uint64_t{0});
  put_at(file, 32, checksum(file.data(), header));
}

}  // namespace

void read_container(const Bundle& bundle) {
  const Part* raw = find_part(bundle, "file");
  if (!raw) return;
  std::string file = raw->content;
  if (!find_part(bundle, "as_is")) repair_checksums(file);
  accepts({ErrorKind::kModelFile}, [&] {
    const ContainerReader in("file", std::as_bytes(std::span(file)), "model", 5);
    for (const char* name : {"meta", "ids", "param/W", ""})
      if (in.has(name)) in.array<char>(name);
    in.array<float>("param/W");
  });
}

// What was read and accepted is written, read back and the same.
void read_config(const Bundle& bundle) {
  const std::string folder = scratch_folder("config");
  write_bundle(bundle, folder);
  accepts({ErrorKind::kUsage}, [&] {
    const ConfigFile file = read_config_file(folder + "/config.toml");
    const RunConfig config(file.settings, "acm");
    SnapshotEpochs snapshots(config.run.snapshots);
    const std::string text = config_text(config, file.data, file.fingerprint);
    write_bundle({{"again.toml", text}}, folder);
    const ConfigFile again = read_config_file(folder + "/again.toml");
    const RunConfig same(again.settings, "acm");
    const auto before = config.values(), after = same.values();
    if (again.data != file.data || before.size() != after.size())
      throw Finding("config.toml reads back as something else:\n" + text);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before[i].key != after[i].key || before[i].value != after[i].value)
        throw Finding(before[i].key + " reads back as something else:\n" + text);
  });
}

void read_space(const Bundle& bundle) {
  const std::string folder = scratch_folder("space");
  write_bundle(bundle, folder);
  const RunConfig start({{"method", "scrl", ""}});
  accepts({ErrorKind::kUsage}, [&] {
    const TuneSpace space = read_space_file(start, folder + "/space.txt");
    std::vector<std::string> values;
    for (const TuneSetting& s : space)
      values.push_back(start.options.value_text(*start.options.find(s.key)));
    for (std::uint32_t number = 1; number <= 3; ++number) draw(space, values, 0, number);
    write_bundle({{"again.txt", space_file_text(space)}}, folder);
    if (read_space_file(start, folder + "/again.txt").size() != space.size())
      throw Finding("the space reads back as another:\n" + space_file_text(space));
  });
}

void read_metrics(const Bundle& bundle) {
  const std::string folder = scratch_folder("metrics");
  write_bundle(bundle, folder);
  accepts({ErrorKind::kModelFile},
          [&] { to_json(read_train_result(folder + "/metrics.json")).dump(); });
}

}  // namespace scrl::fuzz
