#include "io/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "io/inflate.h"
#include "support/archives.h"
#include "support/errors.h"
#include "support/pickles.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

std::unique_ptr<Pickle> parse(const std::string& content) {
  const auto stream = text_stream(content, "ind.x", 1000);
  return std::make_unique<Pickle>(*stream);
}

std::string refusal(const std::string& content) {
  return error_of([&] { parse(content); });
}

// What a caller may do with any pickle; returns the first complaint.
std::string read_as_anything(const std::string& content) {
  return error_of([&] {
    const auto pickle = parse(content);
    std::string complaints;
    complaints += error_of([&] {
      const PickleCsr m = pickle->csr();
      for (Index i = 0; i < m.indices.size(); ++i) m.indices.integer(i);
      for (Index i = 0; i < m.data.size(); ++i) m.data.number(i);
    });
    complaints += error_of([&] {
      const PickleArray a = pickle->array();
      for (Index i = 0; i < a.size(); ++i) a.number(i);
    });
    complaints += error_of([&] { pickle->lists(); });
    EXPECT_THAT(complaints, testing::Not(HasSubstr("(other kind)")));
  });
}

TEST(PickleTest, ReadsMatricesOfAllProtocols) {
  for (const char* hex : {kCsr0, kCsr2, kCsr4}) {
    const auto pickle = parse(unhex(hex));
    const PickleCsr m = pickle->csr();
    EXPECT_EQ(m.rows, 2);
    EXPECT_EQ(m.cols, 3);
    ASSERT_EQ(m.indptr.size(), 3);
    EXPECT_EQ(m.indptr.integer(1), 1);
    EXPECT_EQ(m.indptr.integer(2), 2);
    ASSERT_EQ(m.data.size(), 2);
    EXPECT_EQ(m.indices.integer(0), 1);
    EXPECT_EQ(m.data.number(0), 2.0);
    EXPECT_EQ(m.indices.integer(1), 0);
    EXPECT_EQ(m.data.number(1), 1.5);
  }
}

TEST(PickleTest, ReadsArraysOfAllProtocols) {
  for (const char* hex : {kArray0, kArray2, kArray4}) {
    const auto pickle = parse(unhex(hex));
    const PickleArray a = pickle->array();
    EXPECT_THAT(a.shape, ElementsAre(3, 2));
    EXPECT_EQ(a.kind, 'i');
    std::vector<double> values;
    for (Index i = 0; i < a.size(); ++i) values.push_back(a.number(i));
    EXPECT_THAT(values, ElementsAre(1, 0, 0, 1, 0, 0));
  }
}

TEST(PickleTest, ReadsDictionariesOfAllProtocols) {
  for (const char* hex : {kGraph0, kGraph2, kGraph4}) {
    EXPECT_THAT(parse(unhex(hex))->lists(),
                ElementsAre(Pair(0, ElementsAre(1, 2)), Pair(2, ElementsAre(0))));
  }
  // A plain dictionary, ascending by key; the last of two equal keys counts.
  EXPECT_THAT(parse("(dp0\nI5\n(lp1\nI1\nasI3\n(lp2\nsI5\n(lp3\nI7\nas.")->lists(),
              ElementsAre(Pair(3, ElementsAre()), Pair(5, ElementsAre(7))));
}

TEST(PickleTest, RunsNothing) {
  EXPECT_EQ(
      refusal("\x80\x02"
              "cos\nsystem\nU\x02ls\x85R."),
      "ind.x: byte 2: refused 'os system': only scipy CSR, numpy arrays and dict of lists are "
      "read, nothing is executed");
  EXPECT_THAT(refusal("\x80\x04\x8c\x08"
                      "builtins\x8c\x04"
                      "eval\x93."),
              HasSubstr("refused 'builtins eval'"));
  EXPECT_THAT(refusal("c__builtin__\nlist\n(tR."), HasSubstr("refused a call"));
  EXPECT_THAT(refusal("ccollections\ndefaultdict\n(cnumpy\nndarray\ntR."),
              HasSubstr("refused a call"));
  EXPECT_THAT(refusal("(ios\nsystem\n."), HasSubstr("refused opcode 105"));  // INST
  EXPECT_THAT(refusal("P1\n."), HasSubstr("refused opcode 80"));             // PERSID
  EXPECT_THAT(refusal("\x82\x01."), HasSubstr("refused opcode 130"));        // EXT1
  EXPECT_THAT(refusal("]}b."), HasSubstr("refused a state"));
  EXPECT_THAT(refusal("\x80\x05."), HasSubstr("protocol 5 is not read"));
}

TEST(PickleTest, MalformedProgramsAreNamed) {
  EXPECT_THAT(refusal(""), HasSubstr("ends too early"));
  EXPECT_THAT(refusal("."), HasSubstr("a value is missing"));
  EXPECT_THAT(refusal("K\1.x"), HasSubstr("text after the end"));
  EXPECT_THAT(refusal("t."), HasSubstr("a mark is missing"));
  EXPECT_THAT(refusal("h\7."), HasSubstr("memo 7 is not set"));
  EXPECT_THAT(refusal("}K\1(s."), HasSubstr("a value is missing"));  // the mark protects K
  EXPECT_THAT(refusal("K\1K\2a."), HasSubstr("expected a list"));
  EXPECT_THAT(refusal("T\xff\xff\xff\x7f"
                      "ab."),
              HasSubstr("ends too early"));
  EXPECT_THAT(refusal("\x8e\xff\xff\xff\xff\xff\xff\xff\xff."), HasSubstr("ends too early"));
  EXPECT_THAT(refusal("L99999999999999999999L\n."), HasSubstr("below 2^63"));
  EXPECT_THAT(refusal("\x8b\xff\xff\xff\xff."), HasSubstr("below 2^63"));
  EXPECT_THAT(error_of([] { parse("K\1.")->csr(); }), "ind.x: expected a scipy csr_matrix");
  EXPECT_THAT(error_of([] { parse("K\1.")->array(); }), HasSubstr("expected a numpy array"));
  EXPECT_THAT(error_of([] { parse("K\1.")->lists(); }), HasSubstr("expected a dictionary"));
  EXPECT_THAT(error_of([] { parse("}K\1K\2s.")->lists(); }), "ind.x: key 1: expected a list");
}

TEST(PickleTest, CirclesAndSharedListsDoNoHarm) {
  EXPECT_THAT(error_of([] { parse("]q\1h\1a.")->lists(); }), HasSubstr("expected a dictionary"));
  EXPECT_THAT(error_of([] { parse("}q\1K\1h\1s.")->lists(); }), HasSubstr("expected a list"));
  // One long list under very many keys: refused before it is copied for each.
  std::string bomb = "]q\1(";
  for (int i = 0; i < 1000; ++i) bomb += std::string("K\1", 2);
  bomb += "e0}(";
  for (int i = 0; i < 1000; ++i) {
    bomb += {'M', static_cast<char>(i & 255), static_cast<char>(i >> 8), 'h', 1};
  }
  bomb += "u.";
  EXPECT_THAT(error_of([&] { parse(bomb)->lists(); }), HasSubstr("repeat themselves too often"));
}

// What costs one byte, or none when packed, must not make objects without bound.
TEST(PickleTest, AFewPackedBytesDoNotFillMemory) {
  const auto packed = [](const std::string& content) {
    return error_of([&] {
      const auto stream = unpack_if_gzip(text_stream(gzip_bytes(content), "ind.x", 1 << 16));
      Pickle pickle(*stream);
    });
  };
  const std::size_t many = 10 << 20;
  EXPECT_THAT(packed(std::string(many, ']') + "."), HasSubstr("no pickle of a Planetoid data set"));
  EXPECT_THAT(packed(std::string(many, 'N') + "."), HasSubstr("no pickle of a Planetoid data set"));
  EXPECT_THAT(packed(std::string(many, '(') + "."), HasSubstr("no pickle of a Planetoid data set"));
  EXPECT_THAT(packed("N" + std::string(many, '\x94') + "."),
              HasSubstr("no pickle of a Planetoid data set"));
  // The same text encoded again and again.
  std::string copies = "X" + std::string("\0\0\1\0", 4) + std::string(1 << 16, 'a') + "q\1";
  for (int i = 0; i < 5000; ++i)
    copies += "c_codecs\nencode\nh\1X\6" + std::string("\0\0\0latin1\x86R", 11);
  EXPECT_THAT(error_of([&] { parse(copies + "."); }),
              HasSubstr("no pickle of a Planetoid data set"));
}

TEST(PickleTest, EveryTruncationIsRefused) {
  for (const char* hex : {kCsr0, kCsr2, kCsr4, kArray0, kArray2, kArray4, kGraph0, kGraph4}) {
    const std::string content = unhex(hex);
    for (std::size_t size = 0; size < content.size(); ++size) {
      EXPECT_THAT(refusal(content.substr(0, size)), StartsWith("ind.x: byte ")) << size;
    }
  }
}

TEST(PickleTest, EveryChangedByteIsAnErrorOrData) {
  Rng rng(1);
  for (const char* hex : {kCsr0, kCsr2, kCsr4, kArray0, kArray2, kArray4, kGraph0, kGraph4}) {
    const std::string content = unhex(hex);
    for (std::size_t at = 0; at < content.size(); ++at) {
      for (int round = 0; round < 4; ++round) {
        std::string damaged = content;
        damaged[at] = static_cast<char>(rng.below(256));
        EXPECT_THAT(read_as_anything(damaged), AnyOf(StartsWith("ind.x: "), "(nothing thrown)"));
      }
    }
  }
}

TEST(PickleTest, RandomProgramsAreErrorsOrData) {
  constexpr std::string_view kOpcodes = "(.0NKMJUTq]}ateuslh)cRb\x81\x85\x86\x87\x88\x93\x94";
  Rng rng(2);
  for (int round = 0; round < 5000; ++round) {
    std::string content;
    for (Index n = static_cast<Index>(rng.below(40)); n > 0; --n) {
      content += rng.below(4) == 0 ? static_cast<char>(rng.below(8))
                                   : kOpcodes[rng.below(kOpcodes.size())];
    }
    EXPECT_THAT(read_as_anything(content + "."), AnyOf(StartsWith("ind.x: "), "(nothing thrown)"));
  }
}

}  // namespace
}  // namespace scrl
