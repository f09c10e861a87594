// Models and checkpoints with valid checksums whose content no training writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>

#include "base/error.h"
#include "config/json.h"
#include "io/atomic_file.h"
#include "io/container.h"
#include "kernels/simd.h"
#include "run/checkpoint.h"
#include "run/model_file.h"
#include "run/train_run.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

constexpr const char* kData = "demo:nodes=80,features=100";

class UntrustedFilesTest : public ::testing::Test {
 protected:
  static std::vector<Setting> settings() {
    return {{"method", "gcn", "test"}, {"epochs", "4", "test"}, {"hidden1", "8", "test"}};
  }
  TrainRequest request(IfExists mode) const {
    return {.data = load_dataset(kData),
            .data_reference = kData,
            .settings = settings(),
            .out = run_,
            .if_exists = mode};
  }

  const TempFolder folder_;
  const std::string run_ = folder_.path() + "/run";
};

// A copy of a container with other texts in some of its sections.
class Forgery {
 public:
  Forgery(const std::string& path, const std::string& kind, std::uint32_t version,
          const std::vector<std::string>& sections)
      : path_(path), kind_(kind), version_(version) {
    const ContainerReader in(path, kind, version);
    for (const std::string& s : sections) content_[s] = std::string(in.text(s));
  }
  std::string& operator[](const std::string& section) { return content_[section]; }
  void write() const {
    ContainerWriter out(kind_, version_);
    for (const auto& [section, text] : content_) out.add_text(section, text);
    out.write(path_);
  }

 private:
  std::string path_, kind_;
  std::uint32_t version_;
  std::map<std::string, std::string> content_;
};

class ModelForgeryTest : public UntrustedFilesTest {
 protected:
  void SetUp() override {
    run_training(request(IfExists::kRefuse), {});
    const LoadedModel sound = load_model(path_, load_dataset(kData));
    for (const auto& p : sound.model->params)
      if (p->predicts) sections_.push_back("param/" + p->name);
    std::filesystem::copy(path_, path_ + ".sound");
  }
  // The message of load_model() after `change` of the meta section.
  std::string refusal(const std::function<void(Json&)>& change) {
    forge(change);
    return error_of([&] { load_model(path_, load_dataset(kData)); }, ErrorKind::kModelFile);
  }
  void forge(const std::function<void(Json&)>& change) {
    std::filesystem::copy(path_ + ".sound", path_,
                          std::filesystem::copy_options::overwrite_existing);
    Forgery file(path_, "model", kModelVersion, sections_);
    Json meta = Json::parse(file["meta"]);
    change(meta);
    file["meta"] = meta.dump();
    file.write();
  }

  const std::string path_ = run_ + "/model.scrl";
  std::vector<std::string> sections_ = {"meta", "ids"};
};

TEST_F(ModelForgeryTest, OtherClassesThanTheDataHasAreRefused) {
  const auto more = [](Json& meta) {
    for (int i = 0; i < 40; ++i) meta["classes"].push_back(cat("class ", i));
  };
  EXPECT_EQ(refusal(more), path_ + ": its classes are not those of the data it was trained on");
}

TEST_F(ModelForgeryTest, EveryFieldOfMetaIsChecked) {
  const std::string where = path_ + ": section meta: ";
  EXPECT_EQ(refusal([](Json& m) { m["seed"] = std::uint64_t{1} << 63; }),
            where +
                "seed: expected a whole number from 0 to 2147483647, found "
                "9223372036854775808");
  EXPECT_EQ(refusal([](Json& m) { m["best_epoch"] = -1; }),
            where + "best_epoch: expected a whole number from 0 to 2147483647, found -1");
  EXPECT_EQ(refusal([](Json& m) { m["features"] = "100"; }),
            where +
                "features: expected a whole number from 0 to 9223372036854775807, found "
                "\"100\"");
  EXPECT_EQ(refusal([](Json& m) {
              m["classes"] = {"a", 1};
            }),
            where + "classes: expected texts in the list, found 1");
  EXPECT_EQ(refusal([](Json& m) { m["classes"] = Json::array(); }),
            where + "classes: expected one class or more, found none");
  EXPECT_EQ(refusal([](Json& m) { m.erase("fingerprint"); }), where + "fingerprint: it is missing");
  EXPECT_EQ(refusal([](Json& m) { m["options"] = 3; }),
            where + "options: expected an object, found 3");
  EXPECT_EQ(refusal([](Json& m) { m["options"]["epochs"] = 3; }),
            where + "options.epochs: expected a text, found 3");
  EXPECT_THAT(refusal([](Json& m) { m["options"]["hidden1"] = "-3"; }),
              HasSubstr("hidden1: expected"));
  EXPECT_THAT(refusal([](Json& m) { m["options"]["method"] = "auto"; }), HasSubstr(path_));
  EXPECT_EQ(refusal([](Json& m) { m = Json::array(); }),
            where.substr(0, where.size() - 2) + ": expected an object, found a list of 0");
}

TEST_F(ModelForgeryTest, ParametersAreOfTheRightSizeAndFinite) {
  Forgery file(path_, "model", kModelVersion, sections_);
  const std::string section = sections_.back(), sound = file[section];
  file[section].resize(sound.size() - 4);
  file.write();
  const auto loading = [&] {
    return error_of([&] { load_model(path_, load_dataset(kData)); }, ErrorKind::kModelFile);
  };
  EXPECT_THAT(loading(), HasSubstr("section " + section + " holds "));
  file[section] = sound;
  const float infinite = std::numeric_limits<float>::infinity();
  std::memcpy(file[section].data() + 4, &infinite, sizeof infinite);
  file.write();
  EXPECT_EQ(loading(),
            path_ + ": section " + section + ": value 1: expected a finite number, found inf");
}

class CheckpointForgeryTest : public UntrustedFilesTest {
 protected:
  // A run that was stopped after two of its four epochs.
  void SetUp() override {
    int epochs = 0;
    TrainEvents events;
    events.epoch = [&](int, const std::string&, const EpochStats&, int) { ++epochs; };
    events.should_stop = [&] { return epochs == 2; };
    run_training(request(IfExists::kRefuse), events);
    const Dataset data = load_dataset(kData);
    RunConfig config(settings(), data.name);
    config.resolve(data);
    const Operands operands = prepare(data, config.graph, config.method->views());
    const auto model = untrained_model(operands, config, data.num_classes());
    for (const auto& p : model->params)
      for (const char* prefix : {"param/", "best/", "adam_m/", "adam_v/"})
        if (ContainerReader(path_, "checkpoint", 1000).has(prefix + p->name))
          sections_.push_back(prefix + p->name);
    std::filesystem::copy(path_, path_ + ".sound");
  }
  std::string refusal(const std::function<void(Forgery&)>& change) {
    std::filesystem::copy(path_ + ".sound", path_,
                          std::filesystem::copy_options::overwrite_existing);
    const std::uint32_t version = ContainerReader(path_, "checkpoint", 1000).version();
    Forgery file(path_, "checkpoint", version, sections_);
    change(file);
    file.write();
    return error_of([&] { run_training(request(IfExists::kResume), {}); }, ErrorKind::kModelFile);
  }
  template <class T>
  static void set(std::string& section, std::size_t index, T value) {
    std::memcpy(section.data() + index * sizeof value, &value, sizeof value);
  }
  static void change_meta(Forgery& file, const std::function<void(Json&)>& change) {
    Json meta = Json::parse(file["meta"]);
    change(meta);
    file["meta"] = meta.dump();
  }

  const std::string path_ = run_ + "/checkpoint.scrl";
  std::vector<std::string> sections_ = {"meta", "history", "epochs"};
};

TEST_F(CheckpointForgeryTest, TheEpochsMustBeThoseOfATraining) {
  EXPECT_EQ(refusal([](Forgery&) {}), "(nothing thrown)");
  std::filesystem::remove_all(run_);
  SetUp();
  const std::string contradict = path_ + ": the epoch counts contradict each other";
  // Reading the scores of the best epoch, which is none, once read before the first.
  EXPECT_EQ(refusal([](Forgery& f) { set<std::int32_t>(f["epochs"], 1, 0); }), contradict);
  EXPECT_EQ(refusal([](Forgery& f) { set<std::int32_t>(f["epochs"], 1, 3); }), contradict);
  EXPECT_EQ(refusal([](Forgery& f) { set<std::int32_t>(f["epochs"], 0, -1); }), contradict);
  EXPECT_EQ(refusal([](Forgery& f) { set<std::int32_t>(f["epochs"], 0, 3); }), contradict);
  const std::string impossible = path_ +
                                 ": section history: epoch 1 has values that no epoch can "
                                 "have";
  EXPECT_EQ(refusal([](Forgery& f) { set<double>(f["history"], 0, 7); }), impossible);
  EXPECT_EQ(refusal([](Forgery& f) { set<double>(f["history"], 1, NAN); }), impossible);
  EXPECT_EQ(refusal([](Forgery& f) { set<double>(f["history"], 4, 101); }), impossible);
  EXPECT_EQ(refusal([](Forgery& f) { set<double>(f["history"], 8, -1); }), impossible);
}

TEST_F(CheckpointForgeryTest, MetaAndValuesAreChecked) {
  const auto meta = [&](const std::function<void(Json&)>& change) {
    return refusal([&](Forgery& f) { change_meta(f, change); });
  };
  EXPECT_EQ(meta([](Json& m) { m["event_bytes"] = -1; }),
            path_ +
                ": section meta: event_bytes: expected a whole number from 0 to "
                "9223372036854775807, found -1");
  EXPECT_EQ(meta([](Json& m) { m["results"] = 1; }),
            path_ + ": section meta: results: expected a list of objects, found 1");
  EXPECT_EQ(meta([](Json& m) { m["results"].push_back(Json::object()); }),
            path_ + ": section meta: results[0].seed: it is missing");
  EXPECT_THAT(refusal([&](Forgery& f) { set<float>(f[sections_.back()], 0, NAN); }),
              HasSubstr("value 0: expected a finite number, found nan"));
}

TEST_F(CheckpointForgeryTest, SeedsOfAnotherRunAreRefused) {
  const Scores none;
  const SeedResult other{.seed = 7, .test = none, .val = none, .oracle = none};
  EXPECT_EQ(refusal([&](Forgery& f) {
              change_meta(f, [&](Json& m) { m["results"].push_back(to_json(other)); });
            }),
            path_ + ": its seeds are not those of this run; --force starts anew");
}

}  // namespace
}  // namespace scrl
