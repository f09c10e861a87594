// A program for mpirun: what the ranks of src/ranks do, with real processes.
//   mpi_program sum          a sum along the tree of blocks and a halo; rank 0 prints what came out
//   mpi_program fail RANK    that rank fails in the middle; the program ends as scrl does
//   mpi_program wait         goes on until somebody ends it; each rank prints its process number
//   mpi_program big          messages of more than 2 GiB
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/hash.h"
#include "base/rng.h"
#include "ranks/halo.h"
#include "ranks/mpi_transport.h"
#include "ranks/tree_reduction.h"

namespace scrl {
namespace {

constexpr Index kBlocks = 37, kWidth = 20000, kRowsPerBlock = 50, kRows = kBlocks * kRowsPerBlock;

void fill(Index block, float* part) {
  const Rng rng(static_cast<std::uint64_t>(block));
  for (Index j = 0; j < kWidth; ++j) {
    const auto at = static_cast<std::uint64_t>(2 * j);
    part[j] =
        static_cast<float>(std::exp2(20 * rng.uniform_at(at)) * (rng.uniform_at(at + 1) - .5));
  }
}

// A sum, and the values that a band of a matrix meets, as one hash.
std::string sum(Communicator& ranks) {
  const std::vector<Index> weights(kBlocks, 1);
  const BlockOwners owners = balanced_owners(weights, ranks.size());
  const auto me = static_cast<std::size_t>(ranks.rank());
  const Index first = owners.first[me], last = owners.first[me + 1];
  std::vector<float> room(static_cast<std::size_t>(TreeSum<float>::room(last - first, kWidth)));
  TreeSum<float> own(room.data(), kWidth);
  for (Index b = first; b < last; ++b) {
    fill(b, own.next());
    own.push_block(b);
  }
  std::vector<float> total(kWidth);
  TreeReduction(ranks, owners).total<float>(own, total);

  Csr rows{.rows = (last - first) * kRowsPerBlock, .cols = kRows};
  for (Index i = first * kRowsPerBlock; i < last * kRowsPerBlock; ++i) {
    for (Index j = std::max<Index>(0, i - 60); j <= std::min(kRows - 1, i + 60); j += 20) {
      rows.col.push_back(static_cast<NodeId>(j));
      rows.val.push_back(1.0f);
    }
    rows.row_ptr.push_back(rows.nnz());
  }
  std::vector<Index> first_row;
  for (const Index b : owners.first) first_row.push_back(b * kRowsPerBlock);
  const Halo halo(ranks, first_row, rows);
  Matrix x(halo.rows(), 3);
  for (Index i = 0; i < halo.own(); ++i)
    for (Index j = 0; j < 3; ++j)
      x(halo.below() + i, j) = std::sqrt(static_cast<float>(3 * (first * kRowsPerBlock + i) + j));
  halo.fetch(x);
  const Csr local = halo.local(rows);
  std::vector<float> met;
  for (const NodeId column : local.col) met.push_back(x(column, 0) + x(column, 2));
  const std::vector<float> all = ranks.gather<float>(std::span<const float>(met));
  return Hasher().array(total).array(all).hex();
}

void run(Communicator& ranks, const std::vector<std::string>& args) {
  if (args[0] == "sum") {
    const std::string hash = sum(ranks);
    if (ranks.rank() == 0) std::printf("%d ranks %s\n", ranks.size(), hash.c_str());
  } else if (args[0] == "fail") {
    for (int round = 0; round < 100; ++round) {
      if (round == 40 && std::to_string(ranks.rank()) == args.at(1))
        fail(ErrorKind::kDiverged, "epoch 40: the loss is no longer a number");
      std::vector<int> value(1000, round);
      ranks.broadcast(value);
    }
  } else if (args[0] == "wait") {
    std::printf("process %d\n", static_cast<int>(getpid()));
    std::fflush(stdout);
    for (;;) {
      ranks.barrier();
      usleep(10000);
    }
  } else if (args[0] == "big") {
    std::vector<std::byte> bytes((std::size_t{1} << 31) + 5,
                                 std::byte{static_cast<unsigned char>(ranks.rank() + 1)});
    const auto size = static_cast<std::size_t>(ranks.size());
    std::vector<Index> counts(size), received;
    counts[(static_cast<std::size_t>(ranks.rank()) + 1) % size] = static_cast<Index>(bytes.size());
    const auto got = ranks.exchange<std::byte>(std::span<const std::byte>(bytes), counts, received);
    const int from = (ranks.rank() + ranks.size() - 1) % ranks.size();
    check(got.size() == bytes.size() &&
              std::ranges::all_of(got,
                                  [&](std::byte b) { return std::to_integer<int>(b) == from + 1; }),
          "other bytes came");
    if (ranks.rank() == 0) std::printf("%zu bytes\n", got.size());
  } else {
    fail(ErrorKind::kUsage, "unknown mode ", args[0]);
  }
}

}  // namespace
}  // namespace scrl

int main(int argc, char** argv) {
  int code = 0;
  try {
    const std::unique_ptr<scrl::Transport> transport = scrl::launched_transport();
    if (!transport) {
      std::fputs("no MPI\n", stdout);
      return 0;
    }
    // The message comes before the end of MPI, which waits for all ranks: a launcher that sees one
    // rank end with a code above 0 kills the others.
    try {
      scrl::Communicator ranks(*transport);
      ranks.run([&] { scrl::run(ranks, {argv + 1, argv + argc}); });
    } catch (const scrl::Error& e) {
      if (transport->rank() == 0) std::fprintf(stderr, "scrl: %s\n", e.what());
      code = static_cast<int>(e.kind());
    }
  } catch (const scrl::Error& e) {
    std::fprintf(stderr, "scrl: %s\n", e.what());
    code = static_cast<int>(e.kind());
  }
  return code;
}
