// data/sections.h: pieces of a data set as sections of a container (io/container.h).
#pragma once
#include <string>
#include <vector>

#include "io/container.h"
#include "scrl/dataset.h"

namespace scrl {

template <class T>
std::vector<T> copy(const ContainerReader& in, const std::string& name) {
  const auto values = in.array<T>(name);
  return {values.begin(), values.end()};
}

// Texts one after the other, and where each ends in NAME.ends.
void put_texts(ContainerWriter& out, const std::string& name,
               const std::vector<std::string>& texts);
std::vector<std::string> get_texts(const ContainerReader& in, const std::string& name);

void put_edges(ContainerWriter& out, const std::string& name, const Edges& edges);
Edges get_edges(const ContainerReader& in, const std::string& name);

void put_features(ContainerWriter& out, const Csr& features);
// Nothing about them is checked.
Csr get_features(const ContainerReader& in, Index rows, Index cols);

void put_splits(ContainerWriter& out, const std::vector<Split>& splits);
std::vector<Split> get_splits(const ContainerReader& in);

}  // namespace scrl
