// bench/neighbors/topic_corpus.h: bags of words with the structure of a large collection of texts,
// to measure searches for nearest rows on more rows than public data sets have.
//
// Words have Zipf's frequencies. Topics form a tree of 16 fields, 256 areas, and a topic per
// `rows_per_topic` rows; each has words that it prefers. A text has a main topic and a second one,
// mostly of the same area, and takes its words from these, their area, their field and the whole
// vocabulary. Row i is drawn from a stream of its own: it is the same whatever the number of rows,
// but for the number of topics.
#pragma once
#include <cstdint>

#include "tensor/csr.h"

namespace scrl {

struct TopicCorpus {
  Index rows = 200000, words = 10000;
  Index rows_per_topic = 500, rows_per_subject = 50;
  int drawn = 66;  // words of a text on average, repeated ones included
  std::uint64_t seed = 0;
  bool counts = false;  // values are how often a word was drawn; otherwise 1
};

Csr topic_corpus(const TopicCorpus& o);
// The topic of a row's field, 0..15: a label for it.
int field_of(const TopicCorpus& o, Index row);

}  // namespace scrl
