#include "data/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Named {
  IdMap ids;
  Edges edges;
};

Named read(const std::string& text, const std::string& name = "edges.csv") {
  Named out;
  out.edges = read_edge_list(text_stream(text, name), out.ids, UnknownId::kAdd);
  return out;
}

TEST(EdgeListTest, EverySeparatorGivesTheSameEdges) {
  for (const char* text : {"a,b\nb,c\na,b\nc,c\n", "a\tb\nb\tc\na\tb\nc\tc",
                           "a;b\r\nb;c\r\na;b\r\nc;c", "a b\nb   c\n a b\nc \tc\n"}) {
    const Named n = read(text, "edges.txt");
    EXPECT_THAT(n.edges.source, ElementsAre(0, 1, 0, 2)) << text;
    EXPECT_THAT(n.edges.target, ElementsAre(1, 2, 1, 2)) << text;
    EXPECT_THAT(n.edges.weight, IsEmpty());
    EXPECT_THAT(n.ids.names(), ElementsAre("a", "b", "c"));
  }
}

TEST(EdgeListTest, HeadersAreRecognised) {
  for (const char* text : {
           "source,target\na,b\n",           // by name
           "From,To\na,b\n",                 //
           "src,dst,weight\na,b,1\n",        //
           "paper,cites,strength\na,b,1\n",  // by a third field that is no number
           "paper,cites\n10,20\n",           // by integers that follow
       }) {
    EXPECT_EQ(read(text).edges.size(), 1) << text;
    EXPECT_EQ(read(text).ids.size(), 2) << text;
  }
  // Not a header by any rule.
  EXPECT_EQ(read("paper,cites\na,b\n").edges.size(), 2);
  EXPECT_EQ(read("x,1\n1,2\n").edges.size(), 2);
}

// Nodes may be called like columns; a line is a header only if no other line knows its names.
TEST(EdgeListTest, AFirstEdgeThatLooksLikeAHeaderIsKept) {
  const Named n = read("u v\nv w\nw u\n", "edges.txt");
  ASSERT_EQ(n.edges.size(), 3);
  EXPECT_EQ(n.ids.name(n.edges.source[0]), "u");
  EXPECT_EQ(n.ids.name(n.edges.target[0]), "v");
  EXPECT_EQ(n.ids.name(n.edges.source[1]), "v");
  EXPECT_EQ(read("i j\nk j\n", "edges.txt").edges.size(), 2);
  EXPECT_EQ(read("i j\nk l\n", "edges.txt").edges.size(), 1);
  EXPECT_EQ(read("a,b\n1,2\n2,b\n").edges.size(), 3);  // text before integers
  const Named weighted = read("from,to,2\na,b,3\n");   // no column is called 2
  EXPECT_THAT(weighted.edges.weight, ElementsAre(2, 3));
  IdMap ids;  // known from elsewhere
  ids.add("u");
  ids.add("v");
  EXPECT_EQ(read_edge_list(text_stream("u v\n"), ids, UnknownId::kRefuse).size(), 1);
}

TEST(EdgeListTest, Weights) {
  EXPECT_THAT(read("a,b,0.5\nb,c,2\n").edges.weight, ElementsAre(0.5f, 2));
  EXPECT_THAT(read("a,b,1\nb,c,1.0\n").edges.weight, IsEmpty());
}

TEST(EdgeListTest, QuotedIds) {
  const Named n = read("source,target\n\"Doe, J.\",\"O\"\"Hara\"\n");
  EXPECT_THAT(n.ids.names(), ElementsAre("Doe, J.", "O\"Hara"));
}

TEST(EdgeListTest, UnknownIdsAreRefusedWhenTheSetIsFixed) {
  IdMap ids = IdMap::numbers(3, "lines of x.label");
  EXPECT_EQ(read_edge_list(text_stream("0 2\n"), ids, UnknownId::kRefuse).target[0], 2);
  EXPECT_EQ(error_of([&] { read_edge_list(text_stream("0 2\n\n0 3\n"), ids, UnknownId::kRefuse); }),
            "file:3: target: expected a node number 0..2 (lines of x.label), found \"3\"");
}

}  // namespace
}  // namespace scrl
