#include "serve/predict_request.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/fields.h"
#include "serve/json_reader.h"

namespace scrl {
namespace {

struct Cell {
  NodeId column;
  float value;
};

class Parser {
 public:
  Parser(std::string_view body, const KnownNodes& known) : in_(body), known_(known) {
    out_.features.cols = known.features;
    out_.edges.cols = known.ids.size();
  }

  PredictRequest read() {
    bool ids = false, nodes = false;
    in_.object([&](const std::string& key) {
      if (key == "ids") {
        once(ids);
        in_.array([&] { read_known(); });
      } else if (key == "nodes") {
        once(nodes);
        in_.array([&] { read_new(); });
      } else if (key == "alpha") {
        bool given = out_.alpha.has_value();
        once(given);
        out_.alpha = parse_alpha(in_.number());
        if (!out_.alpha) in_.refuse("expected a number above 0 and below 1");
      } else {
        in_.refuse("there is no such field; expected ids, nodes or alpha");
      }
    });
    in_.end();
    if (!ids && !nodes) refuse(422, "expected ids, nodes or both, found neither");
    return std::move(out_);
  }

 private:
  void once(bool& given) {
    if (given) in_.refuse("is given twice");
    given = true;
  }

  void count() {
    if (out_.nodes() > kMaxRequestNodes)
      throw Problem(413, cat("expected at most ", kMaxRequestNodes, " nodes in a request"),
                    in_.place());
  }

  NodeId known_node(const std::string& id) {
    const auto node = known_.ids.find(id);
    if (!node) in_.refuse("there is no node ", shown(id), " in the training data");
    return *node;
  }

  void read_known() {
    out_.known.push_back(known_node(in_.text()));
    count();
  }

  void read_new() {
    bool id = false, features = false, neighbours = false;
    cells_.clear();
    edges_.clear();
    in_.object([&](const std::string& key) {
      if (key == "id") {
        once(id);
        out_.new_ids.push_back(in_.text());
        if (out_.new_ids.back().empty()) in_.refuse("expected an id, found an empty text");
        if (known_.ids.find(out_.new_ids.back()))
          in_.refuse("node ", shown(out_.new_ids.back()),
                     " is in the training data already; new nodes have ids of their own");
      } else if (key == "features") {
        once(features);
        in_.object([&](const std::string& column) { read_feature(column); });
      } else if (key == "neighbours") {
        once(neighbours);
        read_neighbours();
      } else {
        in_.refuse("there is no such field; expected id, features or neighbours");
      }
    });
    if (!id) in_.refuse("expected a field id, found none");
    add_features();
    add_edges();
    count();
  }

  void read_feature(const std::string& text) {
    Index column = 0;
    if (!parse_int(text, column) || column < 0 || column >= known_.features)
      in_.refuse("column: expected 0..", known_.features - 1, ", found ", shown(text));
    const float value = finite("a finite number");
    cells_.push_back({static_cast<NodeId>(column), value});
  }

  void read_neighbours() {
    if (!in_.at_object())
      return in_.array([&] { edges_.push_back({known_node(in_.text()), 1.0f}); });
    in_.object([&](const std::string& id) {
      const NodeId node = known_node(id);
      const float weight = finite("a finite number above 0");
      if (!(weight > 0)) in_.refuse("weight: expected a finite number above 0");
      edges_.push_back({node, weight});
    });
  }

  float finite(std::string_view expected) {
    const std::string_view text = in_.number();
    float value = 0;
    if (!parse_float(text, value) || !std::isfinite(value))
      in_.refuse("expected ", expected, ", found ", shown(text));
    return value;
  }

  static bool before(const Cell& a, const Cell& b) { return a.column < b.column; }

  // As a line of an svmlight file: no column twice, zeros are not stored.
  void add_features() {
    std::sort(cells_.begin(), cells_.end(), before);
    Csr& X = out_.features;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0 && cells_[i].column == cells_[i - 1].column)
        in_.refuse("features: column ", cells_[i].column, " is given twice");
      if (cells_[i].value == 0) continue;
      X.col.push_back(cells_[i].column);
      X.val.push_back(cells_[i].value);
    }
    close_row(X);
  }

  // As lines of an edge list: repeated edges add up, in their order.
  void add_edges() {
    std::stable_sort(edges_.begin(), edges_.end(), before);
    Csr& A = out_.edges;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (i > 0 && edges_[i].column == edges_[i - 1].column) {
        A.val.back() += edges_[i].value;
        continue;
      }
      A.col.push_back(edges_[i].column);
      A.val.push_back(edges_[i].value);
    }
    close_row(A);
  }

  static void close_row(Csr& a) {
    ++a.rows;
    a.row_ptr.push_back(a.nnz());
  }

  JsonReader in_;
  const KnownNodes& known_;
  PredictRequest out_;
  std::vector<Cell> cells_, edges_;  // of the node that is being read
};

}  // namespace

PredictRequest parse_predict_request(std::string_view body, const KnownNodes& known) {
  return Parser(body, known).read();
}

std::optional<double> parse_alpha(std::string_view text) {
  double alpha = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, alpha);
  if (error != std::errc{} || end != stop || !(alpha > 0 && alpha < 1)) return std::nullopt;
  return alpha;
}

}  // namespace scrl
