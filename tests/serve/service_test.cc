// A Service with a real model, without HTTP.
#include "serve/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "config/json_file.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

constexpr const char* kData = "demo:nodes=200,features=100";

struct Asked final : Waiting {
  void done() noexcept override { answered.set_value(); }
  std::promise<void> answered;
};

class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest() : data_(load_dataset(kData)) { train("3"); }

  void train(const char* seed) {
    fit(data_, {{"method", "sgc"}, {"seed", seed}}).model.save(model_path());
  }
  std::string model_path() const { return folder_.path() + "/model.scrl"; }
  ServeRequest request() const { return {.run = model_path(), .data = kData}; }

  static Reply ask(Service& service, std::string_view method, std::string_view target,
                   std::string_view body = "") {
    Asked asked;
    if (auto reply = service.answer(route_of(method, target), body, asked)) return *reply;
    service.submit(asked);
    asked.answered.get_future().wait();
    return service.answer_of(asked);
  }

  TempFolder folder_;
  Dataset data_;
};

TEST_F(ServiceTest, AnswersAreThoseOfPredict) {
  Service service(request());
  const Predictions known = predict(TrainedModel::load(model_path()), data_);
  const Json one = parse_json(ask(service, "GET", "/v1/nodes/" + data_.id(7)).body, "answer");
  EXPECT_EQ(one["label"], known.classes[static_cast<std::size_t>(known.label[7])]);
  for (std::size_t c = 0; c < known.classes.size(); ++c)
    EXPECT_EQ(one["probabilities"][known.classes[c]].get<float>(),
              known.probabilities[7 * known.classes.size() + c]);
  EXPECT_THAT(ask(service, "GET", "/v1/nodes/nobody").body, HasSubstr("there is no node"));
  EXPECT_EQ(ask(service, "GET", "/v1/nodes/nobody").status, 404);
}

TEST_F(ServiceTest, ManyNewNodesFromManyThreads) {
  Service service(request());
  const auto body = [&](int i) {
    return cat("{\"nodes\":[{\"id\":\"x", i, "\",\"features\":{\"", i, "\":1},\"neighbours\":[\"",
               data_.id(i), "\"]}]}");
  };
  std::vector<std::string> alone;
  for (int i = 0; i < 20; ++i) alone.push_back(ask(service, "POST", "/v1/predict", body(i)).body);
  const auto batches = service.metrics().batches.load();
  std::vector<std::future<std::string>> together;
  for (int i = 0; i < 20; ++i)
    together.push_back(std::async(
        std::launch::async, [&, i] { return ask(service, "POST", "/v1/predict", body(i)).body; }));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(together[static_cast<std::size_t>(i)].get(), alone[i]);
  EXPECT_LE(service.metrics().batches.load(), batches + 20);
  EXPECT_EQ(service.metrics().new_nodes.load(), 40u);
}

TEST_F(ServiceTest, ReloadTakesTheNewModelOrKeepsTheOld) {
  Service service(request());
  const std::string first = service.model()->hash();
  service.reload();
  EXPECT_EQ(service.model()->hash(), first);
  train("4");
  service.reload();
  const std::string second = service.model()->hash();
  EXPECT_NE(second, first);
  folder_.write("model.scrl", "damaged");
  EXPECT_THROW(service.reload(), Error);
  EXPECT_EQ(service.model()->hash(), second);
  EXPECT_THAT(ask(service, "GET", "/metrics").body,
              HasSubstr("scrl_reloads_total{result=\"failed\"} 1"));
}

TEST_F(ServiceTest, OtherDataIsRefused) {
  EXPECT_THROW(Service({.run = model_path(), .data = "demo:nodes=150,features=100"}), Error);
}

TEST_F(ServiceTest, AnsweredReadinessAndDrain) {
  Service service(request());
  EXPECT_EQ(ask(service, "GET", "/readyz").status, 200);
  service.drain();
  EXPECT_EQ(ask(service, "GET", "/readyz").status, 503);
  EXPECT_EQ(ask(service, "GET", "/healthz").status, 200);
}

}  // namespace
}  // namespace scrl
