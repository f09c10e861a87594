#include "io/regular_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "io/byte_stream.h"
#include "io/run_mark.h"
#include "io/source.h"
#include "io/zip.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

TEST(RegularFileTest, ReadsFromTheStartAndAnywhere) {
  const TempFolder folder;
  const std::string path = folder.write("x", "0123456789");
  RegularFile file(path);
  EXPECT_EQ(file.size(), 10);
  std::string start(4, ' '), middle(3, ' ');
  EXPECT_EQ(file.read(start), 4u);
  file.read_all_of(5, middle);
  EXPECT_EQ(start + middle, "0123567");
  EXPECT_EQ(error_of([&] { file.read_all_of(8, middle); }), path + ": truncated: ends at byte 10");
  EXPECT_EQ(read_file(path, 10, ErrorKind::kData), "0123456789");
  EXPECT_EQ(error_of([&] { read_file(path, 9, ErrorKind::kModelFile); }, ErrorKind::kModelFile),
            path + ": expected at most 9 bytes, found more");
  EXPECT_EQ(first_bytes(path, 3), "012");
  EXPECT_EQ(first_bytes(path, 30), "0123456789");
  EXPECT_EQ(first_bytes(folder.path() + "/none", 3), "");
}

// Opening a pipe waits until somebody writes to it: each of these would hang.
TEST(RegularFileTest, APipeOrDeviceIsRefusedAtOnce) {
  const TempFolder folder;
  const std::string pipe = folder.path() + "/pipe", run = folder.path() + "/run";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto refused = [](const std::string& path) { return error_of([&] { open_file(path); }); };
  EXPECT_EQ(refused(pipe), pipe + ": expected a file, found a pipe");
  EXPECT_EQ(refused("/dev/zero"), "/dev/zero: expected a file, found a device");
  EXPECT_EQ(refused(folder.path()), folder.path() + ": expected a file, found a folder");
  EXPECT_FALSE(is_zip(pipe));
  EXPECT_EQ(error_of([&] { open_source(pipe); }),
            pipe + ": expected a folder, a zip archive, an .npz archive or a .graphml file");
  folder.write("run/x", "");
  ASSERT_EQ(mkfifo((run + "/config.toml").c_str(), 0600), 0);
  EXPECT_FALSE(is_run_folder(run));
  EXPECT_EQ(open_source(run)->files().size(), 1u);  // the pipe is not one of them
}

}  // namespace
}  // namespace scrl
