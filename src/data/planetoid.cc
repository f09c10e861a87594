#include "data/planetoid.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "data/credible.h"
#include "data/csr_parts.h"
#include "data/splits.h"
#include "io/pickle.h"

namespace scrl {
namespace {

constexpr Index kValidationNodes = 500;
constexpr Index kMaxIndexFile = Index{1} << 28;

// "ind.pubmed.graph" -> "pubmed"
std::optional<std::string> planetoid_name(const Source& source) {
  constexpr std::string_view kBefore = "ind.", kAfter = ".graph";
  for (const SourceFile& file : source.files()) {
    const std::string_view name = file.name;
    if (name.size() > kBefore.size() + kAfter.size() && name.starts_with(kBefore) &&
        name.ends_with(kAfter) && name.find('/') == name.npos) {
      return std::string(name.substr(kBefore.size(), name.size() - kBefore.size() - kAfter.size()));
    }
  }
  return std::nullopt;
}

class PlanetoidReader {
 public:
  PlanetoidReader(const Source& source, std::string name)
      : source_(source), name_(std::move(name)) {}

  Dataset read() {
    const Csr allx = features("allx"), tx = features("tx");
    const auto test = test_index();
    if (allx.cols != tx.cols) {
      fail(ErrorKind::kData, file("tx"), ": expected ", allx.cols, " features like allx, found ",
           tx.cols);
    }
    expect_count("test.index", static_cast<Index>(test.size()), tx.rows, "tx");
    data_.name = name_;
    data_.source = source_.path();
    data_.nodes = allx.rows;
    for (const NodeId node : test) data_.nodes = std::max<Index>(data_.nodes, node + Index{1});
    if (data_.nodes == 0) fail(ErrorKind::kData, file("allx"), ": expected rows, found none");
    place_test_rows(test, allx.rows);
    assemble_features(allx, tx);
    assemble_labels(allx.rows);
    read_graph();
    data_.splits = read_splits(source_, IdMap::numbers(data_.nodes));
    if (data_.splits.empty()) data_.splits.push_back(own_split(test, allx.rows));
    return std::move(data_);
  }

 private:
  std::string file(std::string_view part) const { return cat("ind.", name_, ".", part); }
  std::unique_ptr<ByteStream> open(std::string_view part) const {
    if (!source_.has(file(part))) {
      fail(ErrorKind::kData, source_.path(), ": expected the file ", file(part));
    }
    return source_.open(file(part));
  }
  void expect_count(std::string_view part, Index found, Index expected,
                    std::string_view like) const {
    if (found != expected) {
      fail(ErrorKind::kData, file(part), ": expected ", expected, " rows like ", like, ", found ",
           found);
    }
  }

  Csr features(std::string_view part) const {
    const auto stream = open(part);
    const Pickle pickle(*stream);
    const PickleCsr csr = pickle.csr();
    CsrParts parts{.rows = csr.rows, .cols = csr.cols};
    for (Index i = 0; i < csr.indptr.size(); ++i) parts.indptr.push_back(csr.indptr.integer(i));
    for (Index i = 0; i < csr.indices.size(); ++i) parts.indices.push_back(csr.indices.integer(i));
    for (Index i = 0; i < csr.data.size(); ++i) {
      parts.data.push_back(static_cast<float>(csr.data.number(i)));
    }
    return csr_from_parts(std::move(parts), stream->name());
  }

  std::vector<NodeId> test_index() const {
    const auto stream = open("test.index");
    const std::string text = read_all(*stream, kMaxIndexFile);
    std::vector<NodeId> nodes;
    Index line = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view field = std::string_view(text).substr(at, end - at);
      at = end + 1;
      ++line;
      while (!field.empty() && (field.back() == '\r' || field.back() == ' '))
        field.remove_suffix(1);
      if (field.empty()) continue;
      NodeId node = -1;
      const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), node);
      if (error != std::errc{} || stop != field.data() + field.size() || node < 0 ||
          node > kMaxNodes - 1) {
        fail(ErrorKind::kData, stream->name(), ":", line, ": expected a node number, found '",
             field.substr(0, 40), "'");
      }
      nodes.push_back(node);
    }
    return nodes;
  }

  // test_row_[node - first] = row of tx and ty, or -1 in a gap.
  void place_test_rows(const std::vector<NodeId>& test, Index first) {
    const Index span = data_.nodes - first;
    // Planetoid's gaps are few; a lone huge number must not cost memory.
    if (span > 16 * static_cast<Index>(test.size()) + 1024) {
      fail(ErrorKind::kData, file("test.index"), ": ", test.size(), " nodes spread over ", span,
           " numbers, expected a block with few gaps");
    }
    test_row_.assign(static_cast<std::size_t>(span), -1);
    for (std::size_t row = 0; row < test.size(); ++row) {
      if (test[row] < first) {
        fail(ErrorKind::kData, file("test.index"), ": node ", test[row],
             " is also a row of allx, expected numbers from ", first);
      }
      Index& at = test_row_[test[row] - first];
      if (at >= 0) fail(ErrorKind::kData, file("test.index"), ": node ", test[row], " comes twice");
      at = static_cast<Index>(row);
    }
  }

  void assemble_features(const Csr& allx, const Csr& tx) {
    Csr& x = data_.features;
    x = allx;
    x.rows = data_.nodes;
    for (const Index row : test_row_) {
      if (row >= 0) {
        x.col.insert(x.col.end(), tx.row_cols(row).begin(), tx.row_cols(row).end());
        x.val.insert(x.val.end(), tx.row_vals(row).begin(), tx.row_vals(row).end());
      }
      x.row_ptr.push_back(x.nnz());
    }
  }

  // One-hot rows to class numbers; a row of zeros is a node without label.
  std::vector<std::int32_t> one_hot(std::string_view part, Index& classes) const {
    const auto stream = open(part);
    const Pickle pickle(*stream);
    const PickleArray a = pickle.array();
    if (a.shape.size() != 2 || a.shape[0] > kMaxNodes || a.shape[1] > kMaxNodes) {
      fail(ErrorKind::kData, file(part), ": expected an array of nodes x classes");
    }
    const Index rows = a.size() == 0 ? 0 : a.shape[0], cols = a.shape[1];
    if (rows != a.shape[0] || (classes >= 0 && cols != classes)) {
      fail(ErrorKind::kData, file(part), ": expected ", classes, " classes, found ", cols);
    }
    check_credible(cols, "classes", rows, file(part));
    classes = cols;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(rows), kUnlabelled);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        if (a.number(a.fortran_order ? j * rows + i : i * cols + j) == 0) continue;
        if (labels[i] != kUnlabelled) {
          fail(ErrorKind::kData, file(part), ": row ", i, ": expected one class, found several");
        }
        labels[i] = static_cast<std::int32_t>(j);
      }
    }
    return labels;
  }

  void assemble_labels(Index first) {
    Index classes = -1;
    data_.labels = one_hot("ally", classes);
    expect_count("ally", static_cast<Index>(data_.labels.size()), first, "allx");
    const auto test = one_hot("ty", classes);
    expect_count("ty", static_cast<Index>(test.size()),
                 std::count_if(test_row_.begin(), test_row_.end(), [](Index r) { return r >= 0; }),
                 "tx");
    for (const Index row : test_row_) {
      data_.labels.push_back(row >= 0 ? test[row] : kUnlabelled);
    }
    for (Index c = 0; c < classes; ++c) data_.classes.push_back(std::to_string(c));
  }

  void read_graph() {
    const auto stream = open("graph");
    const auto lists = Pickle(*stream).lists();
    const auto require_node = [&](Index node) {
      if (node < 0 || node >= data_.nodes) {
        fail(ErrorKind::kData, stream->name(), ": node ", node, " out of range, expected 0..",
             data_.nodes - 1);
      }
    };
    for (const auto& [node, neighbours] : lists) {
      require_node(node);
      for (const Index neighbour : neighbours) {
        require_node(neighbour);
        data_.edges.source.push_back(static_cast<NodeId>(node));
        data_.edges.target.push_back(static_cast<NodeId>(neighbour));
      }
    }
  }

  Split own_split(const std::vector<NodeId>& test, Index first) const {
    Index classes = -1;
    const std::vector<std::int32_t> labels = one_hot("y", classes);
    const Index train = static_cast<Index>(labels.size());
    if (train > first) {
      fail(ErrorKind::kData, file("y"), ": expected at most ", first, " rows like allx, found ",
           train);
    }
    Split split{.test = test};
    // Planetoid has 20 training nodes of every class; -l 20 then means this split.
    std::vector<Index> of_class(static_cast<std::size_t>(classes));
    for (const std::int32_t c : labels)
      if (c != kUnlabelled) ++of_class[static_cast<std::size_t>(c)];
    const Index rate = classes > 0 ? train / classes : 0;
    if (rate * classes == train &&
        std::all_of(of_class.begin(), of_class.end(), [&](Index n) { return n == rate; }))
      split.labels_per_class = static_cast<int>(rate);
    for (Index i = 0; i < std::min(first, train + kValidationNodes); ++i) {
      (i < train ? split.train : split.val).push_back(static_cast<NodeId>(i));
    }
    return split;
  }

  const Source& source_;
  std::string name_;
  std::vector<Index> test_row_;
  Dataset data_;
};

}  // namespace

bool is_planetoid(const Source& source) { return planetoid_name(source).has_value(); }

Dataset read_planetoid(const Source& source) {
  const auto name = planetoid_name(source);
  if (!name) fail(ErrorKind::kData, source.path(), ": expected Planetoid files ind.NAME.graph ...");
  return PlanetoidReader(source, *name).read();
}

}  // namespace scrl
