#include "io/container.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>

#include "base/error.h"
#include "io/atomic_file.h"

namespace scrl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::span<const std::byte> as_bytes(const std::string& s) {
  return std::as_bytes(std::span(s.data(), s.size()));
}

std::string small_file() {
  ContainerWriter writer("model", 3);
  writer.add_text("options", "{\"k\": 5}");
  writer.add_array<std::int64_t>("empty", std::vector<std::int64_t>{});
  writer.add_array<float>("weights", std::vector<float>{1.5f, -2.0f, 0.25f});
  return writer.finish();
}

ContainerReader read(const std::string& content, std::string_view kind = "model",
                     std::uint32_t max_version = 3) {
  return ContainerReader("m.scrl", as_bytes(content), kind, max_version);
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kModelFile) << e.what();
    return e.what();
  }
  return "(accepted)";
}

TEST(ContainerTest, GivesBackWhatWasAdded) {
  const std::string content = small_file();
  const ContainerReader reader = read(content);
  EXPECT_EQ(reader.version(), 3u);
  EXPECT_EQ(reader.text("options"), "{\"k\": 5}");
  EXPECT_THAT(reader.array<float>("weights"), ElementsAre(1.5f, -2.0f, 0.25f));
  EXPECT_TRUE(reader.array<std::int64_t>("empty").empty());
  EXPECT_TRUE(reader.has("empty"));
  EXPECT_FALSE(reader.has("bias"));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(reader.bytes("weights").data()) % 64, 0u);
}

TEST(ContainerTest, ReadsAFile) {
  const std::string path = testing::TempDir() + "container_test.scrl";
  write_atomically(path, small_file());
  EXPECT_EQ(ContainerReader(path, "model", 3).text("options"), "{\"k\": 5}");
  std::filesystem::remove(path);
  EXPECT_THAT(refusal([&] { ContainerReader(path, "model", 3); }),
              AllOf(HasSubstr(path), HasSubstr("cannot open: No such file")));
  EXPECT_THAT(refusal([&] { ContainerReader(testing::TempDir(), "model", 3); }),
              HasSubstr("expected a file, found a folder"));
}

// 6 GB of nothing: what is wrong with them must be found without reading them.
TEST(ContainerTest, ALargeFileIsRefusedAtItsHeader) {
  const std::string path = testing::TempDir() + "container_large.scrl";
  const std::string sound = small_file();
  const auto refusal_of = [&](const std::string& start) {
    write_atomically(path, start);
    std::filesystem::resize_file(path, std::uintmax_t{6} << 30);
    return refusal([&] { ContainerReader(path, "model", 3); });
  };
  EXPECT_THAT(refusal_of(""), HasSubstr("is not a scrl file"));
  EXPECT_THAT(refusal_of("SCRLFILE"), HasSubstr("file layout 0 is unknown"));
  EXPECT_THAT(refusal_of(sound), HasSubstr("too long: expected "));
  std::string long_header = sound;
  const std::uint64_t size = std::uint64_t{5} << 30;
  std::memcpy(long_header.data() + 16, &size, sizeof size);
  EXPECT_THAT(refusal_of(long_header), HasSubstr("damaged header: 5368709120 bytes long"));
  std::filesystem::remove(path);
}

TEST(ContainerTest, EveryTruncationIsRefused) {
  const std::string content = small_file();
  for (std::size_t size = 0; size < content.size(); ++size) {
    const std::string message = refusal([&] { read(content.substr(0, size)); });
    EXPECT_THAT(message, HasSubstr(size == 0 ? "is not a scrl file" : "too short")) << size;
  }
  EXPECT_THAT(refusal([&] { read(content + '\0'); }), HasSubstr("too long"));
}

TEST(ContainerTest, EveryChangedByteIsRefused) {
  const std::string content = small_file();
  for (std::size_t at = 0; at < content.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string damaged = content;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      EXPECT_NE(refusal([&] { read(damaged); }), "(accepted)") << "byte " << at;
    }
  }
}

TEST(ContainerTest, EveryMismatchHasItsOwnMessage) {
  const std::string content = small_file();
  EXPECT_EQ(refusal([&] { read("PK\3\4 and so on"); }), "m.scrl: is not a scrl file");
  EXPECT_EQ(refusal([&] { read(content, "checkpoint"); }),
            "m.scrl: is a model, expected a checkpoint");
  EXPECT_EQ(refusal([&] { read(content, "model", 2); }),
            "m.scrl: model format 3 is newer than 2, the newest this program reads; use a newer "
            "scrl");
  std::string damaged = content;
  damaged.back() ^= 1;
  EXPECT_EQ(refusal([&] { read(damaged); }),
            "m.scrl: damaged section weights: checksum does not match");
  damaged = content;
  damaged[8] = 2;
  EXPECT_THAT(refusal([&] { read(damaged); }), HasSubstr("file layout 2 is unknown"));
  damaged = content;
  damaged[12] ^= 1;
  EXPECT_THAT(refusal([&] { read(damaged); }), HasSubstr("damaged header"));
  const ContainerReader reader = read(content);
  EXPECT_EQ(refusal([&] { reader.bytes("bias"); }), "m.scrl: section bias is missing");
  EXPECT_EQ(refusal([&] { reader.array<double>("weights"); }),
            "m.scrl: section weights: expected a multiple of 8 bytes, found 12");
}

TEST(ContainerTest, ANameCannotBeAddedTwice) {
  ContainerWriter writer("model", 1);
  writer.add_text("a", "1");
  EXPECT_THROW(writer.add_text("a", "2"), Error);
}

}  // namespace
}  // namespace scrl
