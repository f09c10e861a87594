#include "data/splits.h"

#include <array>
#include <map>
#include <optional>

#include "data/column_names.h"
#include "io/fields.h"

namespace scrl {
namespace {

constexpr std::array<std::string_view, 3> kRoles = {"train", "val", "test"};

struct SplitFile {
  std::size_t role = 0;
  int rate = 0;
};

// "val20.txt.gz" -> {1, 20}; nullopt for anything that is not the name of a split file.
std::optional<SplitFile> parse_name(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  for (std::size_t role = 0; role < kRoles.size(); ++role) {
    if (!name.starts_with(kRoles[role])) continue;
    std::string_view rest = name.substr(kRoles[role].size());
    const std::size_t dot = rest.find('.');
    const std::string_view digits = rest.substr(0, dot);
    const std::string_view extension = dot == rest.npos ? "" : rest.substr(dot);
    if (extension != ".txt" && extension != ".csv" && extension != ".tsv") return std::nullopt;
    Index rate = 0;
    if (!digits.empty() && (!parse_int(digits, rate) || rate < 1 || rate > 1'000'000)) {
      return std::nullopt;
    }
    return SplitFile{role, static_cast<int>(rate)};
  }
  return std::nullopt;
}

std::vector<NodeId> read_nodes(std::unique_ptr<ByteStream> stream, const IdMap& ids) {
  LineReader reader(std::move(stream));
  std::vector<NodeId> nodes;
  std::vector<bool> seen(static_cast<std::size_t>(ids.size()), false);
  if (!reader.next()) fail(ErrorKind::kData, reader.name(), ": expected node ids, found none");
  Fields fields(detect_separator(reader));
  bool more = true, first = true;
  for (; more; more = reader.next(), first = false) {
    const auto& found = fields.split(reader);
    if (found.size() != 1) {
      reader.fail("expected one node id per line, found ", found.size(), " fields");
    }
    const auto number = ids.find(found[0]);
    if (!number && first && names_a_node(found[0])) continue;
    if (!number) reader.fail("expected ", ids.expected(), ", found ", shown(found[0]));
    if (seen[static_cast<std::size_t>(*number)]) {
      reader.fail("node ", shown(found[0]), " is listed twice");
    }
    seen[static_cast<std::size_t>(*number)] = true;
    nodes.push_back(*number);
  }
  return nodes;
}

}  // namespace

std::vector<Split> read_splits(const Source& source, const IdMap& ids) {
  std::map<int, std::array<std::string, 3>> names;  // rate -> file per role
  for (const SourceFile& file : source.files()) {
    const auto parsed = parse_name(file.name);
    if (!parsed) continue;
    std::string& name = names[parsed->rate][parsed->role];
    if (!name.empty()) {
      fail(ErrorKind::kData, source.path(), ": expected one ", kRoles[parsed->role],
           " file, found both ", name, " and ", file.name);
    }
    name = file.name;
  }
  if (names.size() > 1 && names.contains(0)) {
    const auto first_of = [](const std::array<std::string, 3>& files) {
      return !files[0].empty() ? files[0] : !files[1].empty() ? files[1] : files[2];
    };
    fail(ErrorKind::kData, source.path(),
         ": expected either one split or numbered splits, found both ", first_of(names[0]), " and ",
         first_of(std::next(names.begin())->second));
  }
  std::vector<Split> splits;
  for (const auto& [rate, files] : names) {
    if (files[0].empty()) {
      const std::string number = rate == 0 ? "" : cat(rate);
      fail(ErrorKind::kData, source.path(), ": expected a file train", number, ".txt beside ",
           !files[1].empty() ? files[1] : files[2]);
    }
    Split& split = splits.emplace_back();
    split.labels_per_class = rate;
    std::vector<NodeId>* const parts[] = {&split.train, &split.val, &split.test};
    for (std::size_t role = 0; role < kRoles.size(); ++role) {
      if (!files[role].empty()) *parts[role] = read_nodes(source.open(files[role]), ids);
    }
  }
  return splits;
}

}  // namespace scrl
