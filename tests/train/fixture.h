// tests/train/fixture.h: a small training of any method on the built-in graph.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/demo.h"
#include "models/registry.h"
#include "train/prepare.h"
#include "train/split.h"
#include "train/trainer.h"

namespace scrl {

struct Fixture {
  Dataset data = make_demo(":nodes=300,seed=4,features=300");
  std::unique_ptr<Method> method;
  Operands operands;
  Split split;
  std::unique_ptr<Model> model;
  TrainOptions options;

  using Values = std::vector<std::pair<std::string, std::string>>;

  // Small, with what the method starts from, and with `more` over it.
  explicit Fixture(const std::string& name, const std::string& protocol = "val",
                   const Values& more = {}) {
    method = make_method(name);
    OptionSet set;
    GraphOptions graph;
    bind(set, options);
    bind(set, graph);
    method->bind(set);
    const MethodInfo& info = method_info(name);
    for (const auto& [key, value] : info.profile) set.set(key, value, "profile");
    for (const auto& [key, value] :
         Values{{"hidden1", "32"},
                {"hidden2", "16"},
                {"ramp", "0"},  // a loss that grows by design cannot fall
                {"input_dropout", "0.2"},
                {"stages", "2"},
                {"clusters", "12"},
                {"dim", "16"},
                {"walks", "2"},
                {"length", "12"},
                {"samples", "40000"},
                {"epochs", "12"},
                {"patience", "0"},
                {"protocol", protocol},
                {"seed", "3"}})
      if (set.has(key)) set.set(key, value, "test");
    if (options.lr < 0.01) options.lr = 0.01;  // a dozen epochs have to show something
    for (const auto& [key, value] : more) set.set(key, value, "test");
    operands = prepare(data, graph, method->views());
    split = choose_split(data, {}, protocol == "val", 3);
    build();
  }
  void build() { model = method->build(model_inputs(operands, data, split, options)); }
  std::vector<std::vector<float>> weights() const {
    std::vector<std::vector<float>> out;
    for (const auto& p : model->params) out.push_back(p->value.packed());
    return out;
  }
};

}  // namespace scrl
