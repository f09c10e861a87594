#include "walks/line.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/skipgram.h"
#include "walks/initial.h"
#include "walks/streams.h"

namespace scrl {
namespace {

constexpr Index kLossEvery = 16;
constexpr int kMostNegatives = 64;

const LineOptions& checked(const LineOptions& o) {
  const auto want = [](bool ok, const char* name, auto value, const char* expected) {
    if (!ok) fail(ErrorKind::kUsage, "LINE: ", name, " is ", value, ", expected ", expected);
  };
  want(o.order == 1 || o.order == 2, "order", o.order, "1 or 2");
  want(o.dim >= 1, "dim", o.dim, "at least 1");
  want(o.negative >= 1 && o.negative <= kMostNegatives, "negative", o.negative, "1 to 64");
  want(o.passes >= 1, "passes", o.passes, "at least 1");
  want(o.samples >= 0, "samples", o.samples, "0 or more");
  want(o.lr > 0.0, "lr", o.lr, "above 0");
  want(o.round >= 0, "round", o.round, "0 or more samples");
  return o;
}

Index edges_of(const Csr& A) {
  check(A.rows == A.cols, "LINE: the adjacency is ", A.rows, "x", A.cols, ", not square");
  Index edges = 0;
  for (Index i = 0; i < A.rows; ++i) {
    for (const NodeId j : A.row_cols(i)) edges += j != i;
  }
  if (edges == 0) {
    fail(ErrorKind::kData, "LINE: none of the ", A.rows,
         " nodes has an edge to another one, so there is no edge to draw; methods made of walks or "
         "edges need a topology");
  }
  return edges;
}

Index choose_samples(const LineOptions& o, Index edges) {
  // `edges` counts both directions. Ten million draw an edge of a small graph again and again.
  const Index usual = std::max(200 * edges, std::min<Index>(10'000'000, 2'500 * edges));
  const Index all = o.samples > 0 ? o.samples : usual;
  return (all + o.passes - 1) / o.passes;
}

std::vector<Index> counts_of(const Csr& A) {
  std::vector<Index> out;
  for (Index i = 0; i < A.rows; ++i) out.push_back(A.row_nnz(i));
  return out;
}

}  // namespace

Line::Line(const Csr& A, const LineOptions& options, std::uint64_t seed)
    : options_(checked(options)),
      seed_(seed),
      samples_(choose_samples(options, edges_of(A))),
      // Rounds grow with the graph: what counts is how often a row is met in one.
      round_(options.round > 0 ? options.round : std::clamp<Index>(4 * A.rows, 128, 1 << 16)),
      owner_(deal_nodes(counts_of(A), options.sharding.shards)),
      copies_(A.rows, Matrix(0, options.dim).stride(), round_ * (2 + options.negative),
              options.sharding),
      shards_(static_cast<std::size_t>(options.sharding.shards)) {
  std::vector<double> weight, degree(static_cast<std::size_t>(A.rows));
  for (Index i = 0; i < A.rows; ++i) {
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) {
      if (A.col[e] == i) continue;
      const double w = A.val.empty() ? 1.0 : A.val[e];
      if (w < 0.0) {
        fail(ErrorKind::kData, "LINE: the edge from node ", i, " to node ", A.col[e],
             " has the weight ", w,
             "; edges are drawn in proportion to their weight, so none may "
             "be below 0");
      }
      source_.push_back(static_cast<NodeId>(i));
      target_.push_back(A.col[e]);
      weight.push_back(w);
      degree[i] += w;
    }
  }
  edges_ = AliasTable(weight);
  noise_ = AliasTable(noise_weights(degree));
  sampled_.resize(static_cast<std::size_t>(round_ * (2 + options_.negative)));
}

void Line::draw(int pass, Index first, Index count) {
  const Rng rng(seed_, Purpose::kEdges, static_cast<std::uint32_t>(EdgeStream::kSamples),
                static_cast<std::uint32_t>(pass));
  const Index width = 2 + options_.negative;
  const Index draws = (options_.negative + 2) / 2;  // of 128 bits: an edge and the noise
  parallel_for(count, 256, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      NodeId* sample = sampled_.data() + k * width;
      const std::uint64_t block = static_cast<std::uint64_t>((first + k) * draws);
      std::array<std::uint64_t, kMostNegatives + 2> bits;
      for (Index d = 0; d < draws; ++d) {
        const Philox4 r = rng.at(block + static_cast<std::uint64_t>(d));
        bits[2 * d] = std::uint64_t{r[1]} << 32 | r[0];
        bits[2 * d + 1] = std::uint64_t{r[3]} << 32 | r[2];
      }
      const Index edge = edges_.draw(bits[0]);
      sample[0] = source_[edge];
      sample[1] = target_[edge];
      for (Index x = 2; x < width; ++x) {
        sample[x] = static_cast<NodeId>(noise_.draw(bits[x - 1]));
      }
    }
  });
}

void Line::train_shard(Index s, Index first, Index count, float lr, Matrix& in, const Matrix& out) {
  Shard& shard = shards_[static_cast<std::size_t>(s)];
  RowCopies& rows = copies_.shard(s);
  const bool own_contexts = options_.order == 2;
  const Matrix& base = own_contexts ? out : in;
  const Index width = 2 + options_.negative, stride = in.stride();
  kernels::StepTargets targets;
  for (Index k = 0; k < count; ++k) {
    const NodeId* sample = sampled_.data() + k * width;
    const NodeId i = sample[0];
    if (owner_[i] != s) continue;
    // In order 1 others read row i as a target, so that the owner too changes a copy.
    float* v = own_contexts ? in.row(i) : rows.row(rows.use(base, i));
    targets.count = 0;
    rows.look(base, sample[1], true, targets);
    for (Index x = 2; x < width; ++x) {
      if (own_contexts || sample[x] != i) rows.look(base, sample[x], false, targets);
    }
    const bool want_loss = (first + k) % kLossEvery == 0;
    shard.loss += kernels::skipgram_step(v, rows.data(), stride, targets, lr, want_loss);
    shard.samples += want_loss;
  }
}

double Line::pass(int pass, Matrix& in, Matrix& out) {
  check(pass >= 1 && pass <= options_.passes, "LINE: pass ", pass, " of ", options_.passes);
  check(in.rows() == nodes() && in.cols() == options_.dim && in.layout() == Layout::kRows,
        "LINE: in is ", in.rows(), "x", in.cols(), ", expected ", nodes(), "x", options_.dim);
  check(out.rows() == output_rows() && (options_.order == 1 || out.cols() == options_.dim),
        "LINE: out is ", out.rows(), "x", out.cols(), ", expected ", output_rows(), "x",
        options_.dim);
  for (Shard& shard : shards_) shard = {};
  for (Index first = 0; first < samples_; first += round_) {
    const Index count = std::min(round_, samples_ - first);
    const double done =
        (pass - 1 + static_cast<double>(first) / static_cast<double>(samples_)) / options_.passes;
    const auto lr = static_cast<float>(options_.lr * std::max(1.0 - done, 1e-4));
    draw(pass, first, count);
    parallel_for(copies_.shards(), 1,
                 [&](Index s, Index) { train_shard(s, first, count, lr, in, out); });
    copies_.merge(options_.order == 2 ? out : in);
  }
  double loss = 0.0;
  Index counted = 0;
  for (const Shard& shard : shards_) loss += shard.loss, counted += shard.samples;
  return counted > 0 ? loss / static_cast<double>(counted) : 0.0;
}

}  // namespace scrl
