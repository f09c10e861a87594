// data/edge_list.h: a graph as text: "source target" or "source target weight", one edge per line.
//
// Fields are separated by a tab, semicolon, comma or spaces, whichever the first line has. Weights
// are finite and above 0. The first line looks like a header when
//   - its two first fields name columns (source,target; src,dst; from,to; u,v; ...), or
//   - it has a third field that is a name, not a number, or
//   - neither of its two first fields is an integer while both of the next line are.
// It is one, and skipped, unless one of its two first fields is the id of a node: known before, or
// found in a later line. A header over string ids that looks like none of these cannot be told from
// an edge: use source,target.
#pragma once
#include <memory>

#include "data/dataset.h"
#include "data/id_map.h"
#include "io/byte_stream.h"

namespace scrl {

enum class UnknownId { kAdd, kRefuse };

// Unknown ids are given the next number, or refused with file and line.
Edges read_edge_list(std::unique_ptr<ByteStream> stream, IdMap& ids, UnknownId unknown);

}  // namespace scrl
