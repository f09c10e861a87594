#include "run/outputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "io/fields.h"

namespace scrl {
namespace {

Dataset two_nodes() {
  Dataset d;
  d.nodes = 2;
  d.ids = {"a, b", "say \"hi\""};
  return d;
}

TEST(OutputsTest, CsvFieldsAreQuotedWhereNeeded) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field(" padded"), "\" padded\"");
  EXPECT_EQ(csv_field("#tag"), "\"#tag\"");
  EXPECT_EQ(csv_field("%tag"), "\"%tag\"");
  EXPECT_EQ(csv_field("a#b"), "a#b");
  EXPECT_EQ(csv_field(""), "\"\"");
}

TEST(OutputsTest, IdsAreLinesThatReadBack) {
  Dataset d;
  d.ids = {"a, b", "#c", "%d", " e", "f\t", "say \"hi\"", "\"g\"", "\""};
  d.nodes = std::ssize(d.ids);
  EXPECT_EQ(ids_text(d),
            "a, b\n\"#c\"\n\"%d\"\n\" e\"\n\"f\t\"\nsay \"hi\"\n\"\"\"g\"\"\"\n\"\"\"\"\n");
  std::istringstream lines(ids_text(d));
  std::string line;
  for (const std::string& id : d.ids) {
    std::getline(lines, line);
    EXPECT_EQ(unquoted(line), id);
  }
}

TEST(OutputsTest, PredictionsNameTheMostProbableClass) {
  Matrix logp(2, 2);
  logp(0, 0) = std::log(0.25f);
  logp(0, 1) = std::log(0.75f);
  logp(1, 0) = 0.0f;
  logp(1, 1) = -100.0f;
  const std::string csv = predictions_csv(two_nodes(), {"x", "y"}, logp);
  EXPECT_TRUE(csv.starts_with("id,label,x,y\n\"a, b\",y,0.25,0.75\n\"say \"\"hi\"\"\",x,1,"))
      << csv;
}

TEST(OutputsTest, EmbeddingsInBothTextForms) {
  Matrix e(2, 2);
  e(0, 0) = 0.5f;
  e(1, 1) = -1.25f;
  EXPECT_EQ(embeddings_csv(two_nodes(), e),
            "id,e0,e1\n\"a, b\",0.5,0\n\"say \"\"hi\"\"\",0,-1.25\n");
  EXPECT_EQ(embeddings_word2vec(two_nodes(), e), "2 2\na,_b 0.5 0\nsay_\"hi\" 0 -1.25\n");
  EXPECT_EQ(ids_text(two_nodes()), "a, b\nsay \"hi\"\n");
}

}  // namespace
}  // namespace scrl
