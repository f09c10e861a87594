#include "walks/deepwalk.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/skipgram.h"
#include "walks/initial.h"
#include "walks/streams.h"

namespace scrl {
namespace {

constexpr Index kLossEvery = 16;
// Rows of a step after which it takes no further pair: more do not fit the first-level cache.
constexpr Index kFullStep = 40;

const SkipGramOptions& checked(const SkipGramOptions& o) {
  const auto want = [](bool ok, const char* name, auto value, const char* expected) {
    if (!ok) fail(ErrorKind::kUsage, "skip-gram: ", name, " is ", value, ", expected ", expected);
  };
  want(o.walks >= 1 && o.walks < 1 << 20, "walks", o.walks, "1 to 1048575");
  want(o.length >= 2, "length", o.length, "at least 2");
  want(o.window >= 1 && o.window < 1 << 16, "window", o.window, "1 to 65535");
  want(o.dim >= 1, "dim", o.dim, "at least 1");
  want(o.passes >= 1, "passes", o.passes, "at least 1");
  want(o.lr > 0.0 && o.lr >= o.min_lr && o.min_lr >= 0.0, "lr", o.lr, "above 0, not below min_lr");
  want(o.negative >= 0 && o.negative <= 64, "negative", o.negative, "0 to 64");
  want(o.hierarchical || o.negative > 0, "negative", o.negative,
       "above 0 where there is no hierarchical softmax");
  want(o.batch >= 1, "batch", o.batch, "at least 1");
  want(o.round >= 0, "round", o.round, "0 or more walks");
  return o;
}

// Rounds grow with the graph: what counts is how often a row is met in one.
Index choose_round(Index wanted, Index joined) {
  return wanted > 0 ? wanted : std::clamp<Index>(joined / 200, 16, 1024);
}

}  // namespace

SkipGram::SkipGram(const Csr& A, const SkipGramOptions& options, std::uint64_t seed)
    : options_(checked(options)),
      seed_(seed),
      walker_(A, options.length, seed),
      tree_(options.hierarchical ? HuffmanTree(walker_.degrees()) : HuffmanTree()),
      inner_(tree_.inner_nodes()),
      round_(choose_round(options.round, static_cast<Index>(walker_.joined().size()))),
      inputs_(walker_.nodes(), Matrix(0, options.dim).stride(), tokens_per_shard(),
              options.sharding),
      outputs_(output_rows(), Matrix(0, options.dim).stride(),
               tokens_per_shard() *
                   (tree_.longest_path() + 1 + Index{2} * options.window * options.negative),
               options.sharding),
      shards_(static_cast<std::size_t>(options.sharding.shards)) {
  const Index most = kFullStep + tree_.longest_path() + options.negative + 1;
  check(most <= kernels::kMaxTargets, "skip-gram: a path of ", tree_.longest_path(), " nodes");
  if (options_.negative > 0) {
    const std::vector<double> degree(walker_.degrees().begin(), walker_.degrees().end());
    noise_ = AliasTable(noise_weights(degree));
  }
  tokens_.resize(static_cast<std::size_t>(round_ * options_.length));
  radius_.resize(tokens_.size());
}

Index SkipGram::tokens_per_pass() const {
  return static_cast<Index>(walker_.joined().size()) * options_.walks * options_.length;
}

Index SkipGram::tokens_per_shard() const {
  const Index shards = std::max(1, options_.sharding.shards);
  return (round_ + shards - 1) / shards * options_.length;
}

double SkipGram::rate(int pass, Index walk) const {
  const Index walks = std::ssize(walker_.joined()) * options_.walks;
  const double part = static_cast<double>(walk) / static_cast<double>(walks);
  const double done = (pass - 1 + part) / options_.passes;
  return std::max(options_.min_lr, options_.lr + (options_.min_lr - options_.lr) * done);
}

void SkipGram::make_walks(int pass, Index first, std::span<const NodeId> starts) {
  const Rng radii = walk_rng(seed_, WalkStream::kRadii, pass);
  const auto window = static_cast<std::uint64_t>(options_.window);
  parallel_for(static_cast<Index>(starts.size()), 8, [&](Index begin, Index end) {
    for (Index w = begin; w < end; ++w) {
      const auto at = static_cast<std::size_t>(w * options_.length);
      const auto length = static_cast<std::size_t>(options_.length);
      walker_.walk(pass, first + w, starts[w], std::span(tokens_).subspan(at, length));
      const std::uint64_t block = static_cast<std::uint64_t>(first + w) * (length / 4 + 1);
      for (std::size_t k = 0; k < length; k += 4) {
        const Philox4 bits = radii.at(block + k / 4);
        for (std::size_t i = k; i < std::min(k + 4, length); ++i) {
          radius_[at + i] = 1 + static_cast<std::int32_t>(bits[i - k] * window >> 32);
        }
      }
    }
  });
}

void SkipGram::train_shard(Index s, int pass, Index first, Index count, float lr, const Matrix& in,
                           const Matrix& out) {
  Shard& shard = shards_[static_cast<std::size_t>(s)];
  RowCopies &inputs = inputs_.shard(s), &outputs = outputs_.shard(s);
  const Rng noise = walk_rng(seed_, WalkStream::kNoise, pass);
  const Index length = options_.length, negative = options_.negative;
  const Index stride = in.stride();
  kernels::StepTargets targets;
  const Index batch = options_.batch;
  double loss = 0.0;
  Index pairs = 0;
  const Index begin = s * count / inputs_.shards(), end = (s + 1) * count / inputs_.shards();
  for (Index w = begin; w < end; ++w) {
    const NodeId* walk = tokens_.data() + w * length;
    const bool want_loss = (first + w) % kLossEvery == 0;
    for (Index at = 0; at < length; ++at) {
      float* v = inputs.row(inputs.use(in, walk[at]));
      const Index radius = radius_[w * length + at];
      const Index low = std::max<Index>(0, at - radius), high = std::min(length - 1, at + radius);
      targets.count = 0;
      const auto step = [&] {
        loss += kernels::skipgram_step(v, outputs.data(), stride, targets, lr, want_loss);
        targets.count = 0;
      };
      Index gathered = 0;
      for (Index other = low; other <= high; ++other) {
        if (other == at) continue;
        const NodeId context = walk[other];
        if (options_.hierarchical) {
          for (const std::uint32_t way : tree_.path(context)) {
            outputs.look(out, way / 2, way % 2 == 1, targets);
          }
        }
        if (negative > 0) {
          outputs.look(out, inner_ + context, true, targets);
          const Index pair = ((first + w) * length + at) * 2 * options_.window + other - low;
          for (Index k = 0; k < negative; ++k) {
            const auto number = static_cast<std::uint64_t>(pair * negative + k);
            const Index x = noise_.draw(bits_at(noise, number));
            if (x != context) outputs.look(out, inner_ + x, false, targets);
          }
        }
        pairs += want_loss;
        if (++gathered == batch || targets.count >= kFullStep) {
          step();
          gathered = 0;
        }
      }
      if (gathered > 0) step();
    }
  }
  shard.loss += loss;
  shard.pairs += pairs;
}

double SkipGram::pass(int pass, Matrix& in, Matrix& out) {
  check(pass >= 1 && pass <= options_.passes, "skip-gram: pass ", pass, " of ", options_.passes);
  check(in.rows() == nodes() && in.cols() == options_.dim && in.layout() == Layout::kRows,
        "skip-gram: in is ", in.rows(), "x", in.cols(), ", expected ", nodes(), "x", options_.dim);
  check(out.rows() == output_rows() && out.cols() == options_.dim && out.layout() == Layout::kRows,
        "skip-gram: out is ", out.rows(), "x", out.cols(), ", expected ", output_rows(), "x",
        options_.dim);
  for (Shard& shard : shards_) shard.loss = 0.0, shard.pairs = 0;
  for (int sweep = 0; sweep < options_.walks; ++sweep) {
    walker_.starts(pass, sweep, starts_);
    const Index joined = static_cast<Index>(starts_.size());
    for (Index begin = 0; begin < joined; begin += round_) {
      const Index count = std::min(round_, joined - begin), first = sweep * joined + begin;
      const auto lr = static_cast<float>(rate(pass, first));
      make_walks(pass, first,
                 std::span(starts_).subspan(static_cast<std::size_t>(begin),
                                            static_cast<std::size_t>(count)));
      parallel_for(inputs_.shards(), 1,
                   [&](Index s, Index) { train_shard(s, pass, first, count, lr, in, out); });
      inputs_.merge(in);
      outputs_.merge(out);
    }
  }
  double loss = 0.0;
  Index pairs = 0;
  for (const Shard& shard : shards_) loss += shard.loss, pairs += shard.pairs;
  return pairs > 0 ? loss / static_cast<double>(pairs) : 0.0;
}

}  // namespace scrl
