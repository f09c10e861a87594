#include "paper/published_settings.h"

#include <gtest/gtest.h>

#include <map>

#include "support/errors.h"

namespace scrl {
namespace {

// Later values over earlier ones, as settings are applied.
std::map<std::string, std::string> values(const char* method, const char* data, int labels) {
  std::map<std::string, std::string> out;
  for (const auto& [key, value] : published_values(method, data, labels)) out[key] = value;
  return out;
}

std::string refusal(const char* method, const char* data, int labels) {
  return error_of([&] { published_values(method, data, labels); }, ErrorKind::kUsage);
}

TEST(ProfilesTest, RowsForAllDataGoBelowThoseForOne) {
  EXPECT_EQ(values("scrl-paper", "acm", 20)["hidden1"], "768");
  EXPECT_EQ(values("scrl-paper", "acm", 20)["epsilon"], "0.3");
  EXPECT_EQ(values("scrl-paper", "acm", 20)["k"], "9");
  EXPECT_EQ(values("scrl-paper", "acm", 40)["k"], "3");
  EXPECT_EQ(values("scrl-paper", "citeseer", 60)["knn"], "file");
  EXPECT_EQ(values("scrl-paper", "pubmed", 20)["knn"], "rule");
  EXPECT_EQ(values("knn-gcn", "flickr", 40)["k"], "5");
  EXPECT_EQ(values("knn-gcn", "citeseer", 40)["k"], "7");
  EXPECT_EQ(values("gat", "pubmed", 20)["out_heads"], "8");
  EXPECT_EQ(values("gat", "acm", 20)["feature_norm"], "l1");
  EXPECT_EQ(values("gat", "uai", 20)["feature_norm"], "l2");
  EXPECT_TRUE(values("gcn", "acm", 20).empty());
  EXPECT_EQ(values("grace", "citeseer", 60)["activation"], "prelu");
}

// For SCRL and AM-GCN there are values for all data, which alone are no profile.
TEST(ProfilesTest, AValueForAllDataIsNotAlwaysEnough) {
  EXPECT_EQ(values("amgcn", "uai", 40)["epochs"], "70");
  EXPECT_EQ(values("amgcn", "uai", 40)["knn"], "file");
  EXPECT_EQ(values("amgcn", "pubmed", 40)["knn"], "rule");
  EXPECT_EQ(refusal("amgcn", "uai", 5)
                .find("profile paper: nothing is known for amgcn on uai with "
                      "5 labels per class; there is: acm 20, acm 40"),
            0u);
  EXPECT_NE(refusal("amgcn", "mygraph", 20).find("amgcn on mygraph"), std::string::npos);
  EXPECT_NE(refusal("scrl-paper", "mygraph", 20).find("; there is: acm 20,"), std::string::npos);
  EXPECT_NE(refusal("scrl-paper", "acm", 30).find("; there is: acm 20,"), std::string::npos);
  EXPECT_EQ(values("scrl-paper", "uai", 30)["prototypes"], "57");
}

TEST(ProfilesTest, TheListOfWhatThereIsNamesNothingTwice) {
  const std::string text = refusal("amgcn", "mygraph", 20);
  EXPECT_EQ(text.substr(text.rfind(',')), ", pubmed") << text;
  EXPECT_EQ(text.find("pubmed, pubmed"), std::string::npos) << text;
  EXPECT_EQ(text.find("-1"), std::string::npos) << text;
}

TEST(ProfilesTest, AMethodWithoutAnyIsToldSo) {
  for (const char* method : {"deepwalk", "line", "mlp"}) {
    const std::string text = refusal(method, "acm", 20);
    EXPECT_NE(text.find(std::string("nothing is known for ") + method), std::string::npos) << text;
    EXPECT_NE(text.find("its defaults are all there is"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace scrl
