#include "io/deflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/rng.h"

namespace scrl {
namespace {

std::string inflated(const std::string& packed, std::size_t size) {
  std::string out(size + 1, '\0');
  uLongf length = out.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  out.resize(length);
  return out;
}

TEST(DeflateTest, UnpacksToTheSameBytes) {
  Rng rng(1);
  for (const std::size_t size : {0u, 1u, 100u, 65536u, 300001u}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(rng.below(7) == 0 ? rng.below(256) : 'x');
    const std::string packed = deflated(bytes);
    EXPECT_EQ(inflated(packed, size), bytes) << size;
    EXPECT_LT(packed.size(), size / 2 + 64);
  }
}

// The examples of RFC 4648, section 10.
TEST(Base64Test, Rfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfb"), "//77");
}

}  // namespace
}  // namespace scrl
