#include "topic_corpus.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "base/rng.h"

namespace scrl {
namespace {

constexpr Index kFields = 16, kAreas = 256;
// Shares of a text's words.
constexpr double kTopicShare = 0.45, kAreaShare = 0.20, kFieldShare = 0.10;
constexpr double kClosest = 0.95;
constexpr double kSecondShare = 0.3, kSecondInArea = 0.7;
// Words that a topic, an area and a field prefer.
constexpr Index kSubjectWords = 40, kTopicWords = 50, kAreaWords = 200, kFieldWords = 800;

// A rank in [0, n) with probability about 1 / (rank + flat).
Index zipf(double u, Index n, double flat) {
  const double top = static_cast<double>(n) / flat + 1;
  return std::min(n - 1, static_cast<Index>(flat * (std::pow(top, u) - 1)));
}

struct Text {
  Index topic, second, subject;
  double close;  // share of words from the subject
};

class Writer {
 public:
  explicit Writer(const TopicCorpus& o)
      : o_(o), topics_(std::max<Index>(1, o.rows / o.rows_per_topic)) {}

  Text text(Rng& random) const {
    // Popularity of topics differs: the sum of two draws is a triangle.
    const Index topic = static_cast<Index>((random.below(topics_) + random.below(topics_)) / 2);
    Index second = static_cast<Index>(random.below(topics_));
    if (random.uniform() < kSecondInArea) second = second - second % kAreas + topic % kAreas;
    const Index subjects = std::max<Index>(1, o_.rows_per_topic / o_.rows_per_subject);
    const Index subject = topic * subjects + static_cast<Index>(random.below(subjects));
    return {topic, std::min(second, topics_ - 1), subject, kClosest * random.uniform()};
  }
  Rng stream(Index row) const {
    return Rng(o_.seed * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(row), Purpose::kTest, 1);
  }
  void words(Index row, std::vector<NodeId>& out) const {
    Rng random = stream(row);
    const Text t = text(random);
    // Lengths between a third and three times the middle, evenly in the logarithm.
    const double length = o_.drawn * 0.825 * std::pow(3.0, 2 * random.uniform() - 1);
    out.clear();
    for (double n = 0; n < length; ++n) {
      const double source = random.uniform(), u = random.uniform();
      const Index topic = random.uniform() < kSecondShare ? t.second : t.topic;
      const Index area = topic % kAreas, field = area % kFields;
      if (random.uniform() < t.close)
        out.push_back(preferred(3, t.subject, zipf(u, kSubjectWords, 10)));
      else if (source < kTopicShare)
        out.push_back(preferred(2, topic, zipf(u, kTopicWords, 6)));
      else if (source < kTopicShare + kAreaShare)
        out.push_back(preferred(1, area, zipf(u, kAreaWords, 15)));
      else if (source < kTopicShare + kAreaShare + kFieldShare)
        out.push_back(preferred(0, field, zipf(u, kFieldWords, 40)));
      else
        out.push_back(static_cast<NodeId>(zipf(u, o_.words, o_.words / 50.0)));
    }
    std::sort(out.begin(), out.end());
  }

 private:
  // The words that somebody prefers are the same in every text: frequent ones more often.
  NodeId preferred(std::uint32_t level, Index who, Index rank) const {
    const Rng fixed(o_.seed, Purpose::kTest, 2 + level);
    const double u = fixed.uniform_at(static_cast<std::uint64_t>(who * 1000 + rank));
    return static_cast<NodeId>(zipf(u, o_.words, o_.words / 10.0));
  }
  const TopicCorpus& o_;
  Index topics_;
};

}  // namespace

Csr topic_corpus(const TopicCorpus& o) {
  const Writer writer(o);
  constexpr Index kGrain = 4096;
  std::vector<Csr> parts(static_cast<std::size_t>(chunk_count(o.rows, kGrain)));
  parallel_for(o.rows, kGrain, [&](Index begin, Index end) {
    Csr& part = parts[static_cast<std::size_t>(begin / kGrain)];
    std::vector<NodeId> words;
    for (Index i = begin; i < end; ++i) {
      writer.words(i, words);
      for (std::size_t n = 0; n < words.size(); ++n) {
        if (n > 0 && words[n] == words[n - 1]) {
          if (o.counts) ++part.val.back();
          continue;
        }
        part.col.push_back(words[n]);
        part.val.push_back(1);
      }
      part.row_ptr.push_back(part.nnz());
    }
  });
  Csr out{.rows = o.rows, .cols = o.words};
  for (Csr& part : parts) {
    const Index before = out.nnz();
    out.col.insert(out.col.end(), part.col.begin(), part.col.end());
    out.val.insert(out.val.end(), part.val.begin(), part.val.end());
    for (std::size_t i = 1; i < part.row_ptr.size(); ++i)
      out.row_ptr.push_back(before + part.row_ptr[i]);
    part = {};
  }
  return out;
}

int field_of(const TopicCorpus& o, Index row) {
  const Writer writer(o);
  Rng random = writer.stream(row);
  return static_cast<int>(writer.text(random).topic % kAreas % kFields);
}

}  // namespace scrl
