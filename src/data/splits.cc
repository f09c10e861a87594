#include "data/splits.h"

#include <array>
#include <map>
#include <optional>

#include "data/column_names.h"
#include "io/fields.h"

namespace scrl {
namespace {

// "val20.txt.gz" -> {1, 20}; nullopt for anything that is not the name of a split file.
std::optional<SplitRole> parse_name(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  for (const std::string_view ending : {".txt", ".csv", ".tsv"})
    if (name.ends_with(ending))
      return parse_split_name(name.substr(0, name.size() - ending.size()));
  return std::nullopt;
}

}  // namespace

std::optional<SplitRole> parse_split_name(std::string_view stem) {
  for (std::size_t role = 0; role < kSplitRoles.size(); ++role) {
    if (!stem.starts_with(kSplitRoles[role])) continue;
    const std::string_view digits = stem.substr(kSplitRoles[role].size());
    Index rate = 0;
    if (!digits.empty() && (!parse_int(digits, rate) || rate < 1 || rate > 1'000'000)) {
      return std::nullopt;
    }
    return SplitRole{role, static_cast<int>(rate)};
  }
  return std::nullopt;
}

std::vector<NodeId> read_split_file(std::unique_ptr<ByteStream> stream, const IdMap& ids) {
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

std::vector<Split> splits_of(SplitParts parts, const std::string& where) {
  if (parts.size() > 1 && parts.contains(0))
    fail(ErrorKind::kData, where, ": expected either one split or numbered splits, found both");
  std::vector<Split> splits;
  for (auto& [rate, nodes] : parts) {
    auto& [train, val, test] = nodes;
    if (!train)
      fail(ErrorKind::kData, where, ": expected the part train", rate == 0 ? "" : cat(rate),
           " beside val and test, found none");
    splits.push_back({rate, std::move(*train), val ? std::move(*val) : std::vector<NodeId>(),
                      test ? std::move(*test) : std::vector<NodeId>()});
  }
  return splits;
}

std::vector<Split> read_splits(const Source& source, const IdMap& ids) {
  std::map<int, std::array<std::string, 3>> names;  // rate -> file per role
  for (const SourceFile& file : source.files()) {
    const auto parsed = parse_name(file.name);
    if (!parsed) continue;
    std::string& name = names[parsed->rate][parsed->role];
    if (!name.empty()) {
      fail(ErrorKind::kData, source.path(), ": expected one ", kSplitRoles[parsed->role],
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
    for (std::size_t role = 0; role < kSplitRoles.size(); ++role) {
      if (!files[role].empty()) *parts[role] = read_split_file(source.open(files[role]), ids);
    }
  }
  return splits;
}

}  // namespace scrl
