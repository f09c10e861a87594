// tune/tune_search.h: successive halving over seeds; which configuration is trained next, which is
// best. Knows nothing of data and models.
//
// Rung r has s_r seeds, 1 = s_0 < s_1 < ... < s_R, each half of the next one rounded up. All
// configurations train with s_0 seeds; of those that have s_r, the best third (rounded up) go on to
// s_(r+1). Seeds that a configuration has been trained with are not trained again, and epochs are
// never cut: a score after fewer epochs would favour high learning rates. The starting
// configurations (`fixed`) climb with the others, before them, whatever their score. So whoever is
// best was compared with them on the same seeds and the same validation nodes.
//
// With a number of trials all are drawn at once; without one they come in rounds, and after each
// round the best third is taken anew over all rounds.
//
// The order of two trials: higher mean validation accuracy over their seeds, then higher mean
// validation macro-F1, then the lower number. Nothing else is known of a score here.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "eval/metrics.h"

namespace scrl {

struct Trial {
  int number = 0;                  // 1 for the first
  std::string kind;                // "default", "paper" or "drawn"
  bool fixed = false;              // goes on whatever its score
  std::vector<std::string> drawn;  // values in the order of the space; none for a fixed one
  std::vector<Scores> scores;      // on validation nodes, by seed
  double seconds = 0;
  ErrorKind kind_of_failure = ErrorKind::kRun;
  std::string failure;  // empty: none

  bool failed() const { return !failure.empty(); }
  MeanStd accuracy(std::size_t seeds) const;  // over the first `seeds`
  MeanStd macro_f1(std::size_t seeds) const;
};

std::vector<int> rungs_of(int seeds);  // 8: 1, 2, 4, 8

// Whether a comes before b, both with at least `seeds` scores.
bool ranks_before(const Trial& a, const Trial& b, std::size_t seeds);

// The best trial, by the highest rung that a drawn one has reached; none when all failed.
const Trial* best_trial(const std::vector<Trial>& trials, const std::vector<int>& rungs);

// The best first, then by seeds and rank; failures are left out.
std::vector<const Trial*> ranking(const std::vector<Trial>& trials, const std::vector<int>& rungs);

struct SearchPlan {
  std::vector<int> rungs;
  int trials = 0;  // fixed ones included; 0: no end
  int round = 9;   // drawn at a time if there is no end
};

// How many seeds are trained in all if nothing fails.
int planned_trainings(const SearchPlan& plan, int fixed);

struct SearchSteps {
  // Adds a trial to the list, or returns false: there is no other configuration.
  std::function<bool()> draw;
  // Brings trials[index] to so many scores, or to a failure. False: stop now.
  std::function<bool(std::size_t index, int seeds)> train;
  std::function<void(int seeds, std::size_t trials)> rung;  // is about to begin, after the first
};

// Begins with what is in `trials`, the fixed ones. False: stopped by train.
bool search(std::vector<Trial>& trials, const SearchPlan& plan, const SearchSteps& steps);

}  // namespace scrl
