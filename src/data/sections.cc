#include "data/sections.h"

#include "base/error.h"

namespace scrl {

void put_texts(ContainerWriter& out, const std::string& name,
               const std::vector<std::string>& texts) {
  std::string all;
  std::vector<Index> ends;
  for (const std::string& text : texts) {
    all += text;
    ends.push_back(static_cast<Index>(all.size()));
  }
  out.add_text(name, all);
  out.add_array(name + ".ends", ends);
}

std::vector<std::string> get_texts(const ContainerReader& in, const std::string& name) {
  const std::string_view all = in.text(name);
  std::vector<std::string> texts;
  Index begin = 0;
  for (const Index end : in.array<Index>(name + ".ends")) {
    check(begin <= end && end <= static_cast<Index>(all.size()), name, ": bad offsets");
    texts.emplace_back(all.substr(begin, end - begin));
    begin = end;
  }
  return texts;
}

void put_edges(ContainerWriter& out, const std::string& name, const Edges& edges) {
  out.add_array(name + ".source", edges.source);
  out.add_array(name + ".target", edges.target);
  out.add_array(name + ".weight", edges.weight);
}

Edges get_edges(const ContainerReader& in, const std::string& name) {
  return {copy<NodeId>(in, name + ".source"), copy<NodeId>(in, name + ".target"),
          copy<float>(in, name + ".weight")};
}

void put_features(ContainerWriter& out, const Csr& features) {
  out.add_array("features.rows", features.row_ptr);
  out.add_array("features.columns", features.col);
  out.add_array("features.values", features.val);
}

Csr get_features(const ContainerReader& in, Index rows, Index cols) {
  return {.rows = rows,
          .cols = cols,
          .row_ptr = copy<Index>(in, "features.rows"),
          .col = copy<NodeId>(in, "features.columns"),
          .val = copy<float>(in, "features.values")};
}

void put_splits(ContainerWriter& out, const std::vector<Split>& splits) {
  std::vector<std::int32_t> rates;
  for (const Split& split : splits) {
    const std::string prefix = cat("split", rates.size(), ".");
    rates.push_back(split.labels_per_class);
    out.add_array(prefix + "train", split.train);
    out.add_array(prefix + "val", split.val);
    out.add_array(prefix + "test", split.test);
  }
  out.add_array("split.rates", rates);
}

std::vector<Split> get_splits(const ContainerReader& in) {
  std::vector<Split> splits;
  for (const std::int32_t rate : in.array<std::int32_t>("split.rates")) {
    const std::string prefix = cat("split", splits.size(), ".");
    splits.push_back({rate, copy<NodeId>(in, prefix + "train"), copy<NodeId>(in, prefix + "val"),
                      copy<NodeId>(in, prefix + "test")});
  }
  return splits;
}

}  // namespace scrl
