#include <algorithm>

#include "base/error.h"
#include "convert/layout.h"
#include "convert/write_layout.h"
#include "io/atomic_file.h"
#include "io/pickle_writer.h"

namespace scrl {
namespace {

Csr rows_of(const Csr& X, const std::vector<NodeId>& rows) {
  Csr out{.rows = std::ssize(rows), .cols = X.cols};
  for (const NodeId i : rows) {
    out.col.insert(out.col.end(), X.row_cols(i).begin(), X.row_cols(i).end());
    out.val.insert(out.val.end(), X.row_vals(i).begin(), X.row_vals(i).end());
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

std::string one_hot(const Dataset& data, const std::vector<NodeId>& rows) {
  const auto classes = data.classes.size();
  std::vector<std::int32_t> out(rows.size() * classes);
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (const std::int32_t c = data.labels[static_cast<std::size_t>(rows[r])]; c != kUnlabelled)
      out[r * classes + static_cast<std::size_t>(c)] = 1;
  return pickle_of(out, std::ssize(rows), data.num_classes());
}

std::vector<NodeId> counted(Index end) {
  std::vector<NodeId> out;
  for (NodeId i = 0; i < end; ++i) out.push_back(i);
  return out;
}

}  // namespace

// x and y are the training nodes, allx and ally all but the test nodes. Where the order of nodes
// says otherwise, all nodes but the last count as allx, and the splits have files of their own.
void write_planetoid(const Dataset& data, const std::string& folder) {
  const bool ordered = has_planetoid_order(data);
  const std::vector<NodeId> test =
      ordered ? data.splits.front().test : std::vector{static_cast<NodeId>(data.nodes - 1)};
  const std::vector<NodeId> rest = counted(*std::ranges::min_element(test));
  const std::vector<NodeId> train =
      ordered ? data.splits.front().train : std::vector<NodeId>(rest.begin(), rest.begin());
  const auto put = [&](const std::string& part, const std::string& content) {
    write_atomically(cat(folder, "/ind.", file_stem(data), ".", part), content);
  };
  put("x", pickle_of(rows_of(data.features, train)));
  put("y", one_hot(data, train));
  put("allx", pickle_of(rows_of(data.features, rest)));
  put("ally", one_hot(data, rest));
  put("tx", pickle_of(rows_of(data.features, test)));
  put("ty", one_hot(data, test));
  std::string lines;
  for (const NodeId i : test) lines += cat(i, "\n");
  put("test.index", lines);
  std::vector<std::vector<NodeId>> neighbours(static_cast<std::size_t>(data.nodes));
  for (std::size_t e = 0; e < data.edges.source.size(); ++e)
    neighbours[static_cast<std::size_t>(data.edges.source[e])].push_back(data.edges.target[e]);
  put("graph", pickle_of(neighbours));
  if (!ordered) write_splits(data, folder);
}

}  // namespace scrl
