#include "run/outputs.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "io/npy.h"
#include "io/quoted.h"

namespace scrl {
namespace {

std::string predictions_header(const std::vector<std::string>& classes, bool sets = false) {
  std::string out = "id,label";
  for (const std::string& c : classes) (out += ',') += csv_field(c);
  return out + (sets ? ",set\n" : "\n");
}

// The classes of node i, most probable first.
std::string set_text(const std::vector<std::string>& classes, std::span<const float> log_probs,
                     const std::vector<bool>& member, Index i) {
  std::vector<std::size_t> order;
  const std::size_t M = classes.size();
  for (std::size_t c = 0; c < M; ++c)
    if (member[static_cast<std::size_t>(i) * M + c]) order.push_back(c);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return log_probs[a] > log_probs[b]; });
  std::string out;
  for (const std::size_t c : order) out += (out.empty() ? "" : "|") + classes[c];
  return out;
}

}  // namespace

std::string predictions_csv(const std::vector<std::string>& ids, const Predictions& p) {
  std::string out = predictions_header(p.classes);
  const float* probability = p.probabilities.data();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string& label = p.classes[static_cast<std::size_t>(p.label[i])];
    out += csv_field(ids[i]) + "," + csv_field(label);
    for (std::size_t c = 0; c < p.classes.size(); ++c) detail::append(out += ',', *probability++);
    out += '\n';
  }
  return out;
}

std::string predictions_csv(const Dataset& data, const std::vector<std::string>& classes,
                            const Matrix& log_probs, const PredictionColumns& columns) {
  std::string out = predictions_header(classes, columns.member != nullptr);
  for (Index i = 0; i < data.nodes; ++i) {
    const auto row = log_probs.row_span(i);
    const auto best = std::max_element(row.begin(), row.end());
    out += csv_field(data.id(i)) + ",";
    if (std::exp(static_cast<double>(*best)) >= columns.min_confidence)
      out += csv_field(classes[static_cast<std::size_t>(best - row.begin())]);
    for (const float lp : row) detail::append(out += ',', std::exp(lp));
    if (columns.member) (out += ',') += csv_field(set_text(classes, row, *columns.member, i));
    out += '\n';
  }
  return out;
}

std::string split_csv(const Dataset& data, const Split& split,
                      const std::vector<NodeId>& conformal) {
  std::string out = "id,part\n";
  for (const auto& [part, nodes] : {std::pair{"train", &split.train},
                                    {"val", &split.val},
                                    {"test", &split.test},
                                    {"conformal", &conformal}})
    for (const NodeId i : *nodes) out += csv_field(data.id(i)) + "," + part + "\n";
  return out;
}

std::string ids_text(const Dataset& data) {
  std::string out;
  for (Index i = 0; i < data.nodes; ++i) out += id_line(data.id(i)) + "\n";
  return out;
}

std::string embeddings_csv(const Dataset& data, const Matrix& embedding) {
  std::string out = "id";
  for (Index j = 0; j < embedding.cols(); ++j) out += cat(",e", j);
  out += '\n';
  for (Index i = 0; i < data.nodes; ++i) {
    out += csv_field(data.id(i));
    for (const float v : embedding.row_span(i)) detail::append(out += ',', v);
    out += '\n';
  }
  return out;
}

std::string embeddings_word2vec(const Dataset& data, const Matrix& embedding) {
  std::string out = cat(data.nodes, " ", embedding.cols(), "\n");
  for (Index i = 0; i < data.nodes; ++i) {
    std::string id = data.id(i);
    std::replace(id.begin(), id.end(), ' ', '_');
    out += id;
    for (const float v : embedding.row_span(i)) detail::append(out += ' ', v);
    out += '\n';
  }
  return out;
}

std::string embeddings_text(const Dataset& data, const Matrix& embedding, EmbeddingFormat format) {
  switch (format) {
    case EmbeddingFormat::kNpy:
      return npy_bytes(embedding);
    case EmbeddingFormat::kCsv:
      return embeddings_csv(data, embedding);
    case EmbeddingFormat::kWord2vec:
      return embeddings_word2vec(data, embedding);
  }
  return {};
}

}  // namespace scrl
