#include "data/demo.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/rng.h"

namespace scrl {
namespace {

struct DemoOptions {
  Index nodes = 1200, seed = 0, classes = 6, degree = 6, features = 600, words = 20;
};

constexpr struct {
  std::string_view name;
  Index DemoOptions::*field;
  Index low, high;
} kKeys[] = {
    {"nodes", &DemoOptions::nodes, 50, 50'000'000},
    {"seed", &DemoOptions::seed, 0, std::numeric_limits<Index>::max()},
    {"classes", &DemoOptions::classes, 4, 40},
    {"degree", &DemoOptions::degree, 1, 1000},
    {"features", &DemoOptions::features, 100, 1'000'000},
    {"words", &DemoOptions::words, 1, 50},
};

// How hard the data are: chosen on the defaults so that a plain two-layer network reaches about 60
// % on features alone or with either graph alone, and about 90 % with both graphs.
constexpr double kSameClass = 0.14;      // an edge to the same class on purpose
constexpr double kSameCommunity = 0.60;  // an edge within the community
constexpr double kClassWord = 0.09;      // a word that only its class prefers
constexpr double kTopicWord = 0.37;      // a word of the topic
constexpr double kOffTopic = 0.05;       // nodes whose topic is any
constexpr double kIsolated = 0.03;       // nodes without edges

constexpr std::string_view kClassNames[] = {"amber", "birch", "coral", "dune", "ember", "fern",
                                            "grove", "heath", "iris",  "jade", "kelp",  "larch"};

DemoOptions parse(std::string_view spec) {
  DemoOptions options;
  if (spec.starts_with(':')) spec.remove_prefix(1);
  while (!spec.empty()) {
    const std::string_view item = spec.substr(0, spec.find(','));
    spec.remove_prefix(std::min(item.size() + 1, spec.size()));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const auto found =
        std::find_if(std::begin(kKeys), std::end(kKeys), [&](auto& k) { return k.name == key; });
    if (found == std::end(kKeys)) {
      std::string known;
      for (const auto& k : kKeys) known += cat(known.empty() ? "" : ", ", k.name);
      fail(ErrorKind::kUsage, "demo: unknown key '", key, "', expected ", known,
           " as in demo:nodes=500,seed=3");
    }
    const std::string_view text = equals == item.npos ? "" : item.substr(equals + 1);
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < found->low ||
        value > found->high) {
      fail(ErrorKind::kUsage, "demo: ", key, ": expected a whole number ", found->low, "..",
           found->high, ", found '", text, "'");
    }
    options.*found->field = value;
  }
  if (options.classes % 2 != 0) {
    fail(ErrorKind::kUsage, "demo: classes: expected an even number, found ", options.classes);
  }
  return options;
}

class Generator {
 public:
  explicit Generator(const DemoOptions& options) : o_(options), pairs_(o_.classes / 2) {}

  Dataset make() {
    data_.name = "demo";
    data_.source = "demo";
    data_.nodes = o_.nodes;
    make_names();
    make_labels();
    make_edges();
    make_features();
    make_split();
    return std::move(data_);
  }

 private:
  // Each aspect has a stream of its own: changing one key leaves the others' draws alone.
  Rng rng(std::uint32_t stream) const {
    return Rng(static_cast<std::uint64_t>(o_.seed), Purpose::kDemo, stream);
  }
  Index community(Index c) const { return c / 2; }
  Index topic(Index c) const { return (c + 1) / 2 % pairs_; }

  // "n0000", "n0001", ...: ids that are not numbers, as in real data.
  void make_names() {
    const std::size_t digits = std::max<std::size_t>(4, cat(o_.nodes - 1).size());
    data_.ids.reserve(static_cast<std::size_t>(o_.nodes));
    for (Index i = 0; i < o_.nodes; ++i) {
      const std::string number = cat(i);
      data_.ids.push_back(cat('n', std::string(digits - number.size(), '0'), number));
    }
    for (Index c = 0; c < o_.classes; ++c) {
      const Index names = std::size(kClassNames);
      data_.classes.push_back(c < names ? std::string(kClassNames[c])
                                        : cat(kClassNames[c % names], c / names + 1));
    }
  }

  // Classes of equal size in random order.
  void make_labels() {
    data_.labels.resize(static_cast<std::size_t>(o_.nodes));
    for (Index i = 0; i < o_.nodes; ++i) {
      data_.labels[i] = static_cast<std::int32_t>(i % o_.classes);
    }
    rng(1).shuffle(std::span(data_.labels));
  }

  void make_edges() {
    Rng random = rng(2);
    // Nodes with edges, sorted by class; those of a class or community lie side by side.
    std::vector<bool> isolated(static_cast<std::size_t>(o_.nodes));
    std::vector<Index> start(static_cast<std::size_t>(o_.classes) + 1);
    for (Index i = 0; i < o_.nodes; ++i) {
      isolated[i] = random.uniform() < kIsolated;
      if (!isolated[i]) ++start[data_.labels[i] + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<NodeId> by_class(static_cast<std::size_t>(start.back()));
    std::vector<Index> at(start.begin(), start.end() - 1);
    for (Index i = 0; i < o_.nodes; ++i) {
      if (!isolated[i]) by_class[at[data_.labels[i]]++] = static_cast<NodeId>(i);
    }
    const auto pick = [&](Index first_class, Index end_class) {
      const Index begin = start[first_class], count = start[end_class] - begin;
      return count > 0 ? by_class[begin + static_cast<Index>(random.below(count))] : NodeId{-1};
    };

    std::vector<NodeId> mine;
    for (Index i = 0; i < o_.nodes; ++i) {
      if (isolated[i]) continue;
      mine.clear();
      const Index c = data_.labels[i], pair = 2 * community(c);
      // Half the degree on average, from none to the full degree; others' edges bring the rest.
      const Index wanted = static_cast<Index>(random.below(o_.degree + 1));
      for (Index e = 0; e < wanted; ++e) {
        const double u = random.uniform();
        const NodeId j = u < kSameClass                    ? pick(c, c + 1)
                         : u < kSameClass + kSameCommunity ? pick(pair, pair + 2)
                                                           : pick(0, o_.classes);
        if (j < 0 || j == i || std::find(mine.begin(), mine.end(), j) != mine.end()) continue;
        mine.push_back(j);
        data_.edges.source.push_back(static_cast<NodeId>(i));
        data_.edges.target.push_back(j);
      }
    }
  }

  // Vocabulary: half of it topic words, a sixth class words, the rest belongs to nobody; words that
  // follow neither topic nor class come from anywhere.
  void make_features() {
    Rng random = rng(3);
    const Index topic_words = o_.features / 2 / pairs_;
    const Index class_words = o_.features / 6 / o_.classes;
    Csr& x = data_.features;
    x.rows = o_.nodes;
    x.cols = o_.features;
    x.row_ptr.reserve(static_cast<std::size_t>(o_.nodes) + 1);
    x.col.reserve(static_cast<std::size_t>(o_.nodes * o_.words));
    std::vector<NodeId> row;
    for (Index i = 0; i < o_.nodes; ++i) {
      const Index c = data_.labels[i];
      const Index t =
          random.uniform() < kOffTopic ? static_cast<Index>(random.below(pairs_)) : topic(c);
      row.clear();
      for (Index w = 0; w < o_.words; ++w) {
        const double u = random.uniform();
        Index word = 0;
        if (u < kClassWord) {
          word = pairs_ * topic_words + c * class_words +
                 static_cast<Index>(random.below(class_words));
        } else if (u < kClassWord + kTopicWord) {
          word = t * topic_words + static_cast<Index>(random.below(topic_words));
        } else {
          word = static_cast<Index>(random.below(o_.features));
        }
        row.push_back(static_cast<NodeId>(word));
      }
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      x.col.insert(x.col.end(), row.begin(), row.end());
      x.row_ptr.push_back(x.nnz());
    }
    x.val.assign(x.col.size(), 1.0f);
  }

  // 20 labels per class (fewer in small graphs); of the rest up to 1000, at most 40 %, are tested.
  void make_split() {
    const Index per_class = std::max<Index>(1, std::min<Index>(20, o_.nodes / (4 * o_.classes)));
    const Index test_size = std::min<Index>(1000, o_.nodes * 2 / 5);
    std::vector<NodeId> order(static_cast<std::size_t>(o_.nodes));
    std::iota(order.begin(), order.end(), NodeId{0});
    rng(4).shuffle(std::span(order));
    Split split;
    std::vector<Index> taken(static_cast<std::size_t>(o_.classes));
    for (const NodeId i : order) {
      Index& count = taken[data_.labels[i]];
      if (count < per_class) {
        ++count;
        split.train.push_back(i);
      } else if (static_cast<Index>(split.test.size()) < test_size) {
        split.test.push_back(i);
      }
    }
    split.labels_per_class = static_cast<int>(per_class);
    data_.splits.push_back(std::move(split));
  }

  const DemoOptions o_;
  const Index pairs_;  // communities, and topics
  Dataset data_;
};

}  // namespace

Dataset make_demo(std::string_view spec) { return Generator(parse(spec)).make(); }

}  // namespace scrl
