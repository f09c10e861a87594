// scrl partition DATA -o PARTS: a data set cut into blocks of rows, one file each.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "config/json.h"
#include "data/parts.h"

namespace scrl::cli {

int cmd_partition(const Args& args) {
  CommonOptions common;
  std::string out;
  bool json = false;
  OptionSet set;
  set.add("out", out, any_text(), "folder for the blocks; it may hold an earlier partition", 'o');
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl partition DATA -o PARTS";
  if (printed_help(common, set,
                   "Writes a data set as binary blocks of 65,536 nodes, one file each. PARTS is "
                   "then a data set like any other.",
                   kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  if (out.empty()) fail(ErrorKind::kUsage, "partition: expected a folder to write, -o PARTS");
  const Dataset data = load_dataset(positional[0]);
  const PartsManifest m = write_parts(data, out);
  if (json) {
    Json blocks = Json::array();
    for (Index b = 0; b < m.blocks(); ++b)
      blocks.push_back({{"nodes", m.rows(b)},
                        {"feature_entries", m.feature_entries[static_cast<std::size_t>(b)]},
                        {"edges", m.edge_entries[static_cast<std::size_t>(b)]}});
    write_output("", Json({{"folder", out},
                           {"dataset", m.name},
                           {"fingerprint", m.fingerprint},
                           {"nodes", m.nodes},
                           {"edges", m.edges},
                           {"block_rows", m.block_rows},
                           {"blocks", blocks}})
                             .dump(2) +
                         "\n");
  } else if (!common.quiet) {
    std::printf("%s: %s nodes and %s edges in %s block%s\n", out.c_str(), cat(m.nodes).c_str(),
                cat(m.edges).c_str(), cat(m.blocks()).c_str(), m.blocks() == 1 ? "" : "s");
  }
  return 0;
}

}  // namespace scrl::cli
