// trust/query_replay.h: the choice of scrl query on a graph whose labels are known: asked for in
// batches, answered by the data, and compared with random choice.
//
// Each batch trains one method under the protocol `fixed` on the labels asked for so far; the first
// batch is chosen without a model. Test nodes are set apart first and never asked for.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/json.h"
#include "data/dataset.h"

namespace scrl {

struct ReplayRequest {
  const Dataset& data;
  std::vector<Setting> settings;  // of a single method, lowest precedence first
  Index per_batch = 20;
  int batches = 5;
  int draws = 5;  // of random choice, each with its own seed; their mean counts
  std::function<void(const std::string&)> note = {};
  std::function<bool()> should_stop = {};
};

struct ReplayPoint {
  Index labels = 0;
  double query = 0, random = 0, random_std = 0;  // accuracy on the test nodes, percent
};

struct Replay {
  std::string dataset, method;
  Index test_nodes = 0;
  int draws = 0;
  std::vector<ReplayPoint> points;  // none: should_stop said so
  // Mean accuracy over the curve, by trapezoids over the number of labels.
  double query_area() const;
  double random_area() const;
};

// Throws Error(kUsage) when there are fewer labelled nodes than asked for.
Replay replay_query(const ReplayRequest& request);

Json to_json(const Replay& r);
std::string replay_svg(const Replay& r);

}  // namespace scrl
