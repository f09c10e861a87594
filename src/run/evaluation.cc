#include "run/evaluation.h"

#include "base/error.h"
#include "kernels/rows.h"
#include "train/split.h"

namespace scrl {

Evaluation evaluate(const LoadedModel& m) {
  const Dataset& data = m.data;
  if (m.facts.classes != data.classes)
    fail(ErrorKind::kData, data.source, ": its classes are not those of the model");
  const Protocol protocol = m.config->train.protocol;
  const Split split = choose_split(data, m.config->split, protocol == Protocol::kVal,
                                   static_cast<std::uint64_t>(m.facts.seed));
  std::vector<std::int32_t> predicted;
  kernels::argmax_rows(m.model->log_probs.value(), predicted);
  const Index classes = data.num_classes();
  Evaluation out{.method = m.config->run.method,
                 .dataset = data.name,
                 .protocol = protocol,
                 .classes = data.classes};
  for (const auto& [name, nodes] :
       {std::pair{"train", &split.train}, {"val", &split.val}, {"test", &split.test}})
    if (!nodes->empty())
      out.parts.push_back({name, static_cast<Index>(nodes->size()),
                           score(predicted, data.labels, *nodes, classes)});
  if (!split.test.empty()) out.confusion = confusion(predicted, data.labels, split.test, classes);
  return out;
}

Json to_json(const Evaluation& e) {
  Json j = {{"method", e.method}, {"dataset", e.dataset}, {"protocol", name_of(e.protocol)}};
  for (const EvaluatedNodes& p : e.parts)
    j[p.name] = {
        {"nodes", p.nodes}, {"accuracy", p.scores.accuracy}, {"macro_f1", p.scores.macro_f1}};
  if (e.confusion.empty()) return j;
  const auto M = static_cast<std::ptrdiff_t>(e.classes.size());
  j["confusion"] = Json::array();
  for (auto row = e.confusion.begin(); row != e.confusion.end(); row += M)
    j["confusion"].push_back(std::vector<Index>(row, row + M));
  j["classes"] = e.classes;
  return j;
}

}  // namespace scrl
