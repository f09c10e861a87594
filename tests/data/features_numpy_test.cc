#include "data/features_numpy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "io/npy.h"
#include "support/archives.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

template <class T>
std::string array(const std::string& type, const std::string& shape, std::vector<T> values) {
  std::string text =
      cat("{'descr': '", type, "', 'fortran_order': False, 'shape': ", shape, ", }\n");
  std::string out = "\x93NUMPY";
  out += {1, 0, static_cast<char>(text.size()), 0};
  return out + text +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// The matrix [[0, 2, 0], [1.5, 0, 0]] as scipy saves it; parts can be replaced.
struct Npz {
  std::string format = array<char>("|S3", "()", {'c', 's', 'r'});
  std::string shape = array<std::int64_t>("<i8", "(2,)", {2, 3});
  std::string indptr = array<std::int32_t>("<i4", "(3,)", {0, 1, 2});
  std::string indices = array<std::int32_t>("<i4", "(2,)", {1, 0});
  std::string data = array<float>("<f4", "(2,)", {2, 1.5f});

  std::string bytes() const {
    ZipWriter zip;
    zip.add({"indices.npy", indices}).add({"indptr.npy", indptr}).add({"format.npy", format});
    zip.add({"shape.npy", shape}).add({"data.npy", data});
    return zip.finish();
  }
};

class FeaturesNumpyTest : public testing::Test {
 protected:
  Csr read_npz(const std::string& bytes) {
    return read_features_npz(folder_.write("f.npz", bytes));
  }
  Csr read_npy(const std::string& bytes) {
    return read_features_npy(folder_.write("f.npy", bytes));
  }
  std::string npz_error(const Npz& npz) {
    return error_of([&] { read_npz(npz.bytes()); });
  }
  TempFolder folder_;
};

TEST_F(FeaturesNumpyTest, ReadsASparseMatrix) {
  const Csr x = read_npz(Npz{}.bytes());
  EXPECT_EQ(x.rows, 2);
  EXPECT_EQ(x.cols, 3);
  EXPECT_THAT(x.row_ptr, ElementsAre(0, 1, 2));
  EXPECT_THAT(x.col, ElementsAre(1, 0));
  EXPECT_THAT(x.val, ElementsAre(2, 1.5f));
}

TEST_F(FeaturesNumpyTest, SortsSumsAndDropsZeros) {
  Npz npz;
  npz.indptr = array<std::int64_t>("<i8", "(3,)", {0, 5, 6});
  npz.indices = array<std::int64_t>("<i8", "(6,)", {2, 0, 2, 1, 1, 0});
  npz.data = array<double>("<f8", "(6,)", {1, 5, 2, 4, -4, 0});
  const Csr x = read_npz(npz.bytes());
  validate(x, "x");
  EXPECT_THAT(x.row_ptr, ElementsAre(0, 2, 2));
  EXPECT_THAT(x.col, ElementsAre(0, 2));
  EXPECT_THAT(x.val, ElementsAre(5, 3));
}

TEST_F(FeaturesNumpyTest, RefusesWhatDoesNotFit) {
  Npz npz;
  npz.format = array<char>("|S3", "()", {'c', 's', 'c'});
  EXPECT_THAT(npz_error(npz), HasSubstr("expected format csr, found 'csc'; save it with "
                                        "scipy.sparse.save_npz(file, scipy.sparse.csr_matrix("));
  npz = {.indices = array<std::int32_t>("<i4", "(2,)", {1, 3})};
  EXPECT_THAT(npz_error(npz), EndsWith("row 1: column 3 out of range, expected 0..2"));
  npz = {.indptr = array<std::int32_t>("<i4", "(3,)", {0, 7, 2})};
  EXPECT_THAT(npz_error(npz), HasSubstr("indptr: expected ascending offsets"));
  npz = {.indptr = array<std::int32_t>("<i4", "(2,)", {0, 2})};
  EXPECT_THAT(npz_error(npz), HasSubstr("indptr: expected 3 offsets, found 2"));
  npz = {.shape = array<std::int64_t>("<i8", "(2,)", {std::int64_t{1} << 40, 3})};
  EXPECT_THAT(npz_error(npz), HasSubstr("out of range"));
  npz = {.data = array<float>("<f4", "(2,)", {2, std::numeric_limits<float>::infinity()})};
  EXPECT_THAT(npz_error(npz), HasSubstr("row 1: expected a finite value, found inf"));
  npz = {.data = array<float>("<f4", "(1,)", {2})};
  EXPECT_THAT(npz_error(npz), HasSubstr("data: expected 2 values like indices, found 1"));
  ZipWriter other;
  other.add({"arr_0.npy", Npz{}.data});
  EXPECT_THAT(error_of([&] { read_npz(other.finish()); }),
              HasSubstr("expected a file of scipy.sparse.save_npz, found no array 'format'"));
}

// Empty columns take no room in the file, but later in memory.
TEST_F(FeaturesNumpyTest, RefusesColumnsOutOfProportion) {
  Npz npz{.shape = array<std::int64_t>("<i8", "(2,)", {2, 2'000'000'000})};
  EXPECT_THAT(npz_error(npz),
              EndsWith("f.npz: expected at most 1000128 columns for 2 values, found 2000000000; "
                       "number the columns in use one after the other"));
  npz.shape = array<std::int64_t>("<i8", "(2,)", {2, 1'000'128});
  EXPECT_EQ(npz_error(npz), "(nothing thrown)");
  EXPECT_THAT(
      error_of([&] { read_npy(array<char>("|u1", "(1, 1000001)", std::vector<char>(1'000'001))); }),
      EndsWith("f.npy: expected at most 1000000 columns for 0 values, found 1000001; number "
               "the columns in use one after the other"));
}

TEST_F(FeaturesNumpyTest, EveryTruncationOfAnArchiveIsRefused) {
  const std::string bytes = Npz{}.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string message = error_of([&] { read_npz(bytes.substr(0, size)); });
    EXPECT_THAT(message, HasSubstr("f.npz")) << size;
    EXPECT_THAT(message, Not(HasSubstr("(other kind)")));
  }
}

TEST_F(FeaturesNumpyTest, EveryFlipInAnArchiveIsAnErrorOrAMatrix) {
  const std::string bytes = Npz{}.bytes();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 8);
    EXPECT_THAT(error_of([&] { validate(read_npz(damaged), "x"); }),
                AnyOf(HasSubstr("f.npz"), "(nothing thrown)"));
  }
}

TEST_F(FeaturesNumpyTest, ReadsADenseMatrix) {
  Matrix m(3, 70000);  // rows longer than one piece
  m(0, 1) = 2;
  m(2, 0) = -1;
  m(2, 69999) = 0.5f;
  const Csr x = read_npy(npy_bytes(m));
  validate(x, "x");
  EXPECT_EQ(x.cols, 70000);
  EXPECT_THAT(x.row_ptr, ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(x.col, ElementsAre(1, 0, 69999));
  EXPECT_THAT(x.val, ElementsAre(2, -1, 0.5f));
}

TEST_F(FeaturesNumpyTest, RefusesDenseArraysThatAreNotFeatures) {
  EXPECT_THAT(error_of([&] {
                read_npy(array<float>("<f4", "(2,)", {1, 2}));
              }),
              HasSubstr("expected an array of 2 dimensions (nodes x features), found 1"));
  EXPECT_THAT(error_of([&] { read_npy(array<float>("<f4", "(1, 1)", {NAN})); }),
              HasSubstr("row 0: expected a finite value, found nan"));
  EXPECT_THAT(error_of([&] { read_npy(array<float>("<f4", "(9000000000, 1)", {1})); }),
              HasSubstr("too large"));
  EXPECT_THAT(error_of([&] { read_npy(array<float>("<f4", "(2000000000, 0)", {})); }),
              HasSubstr("a size of 2000000000 in an array without values"));
  std::string fortran = array<float>("<f4", "(1, 1)", {1});
  fortran.replace(fortran.find("False"), 5, "True ");
  EXPECT_THAT(error_of([&] { read_npy(fortran); }), HasSubstr("ascontiguousarray"));
}

}  // namespace
}  // namespace scrl
