#include "tune/tune_search.h"

#include <algorithm>

namespace scrl {
namespace {

constexpr std::size_t kKept = 3;  // one of so many goes on

template <class F>
MeanStd over_seeds(const Trial& t, std::size_t seeds, F value) {
  std::vector<double> values;
  for (std::size_t i = 0; i < std::min(seeds, t.scores.size()); ++i)
    values.push_back(value(t.scores[i]));
  return mean_std(values);
}

bool has(const Trial& t, int seeds) {
  return !t.failed() && t.scores.size() >= static_cast<std::size_t>(seeds);
}

// Who trains on rung r: the fixed ones, then the best third of the drawn ones on the rung below.
std::vector<std::size_t> admitted(const std::vector<Trial>& trials, const std::vector<int>& rungs,
                                  std::size_t r) {
  std::vector<std::size_t> out, drawn;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (r == 0 || has(trials[i], rungs[r - 1])) (trials[i].fixed ? out : drawn).push_back(i);
  if (r > 0) {
    const auto seeds = static_cast<std::size_t>(rungs[r - 1]);
    std::sort(drawn.begin(), drawn.end(), [&](std::size_t a, std::size_t b) {
      return ranks_before(trials[a], trials[b], seeds);
    });
    drawn.resize((drawn.size() + kKept - 1) / kKept);
  }
  out.insert(out.end(), drawn.begin(), drawn.end());
  return out;
}

}  // namespace

MeanStd Trial::accuracy(std::size_t seeds) const {
  return over_seeds(*this, seeds, [](const Scores& s) { return s.accuracy; });
}

MeanStd Trial::macro_f1(std::size_t seeds) const {
  return over_seeds(*this, seeds, [](const Scores& s) { return s.macro_f1; });
}

std::vector<int> rungs_of(int seeds) {
  std::vector<int> out = {seeds};
  while (out.front() > 1) out.insert(out.begin(), (out.front() + 1) / 2);
  return out;
}

bool ranks_before(const Trial& a, const Trial& b, std::size_t seeds) {
  const double accuracy_a = a.accuracy(seeds).mean, accuracy_b = b.accuracy(seeds).mean;
  if (accuracy_a != accuracy_b) return accuracy_a > accuracy_b;
  const double f1_a = a.macro_f1(seeds).mean, f1_b = b.macro_f1(seeds).mean;
  if (f1_a != f1_b) return f1_a > f1_b;
  return a.number < b.number;
}

const Trial* best_trial(const std::vector<Trial>& trials, const std::vector<int>& rungs) {
  // From the top: the first rung where a drawn trial is, or, without one, where any is.
  for (const bool drawn_only : {true, false})
    for (std::size_t r = rungs.size(); r-- > 0;) {
      const int seeds = rungs[r];
      if (std::none_of(trials.begin(), trials.end(),
                       [&](const Trial& t) { return has(t, seeds) && !(drawn_only && t.fixed); }))
        continue;
      const Trial* best = nullptr;
      for (const Trial& t : trials)
        if (has(t, seeds) && (!best || ranks_before(t, *best, static_cast<std::size_t>(seeds))))
          best = &t;
      return best;
    }
  return nullptr;
}

std::vector<const Trial*> ranking(const std::vector<Trial>& trials, const std::vector<int>& rungs) {
  std::vector<const Trial*> out;
  for (const Trial& t : trials)
    if (has(t, 1)) out.push_back(&t);
  std::sort(out.begin(), out.end(), [](const Trial* a, const Trial* b) {
    if (a->scores.size() != b->scores.size()) return a->scores.size() > b->scores.size();
    return ranks_before(*a, *b, a->scores.size());
  });
  if (const auto best = std::find(out.begin(), out.end(), best_trial(trials, rungs));
      best != out.end())
    std::rotate(out.begin(), best, best + 1);
  return out;
}

int planned_trainings(const SearchPlan& plan, int fixed) {
  int sum = 0, drawn = std::max(0, plan.trials - fixed), seeds = 0;
  for (const int rung : plan.rungs) {
    sum += (std::min(fixed, plan.trials) + drawn) * (rung - seeds);
    seeds = rung;
    drawn = (drawn + static_cast<int>(kKept) - 1) / static_cast<int>(kKept);
  }
  return sum;
}

bool search(std::vector<Trial>& trials, const SearchPlan& plan, const SearchSteps& steps) {
  for (bool more = true; more;) {
    const std::size_t until = plan.trials > 0
                                  ? static_cast<std::size_t>(plan.trials)
                                  : trials.size() + static_cast<std::size_t>(plan.round);
    while (more && trials.size() < until) more = steps.draw();
    for (std::size_t r = 0; r < plan.rungs.size(); ++r) {
      const std::vector<std::size_t> who = admitted(trials, plan.rungs, r);
      const auto waiting =
          static_cast<std::size_t>(std::count_if(who.begin(), who.end(), [&](std::size_t i) {
            return !trials[i].failed() && !has(trials[i], plan.rungs[r]);
          }));
      if (r > 0 && waiting > 0 && steps.rung) steps.rung(plan.rungs[r], waiting);
      for (const std::size_t i : who)
        if (!trials[i].failed() && !has(trials[i], plan.rungs[r]) && !steps.train(i, plan.rungs[r]))
          return false;
    }
    more = more && plan.trials == 0;
  }
  return true;
}

}  // namespace scrl
