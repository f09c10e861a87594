// serve/predict_request.h: the body of POST /v1/predict.
//
//   {"ids": ["ann", "ben"]}
//   {"nodes": [{"id": "new", "features": {"12": 1.0}, "neighbours": ["ann"]}], "alpha": 0.1}
// `ids` are nodes of the training data. `nodes` are new: their features by column, their neighbours
// among the training data as a list or as an object of weights. Numbers are read as the files of
// scrl predict --new-nodes are, so that equal text gives equal bits.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/id_map.h"
#include "scrl/csr.h"

namespace scrl {

inline constexpr Index kMaxRequestNodes = 1000;

// What a request may refer to.
struct KnownNodes {
  const IdMap& ids;
  Index features;  // columns
};

struct PredictRequest {
  std::vector<NodeId> known;
  std::vector<std::string> new_ids;
  Csr features, edges;          // of the new nodes, a row each
  std::optional<double> alpha;  // asks for sets that miss the true class so often

  Index nodes() const { return static_cast<Index>(known.size() + new_ids.size()); }
};

// Throws Problem: 400 when the body is no JSON, 422 naming the field that does not fit, 413 when
// there are more than kMaxRequestNodes.
PredictRequest parse_predict_request(std::string_view body, const KnownNodes& known);

// A value of alpha, of the body or of a query string.
std::optional<double> parse_alpha(std::string_view text);

}  // namespace scrl
