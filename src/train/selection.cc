#include "train/selection.h"

namespace scrl {
namespace {

bool out_of_patience(const TrainState& state, int scored_from, int patience) {
  return patience > 0 && state.best_epoch >= scored_from &&
         state.epochs_done - state.best_epoch >= patience;
}

class LastEpoch : public Selection {
 public:
  explicit LastEpoch(const Model& model) : scored_from_(model.scored_from) {}
  bool scored(int epoch) const override { return epoch >= scored_from_; }
  bool better(const EpochStats&, const EpochStats&) const override { return true; }

 protected:
  const int scored_from_;
};

class UntilLossRises : public LastEpoch {
 public:
  using LastEpoch::LastEpoch;
  std::string reason_to_stop(const TrainState& state) const override {
    constexpr std::size_t kWindow = 10;
    const std::vector<EpochStats>& history = state.history;
    if (history.size() < static_cast<std::size_t>(scored_from_) + kWindow + 1) return "";
    const auto cost = [](const EpochStats& e) { return e.val_loss + e.penalty; };
    double sum = 0;
    for (std::size_t i = history.size() - 1 - kWindow; i + 1 < history.size(); ++i)
      sum += cost(history[i]);
    return cost(history.back()) > sum / kWindow ? "rising loss" : "";
  }
};

class BestScore : public LastEpoch {
 public:
  BestScore(const Model& model, const TrainOptions& o) : LastEpoch(model), o_(o) {}

 protected:
  double score(const Scores& s) const {
    return o_.metric == Metric::kMacroF1 ? s.macro_f1 : s.accuracy;
  }
  const TrainOptions& o_;
};

class BestOnValidation : public BestScore {
 public:
  using BestScore::BestScore;
  bool better(const EpochStats& a, const EpochStats& b) const override {
    if (o_.metric != Metric::kNll && score(a.val) != score(b.val))
      return score(a.val) > score(b.val);
    return a.val_loss < b.val_loss;
  }
  std::string reason_to_stop(const TrainState& state) const override {
    return out_of_patience(state, scored_from_, o_.patience) ? "patience" : "";
  }
};

class BestOnTest : public BestScore {
 public:
  using BestScore::BestScore;
  bool better(const EpochStats& a, const EpochStats& b) const override {
    return score(a.test) > score(b.test);
  }
};

class FrozenEmbedding : public Selection {
 public:
  FrozenEmbedding(const Model& model, const TrainOptions& o)
      : lowest_loss_(model.lowest_loss_counts), patience_(o.patience) {}
  bool scored(int) const override { return false; }
  bool better(const EpochStats& a, const EpochStats& b) const override {
    return !lowest_loss_ || a.loss < b.loss;
  }
  std::string reason_to_stop(const TrainState& state) const override {
    return lowest_loss_ && out_of_patience(state, 1, patience_) ? "patience" : "";
  }
  void finish(Model& model) const override {
    model.evaluate();
    model.fit_classifier();
    model.tape.params_changed();
  }

 private:
  const bool lowest_loss_;
  const int patience_;
};

}  // namespace

std::unique_ptr<Selection> selection_of(const Model& model, const TrainOptions& o) {
  if (model.fit_classifier) return std::make_unique<FrozenEmbedding>(model, o);
  if (o.protocol == Protocol::kOracle) return std::make_unique<BestOnTest>(model, o);
  if (o.protocol == Protocol::kFixed) return std::make_unique<LastEpoch>(model);
  if (o.stop == Stop::kRising) return std::make_unique<UntilLossRises>(model);
  return std::make_unique<BestOnValidation>(model, o);
}

}  // namespace scrl
