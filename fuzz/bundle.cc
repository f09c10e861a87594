#include "bundle.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "io/container.h"
#include "run/checkpoint.h"
#include "run/model_file.h"

namespace scrl::fuzz {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMark = "=== ";
constexpr std::string_view kSection = ".scrl/";
constexpr std::size_t kLongestName = 120;

bool stays_inside(const std::string& name) {
  if (name.empty() || name.size() > kLongestName || name.front() == '/') return false;
  for (const fs::path& step : fs::path(name))
    if (step == ".." || step == ".") return false;
  return name.find('\0') == std::string::npos && name.back() != '/';
}

void write_file(const std::string& path, std::string_view content) {
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  std::ofstream(path, std::ios::binary).write(content.data(), std::ssize(content));
}

std::string replaced(std::string text, const std::vector<Replacement>& replace) {
  for (const Replacement& r : replace)
    for (std::size_t at; (at = text.find(r.what)) != std::string::npos;)
      text.replace(at, r.what.size(), r.with);
  return text;
}

ContainerWriter container_for(const std::string& file) {
  if (file.starts_with("checkpoint")) return {"checkpoint", kCheckpointVersion};
  if (file.starts_with("parts")) return {"parts", 1};
  if (file.starts_with("block-")) return {"block", 1};
  return {"model", kModelVersion};
}

// Removed when the process ends; a process that crashes leaves it to the next one.
struct ScratchRoot {
  ScratchRoot() {
    std::error_code no;
    const fs::path base = fs::is_directory("/dev/shm", no) ? "/dev/shm" : fs::temp_directory_path();
    for (const auto& old : fs::directory_iterator(base, no)) {
      const std::string name = old.path().filename();
      if (!name.starts_with("scrl-fuzz-")) continue;
      const std::string pid = name.substr(10);
      if (::access(("/proc/" + pid).c_str(), F_OK) != 0) fs::remove_all(old.path(), no);
    }
    path = (base / ("scrl-fuzz-" + std::to_string(::getpid()))).string();
    fs::create_directories(path);
  }
  ~ScratchRoot() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string path;
};

}  // namespace

Bundle parse_bundle(std::string_view bytes) {
  Bundle out;
  std::size_t at = bytes.starts_with(kMark) ? 0 : bytes.find("\n=== ");
  if (at == std::string_view::npos) return out;
  if (at > 0) ++at;
  while (at < bytes.size()) {
    at += kMark.size();
    const std::size_t line = std::min(bytes.find('\n', at), bytes.size());
    const std::size_t next = bytes.find("\n=== ", std::min(line, bytes.size() - 1));
    const std::size_t end = std::min(next, bytes.size());
    const std::size_t begin = std::min(line + 1, end);
    out.push_back(
        {std::string(bytes.substr(at, line - at)), std::string(bytes.substr(begin, end - begin))});
    at = next == std::string_view::npos ? bytes.size() : next + 1;
  }
  return out;
}

std::string bundle_text(const Bundle& bundle) {
  std::string out;
  for (const Part& p : bundle) {
    if (!out.empty()) out += '\n';
    out += kMark;
    out += p.name;
    out += '\n';
    out += p.content;
  }
  return out;
}

const Part* find_part(const Bundle& bundle, std::string_view name) {
  for (const Part& p : bundle)
    if (p.name == name) return &p;
  return nullptr;
}

void write_bundle(const Bundle& bundle, const std::string& folder,
                  const std::vector<Replacement>& replace) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::map<std::string, Bundle> containers;
  for (const Part& p : bundle) {
    if (!stays_inside(p.name)) continue;
    const std::size_t dot = p.name.find(kSection);
    if (dot == std::string::npos) {
      write_file(folder + "/" + p.name, replaced(p.content, replace));
      continue;
    }
    Bundle& sections = containers[p.name.substr(0, dot + kSection.size() - 1)];
    const std::string name = p.name.substr(dot + kSection.size());
    if (!find_part(sections, name)) sections.push_back({name, replaced(p.content, replace)});
  }
  for (const auto& [file, sections] : containers) {
    ContainerWriter out = container_for(file);
    for (const Part& s : sections) out.add_text(s.name, s.content);
    write_file(folder + "/" + file, out.finish());
  }
}

std::string scratch_folder(std::string_view name) {
  static const ScratchRoot root;
  return root.path + "/" + std::string(name);
}

}  // namespace scrl::fuzz
