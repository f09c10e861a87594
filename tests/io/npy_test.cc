#include "io/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "support/errors.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  const std::size_t size = dictionary.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(size >> 8 * i & 255);
  return out + dictionary + data;
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

NpyReader open(std::string content) { return NpyReader(text_stream(std::move(content), "x.npy")); }

std::string header(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }  \n";
}

template <class T>
void expect_numbers(const std::string& type, std::initializer_list<T> values,
                    const std::vector<float>& expected) {
  SCOPED_TRACE(type);
  NpyReader reader = open(npy(header(type, "(3,)"), bytes_of<T>(values)));
  EXPECT_EQ(reader.rest<float>(), expected);
}

TEST(NpyTest, ReadsEveryTypeOfNumber) {
  expect_numbers<float>("<f4", {1.5f, -2, 0}, {1.5f, -2, 0});
  expect_numbers<double>("<f8", {1.5, -2, 1e300}, {1.5f, -2, INFINITY});
  expect_numbers<std::uint16_t>("<f2", {0x3e00, 0xc000, 0x0001}, {1.5f, -2, 0x1p-24f});
  expect_numbers<std::int8_t>("|i1", {1, -2, 3}, {1, -2, 3});
  expect_numbers<std::int16_t>("<i2", {1, -2, 300}, {1, -2, 300});
  expect_numbers<std::int32_t>("<i4", {1, -2, 70000}, {1, -2, 70000});
  expect_numbers<std::int64_t>("<i8", {1, -2, 1ll << 40}, {1, -2, 0x1p40f});
  expect_numbers<std::uint8_t>("|u1", {1, 255, 0}, {1, 255, 0});
  expect_numbers<std::uint16_t>("<u2", {1, 65535, 0}, {1, 65535, 0});
  expect_numbers<std::uint32_t>("<u4", {1, 1u << 31, 0}, {1, 0x1p31f, 0});
  expect_numbers<std::uint64_t>("<u8", {1, 1ull << 63, 0}, {1, 0x1p63f, 0});
  expect_numbers<std::uint8_t>("|b1", {1, 0, 1}, {1, 0, 1});
}

TEST(NpyTest, ReadsVersionsShapesAndText) {
  for (const int version : {1, 2, 3}) {
    NpyReader reader = open(npy(header("<i4", "(2, 1)"), bytes_of<std::int32_t>({7, 8}), version));
    EXPECT_THAT(reader.header().shape, ElementsAre(2, 1));
    EXPECT_THAT(reader.rest<Index>(), ElementsAre(7, 8));
  }
  EXPECT_EQ(open(npy(header("|S3", "()"), "csr")).text(), "csr");
  EXPECT_EQ(open(npy(header("<U3", "()"), std::string("c\0\0\0s\0\0\0c\0\0\0", 12))).text(), "csc");
  const auto reader = open(
      npy("{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\"<f4\"}", std::string(24, 'x')));
  EXPECT_TRUE(reader.header().fortran_order);
}

TEST(NpyTest, RefusesWhatItDoesNotRead) {
  const auto refusal = [](const std::string& dictionary) {
    return error_of([&] { open(npy(dictionary, "")); });
  };
  EXPECT_THAT(refusal(header("|O", "(2,)")), HasSubstr("x.npy: object arrays are not read"));
  EXPECT_THAT(refusal(header(">f4", "(2,)")), HasSubstr("big endian type '>f4'"));
  EXPECT_THAT(refusal(header("<c8", "(2,)")), HasSubstr("type '<c8' is not read"));
  EXPECT_THAT(refusal("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
              HasSubstr("structured arrays are not read"));
  EXPECT_THAT(refusal("{'descr': '<f4', 'shape': (1,)}"), HasSubstr("expected the keys"));
  EXPECT_THAT(refusal(header("<f4", "(-1,)")), HasSubstr("shape: expected a size"));
  EXPECT_THAT(refusal(header("<f4", "(4294967296, 4294967296)")), HasSubstr("too many values"));
  EXPECT_THAT(refusal("{'descr': '<f4', 'evil': 1}"), HasSubstr("unknown key 'evil'"));
  EXPECT_EQ(error_of([] { open("PK\3\4 a zip"); }), "x.npy: is not a .npy array");
  EXPECT_THAT(error_of([] { open(npy("{}", "", 9)); }), HasSubstr(".npy version 9"));
  EXPECT_THAT(error_of([] { open(npy(header("<f4", "(1,)"), "abcd")).rest<Index>(); }),
              HasSubstr("expected whole numbers"));
  EXPECT_THAT(error_of([] { open(npy(header("|S4", "(1,)"), "abcd")).rest<float>(); }),
              HasSubstr("expected numbers, found text"));
}

// A header that promises a terabyte costs nothing: the array ends where its bytes end.
TEST(NpyTest, SizesAreOnlyClaims) {
  const std::string content = npy(header("<f8", "(137438953472,)"), std::string(80, '\0'));
  EXPECT_EQ(error_of([&] { open(content).rest<float>(); }),
            "x.npy: too short: expected 137438953472 values, found 10");
  EXPECT_EQ(error_of([] { open(npy(header("<f4", "(1125899906842624, 0)"), "")); }),
            "x.npy: bad .npy header: shape: a size of 1125899906842624 in an array without values");
  EXPECT_THAT(error_of([] { open(npy(header("<f4", "(1,)"), "abcdefgh")).rest<float>(); }),
              HasSubstr("expected the end after 1 values"));
}

TEST(NpyTest, EveryTruncationAndEveryFlipIsAnErrorOrAnArray) {
  const std::string content = npy(header("<f4", "(2, 2)"), bytes_of<float>({1, 2, 3, 4}));
  const auto read = [](const std::string& damaged) {
    return error_of([&] { open(damaged).rest<float>(); });
  };
  for (std::size_t size = 0; size < content.size(); ++size) {
    EXPECT_THAT(read(content.substr(0, size)), HasSubstr("x.npy: ")) << size;
  }
  for (std::size_t at = 0; at < content.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = content;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
      EXPECT_THAT(read(damaged), testing::AnyOf(HasSubstr("x.npy: "), "(nothing thrown)"));
    }
  }
}

TEST(NpyTest, WritesWhatItReads) {
  Matrix m(3, 5);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 5; ++j) m(i, j) = static_cast<float>(10 * i + j);
  }
  const std::string content = npy_bytes(m);
  EXPECT_EQ((content.size() - 60) % 64, 0u);  // data are aligned for numpy.load(mmap_mode=...)
  NpyReader reader = open(content);
  EXPECT_THAT(reader.header().shape, ElementsAre(3, 5));
  EXPECT_FALSE(reader.header().fortran_order);
  EXPECT_EQ(reader.rest<float>(), m.packed());
}

TEST(NpyTest, EveryHalfIsWrittenAsItWasRead) {
  std::string all;
  for (int bits = 0; bits < 65536; ++bits)
    if ((bits >> 10 & 31) != 31)
      all += {static_cast<char>(bits & 255), static_cast<char>(bits >> 8)};
  Matrix m(1, static_cast<Index>(all.size() / 2));
  m.assign_packed(open(npy(header("<f2", cat("(1, ", m.cols(), ")")), all)).rest<float>());
  const std::string content = npy_half_bytes(m);
  EXPECT_EQ(content.substr(content.size() - all.size()), all);
}

TEST(NpyTest, HalvesAreTheNearestToEvenAndFinite) {
  const std::vector<float> in = {1 + 0x1p-11f,   1 + 3 * 0x1p-11f, 1 + 0x1.8p-11f,
                                 2047.5f / 1024, 0x1p-25f,         0x1.8p-24f,
                                 -70000,         INFINITY,         -0x1.2p-25f};
  const std::vector<float> out = {1,     1 + 4 * 0x1p-11f, 1 + 2 * 0x1p-11f, 2, 0, 0x1p-23f, -65504,
                                  65504, -0x1p-24f};
  Matrix m(1, static_cast<Index>(in.size()));
  m.assign_packed(in);
  EXPECT_EQ(open(npy_half_bytes(m)).rest<float>(), out);
}

}  // namespace
}  // namespace scrl
