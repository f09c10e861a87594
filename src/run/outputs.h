// run/outputs.h: predictions and embeddings as files, always with the user's own ids.
#pragma once
#include <string>
#include <vector>

#include "base/choice.h"
#include "data/dataset.h"
#include "io/quoted.h"
#include "scrl/model.h"
#include "tensor/matrix.h"

namespace scrl {

struct PredictionColumns {
  double min_confidence = 0;  // a node whose largest probability is below gets no label
  // One more column, `set`: names of the classes in the node's set, most probable first, with '|'
  // between them. member[i * classes + c]; null: no such column.
  const std::vector<bool>* member = nullptr;
};
// id,label,CLASS...: the most probable class and all probabilities, one node per line.
std::string predictions_csv(const Dataset& data, const std::vector<std::string>& classes,
                            const Matrix& log_probs, const PredictionColumns& columns = {});

// The same of predictions in memory, `ids` naming their rows.
std::string predictions_csv(const std::vector<std::string>& ids, const Predictions& p);

// id,part for every node that is in train, val or test, or calibrates prediction sets.
std::string split_csv(const Dataset& data, const Split& split,
                      const std::vector<NodeId>& conformal = {});

// One id per line, in node order; in quotes where the line would not be read as the id.
std::string ids_text(const Dataset& data);

enum class EmbeddingFormat { kNpy, kCsv, kWord2vec };
template <>
inline constexpr auto kNames<EmbeddingFormat> = std::array{"npy", "csv", "word2vec"};
std::string embeddings_text(const Dataset& data, const Matrix& embedding, EmbeddingFormat format);

std::string embeddings_csv(const Dataset& data, const Matrix& embedding);
// "nodes dim" then "id v1 v2 ...", as word2vec and its readers use it; spaces in ids become '_'.
std::string embeddings_word2vec(const Dataset& data, const Matrix& embedding);

}  // namespace scrl
