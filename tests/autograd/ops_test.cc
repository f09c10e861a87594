// Every op by central differences; values are in op_values_test.cc. kCases has one entry per op (or
// per variant of it); the coverage test fails when an op of op_names() has none.
#include "autograd/ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "autograd/small.h"

namespace scrl {
namespace {

// A pattern with loops that is not symmetric, for attention; row 2 has no entry.
const SparseOperand& pattern_4x4() {
  static const SparseOperand S = [] {
    const std::vector<NodeId> r = {0, 0, 0, 1, 1, 3, 3}, c = {0, 1, 3, 1, 2, 0, 3};
    return sparse_operand(csr_from_triplets(4, 4, r, c, {}, Dup::kBinary));
  }();
  return S;
}

// Attention with two heads of two columns. Its scores stay away from the kink at 0.
Var attention_case(Tape& t, Inputs& in, float p) {
  const auto wide = [&](std::uint32_t stream) { return t.constant(random_matrix(5, 4, stream)); };
  const auto narrow = [&](std::uint32_t stream) { return t.constant(random_matrix(5, 2, stream)); };
  return attention(pattern_4x4(), matmul(t.param(in.X), narrow(31)),
                   matmul(t.param(in.Y), narrow(32)), matmul(t.param(in.X), wide(33)), p);
}

struct Case {
  const char* op;
  const char* variant;
  std::function<Var(Tape&, Inputs&)> build;
};

// relu ops get 2*X+b style arguments only through values that stay away from 0: |x| >= 0.1, steps
// 1e-2.
const std::vector<Case> kCases = {
    {"spmm", "", [](Tape& t, Inputs& in) { return spmm(sparse_5x4(), t.param(in.X)); }},
    {"spmm_powers", "three",
     [](Tape& t, Inputs& in) { return spmm_powers(pattern_4x4(), t.param(in.X), 3); }},
    {"spmm_powers", "of an operand that others use too",
     [](Tape& t, Inputs& in) {
       return t.param(in.X) + spmm_powers(pattern_4x4(), t.param(in.X), 2);
     }},
    {"spmm_polynomial", "learned coefficients",
     [](Tape& t, Inputs& in) {
       return spmm_polynomial(pattern_4x4(), t.param(in.X), t.param(in.b));
     }},
    {"spmm_polynomial", "fixed coefficients, an operand that others use too",
     [](Tape& t, Inputs& in) {
       const Var X = t.param(in.X);
       return X + spmm_polynomial(pattern_4x4(), X, t.constant(random_matrix(1, 3, 36)));
     }},
    {"spmm_polynomial", "the same coefficients twice",
     [](Tape& t, Inputs& in) {
       const Var b = t.param(in.b), once = spmm_polynomial(pattern_4x4(), t.param(in.X), b);
       return once + spmm_polynomial(pattern_4x4(), t.param(in.Y), b);
     }},
    {"dropout_spmm", "",
     [](Tape& t, Inputs& in) { return dropout_spmm(sparse_5x4(), t.param(in.X), 0.4f); }},
    {"matmul", "", [](Tape& t, Inputs& in) { return matmul(t.param(in.X), t.param(in.W)); }},
    {"matmul_transposed", "",
     [](Tape& t, Inputs& in) { return matmul_transposed(t.param(in.X), t.param(in.Y)); }},
    {"matmul_transposed", "same operand twice",
     [](Tape& t, Inputs& in) { return matmul_transposed(t.param(in.X), t.param(in.X)); }},
    {"bias_relu_dropout", "no dropout",
     [](Tape& t, Inputs& in) {
       return bias_relu_dropout(3.0f * t.param(in.X), 0.01f * t.param(in.b), 0.0f);
     }},
    {"bias_relu_dropout", "dropout",
     [](Tape& t, Inputs& in) {
       return bias_relu_dropout(3.0f * t.param(in.X), 0.01f * t.param(in.b), 0.5f);
     }},
    {"hidden_matmul", "no dropout",
     [](Tape& t, Inputs& in) {
       return hidden_matmul(3.0f * t.param(in.X), 0.01f * t.param(in.b), 0.0f, t.param(in.W));
     }},
    {"hidden_matmul", "dropout",
     [](Tape& t, Inputs& in) {
       return hidden_matmul(3.0f * t.param(in.X), 0.01f * t.param(in.b), 0.5f, t.param(in.W));
     }},
    {"relu", "", [](Tape& t, Inputs& in) { return relu(t.param(in.X)); }},
    {"relu_dropout", "", [](Tape& t, Inputs& in) { return relu_dropout(t.param(in.X), 0.3f); }},
    {"dropout", "", [](Tape& t, Inputs& in) { return dropout(t.param(in.X), 0.3f); }},
    {"add_bias", "", [](Tape& t, Inputs& in) { return add_bias(t.param(in.X), t.param(in.b)); }},
    {"log_softmax", "", [](Tape& t, Inputs& in) { return log_softmax(t.param(in.X)); }},
    {"log_softmax", "temperature",
     [](Tape& t, Inputs& in) { return log_softmax(t.param(in.X), 2.5f); }},
    {"scale", "", [](Tape& t, Inputs& in) { return -1.7f * t.param(in.X); }},
    {"ramp", "on the way", [](Tape& t, Inputs& in) { return ramped(2.0f, 10, t.param(in.X)); }},
    {"ramp", "at its end", [](Tape& t, Inputs& in) { return ramped(2.0f, 2, t.param(in.X)); }},
    {"sum", "", [](Tape& t, Inputs& in) { return t.param(in.X) + t.param(in.Y); }},
    {"sum", "same operand twice",
     [](Tape& t, Inputs& in) { return t.param(in.X) + t.param(in.X); }},
    {"gather_rows", "repeated and missing rows",
     [](Tape& t, Inputs& in) {
       return gather_rows(t.param(in.X), {3, 0, 3});
     }},
    {"l2_normalize_rows", "", [](Tape& t, Inputs& in) { return l2_normalize_rows(t.param(in.X)); }},
    {"concat_columns", "",
     [](Tape& t, Inputs& in) {
       return concat_columns({t.param(in.X), t.param(in.Y)});
     }},
    {"concat_columns", "same operand twice",
     [](Tape& t, Inputs& in) {
       return concat_columns({t.param(in.X), t.param(in.X)});
     }},
    {"nll", "",
     [](Tape& t, Inputs& in) {
       return nll(log_softmax(t.param(in.X)), {4, 0, 0, 2});
     }},
    {"nll", "weighted",
     [](Tape& t, Inputs& in) {
       return nll(log_softmax(t.param(in.X)), {4, 0, 0, 2}, {0.5f, 1, 3, 0, 2});
     }},
    {"soft_nll", "",
     [](Tape& t, Inputs& in) {
       return soft_nll(t.constant(random_matrix(4, 5, 9)), log_softmax(t.param(in.X)));
     }},
    {"soft_nll", "target from sinkhorn",
     [](Tape& t, Inputs& in) {
       return soft_nll(sinkhorn(t.param(in.Y), 0.3f, 5), log_softmax(t.param(in.X)));
     }},
    {"sharpen", "a target of fixed predictions",
     [](Tape& t, Inputs& in) {
       const Var P = softmax(t.constant(random_matrix(4, 5, 37)));
       return soft_nll(sharpen({P, softmax(t.constant(random_matrix(4, 5, 38)))}, 0.5f),
                       log_softmax(t.param(in.X)));
     }},
    {"unit_dropout_spmm", "",
     [](Tape& t, Inputs& in) { return unit_dropout_spmm(sparse_5x4(), t.param(in.X), 0.4f); }},
    {"unit_dropout_spmm", "no dropout",
     [](Tape& t, Inputs& in) { return unit_dropout_spmm(sparse_5x4(), t.param(in.X), 0.0f); }},
    {"elu", "", [](Tape& t, Inputs& in) { return elu(t.param(in.X)); }},
    {"prelu", "", [](Tape& t, Inputs& in) { return prelu(t.param(in.X), t.param(in.slope)); }},
    {"tanh", "", [](Tape& t, Inputs& in) { return tanh(t.param(in.X)); }},
    {"sigmoid", "", [](Tape& t, Inputs& in) { return sigmoid(t.param(in.X)); }},
    {"columns", "overlapping",
     [](Tape& t, Inputs& in) {
       return columns(t.param(in.X), 0, 3) + columns(t.param(in.X), 2, 3);
     }},
    {"softmax", "", [](Tape& t, Inputs& in) { return softmax(t.param(in.X)); }},
    {"center_columns", "", [](Tape& t, Inputs& in) { return center_columns(t.param(in.X)); }},
    {"column_means", "", [](Tape& t, Inputs& in) { return column_means(t.param(in.X)); }},
    {"batch_norm", "",
     [](Tape& t, Inputs& in) { return batch_norm(t.param(in.X), t.param(in.b), 0.1f); }},
    {"mix", "a part twice",
     [](Tape& t, Inputs& in) {
       const Var x = t.param(in.X), y = t.param(in.Y);
       return mix(columns(x, 1, 3), {y, x, y});
     }},
    {"mix_segments", "",
     [](Tape& t, Inputs& in) {
       return mix_segments(concat_columns({t.param(in.X), t.param(in.Y)}), t.param(in.b));
     }},
    {"shuffle_rows", "", [](Tape& t, Inputs& in) { return shuffle_rows(t.param(in.X)); }},
    {"sample_rows", "two of them, also used whole",
     [](Tape& t, Inputs& in) {
       const Var X = t.param(in.X);
       const std::vector<Var> some = sample_rows({X, X}, 2);
       return sum_squares(some[0]) + sum_squares(some[1]) + sum_squares(X);
     }},
    {"drop_rows", "", [](Tape& t, Inputs& in) { return drop_rows(t.param(in.X), 0.5f); }},
    {"masked_nll", "",
     [](Tape& t, Inputs& in) {
       Matrix targets(4, 1);
       targets.assign_packed(std::vector<float>{2, -1, 4, 0});
       return masked_nll(log_softmax(t.param(in.X)), t.constant(std::move(targets)));
     }},
    {"bce_with_logits", "", [](Tape& t, Inputs& in) { return bce_with_logits(t.param(in.X), 1); }},
    {"bce_with_logits", "soft target",
     [](Tape& t, Inputs& in) { return bce_with_logits(3.0f * t.param(in.X), 0.3f); }},
    {"sum_squares", "", [](Tape& t, Inputs& in) { return sum_squares(t.param(in.X)); }},
    {"sum_column_norms", "", [](Tape& t, Inputs& in) { return sum_column_norms(t.param(in.W)); }},
    {"hsic", "", [](Tape& t, Inputs& in) { return hsic(t.param(in.X), 0.1f * t.param(in.Y)); }},
    {"hsic", "same operand twice",
     [](Tape& t, Inputs& in) { return hsic(0.3f * t.param(in.X), 0.3f * t.param(in.X)); }},
    {"gram_distance", "",
     [](Tape& t, Inputs& in) { return gram_distance(t.param(in.X), t.param(in.Y)); }},
    // over edges, groups and pairs of nodes; their values are in attention_test.cc and beside it
    {"head_dots", "one head",
     [](Tape& t, Inputs& in) { return head_dots(t.param(in.X), t.param(in.b)); }},
    {"head_dots", "two heads",
     [](Tape& t, Inputs& in) {
       return head_dots(concat_columns({t.param(in.X), t.param(in.X)}),
                        gather_rows(t.param(in.Y), {0, 2}));
     }},
    {"attention", "", [](Tape& t, Inputs& in) { return attention_case(t, in, 0.0f); }},
    {"attention", "dropout", [](Tape& t, Inputs& in) { return attention_case(t, in, 0.5f); }},
    {"grouped_matmul", "a row in no group",
     [](Tape& t, Inputs& in) {
       return grouped_matmul(matmul(t.param(in.X), t.constant(random_matrix(5, 2, 35))),
                             t.param(in.Y), {1, 0, -1, 1});
     }},
    {"edge_drop_spmm", "no dropping",
     [](Tape& t, Inputs& in) {
       return spmm(edge_drop_view(t, pattern_4x4().A, 0.0f), t.param(in.X));
     }},
    {"edge_drop_spmm", "twice in a pass",
     [](Tape& t, Inputs& in) {
       const auto view = edge_drop_view(t, pattern_4x4().A, 0.4f);
       return spmm(view, spmm(view, t.param(in.X)));
     }},
    {"info_nce", "",
     [](Tape& t, Inputs& in) {
       return info_nce(l2_normalize_rows(t.param(in.X)), l2_normalize_rows(t.param(in.Y)), 0.5f);
     }},
    {"info_nce", "one view fixed",
     [](Tape& t, Inputs& in) {
       return info_nce(t.constant(random_matrix(4, 5, 34)), l2_normalize_rows(t.param(in.Y)), 0.7f);
     }},
};

constexpr Pass kPass{.training = true, .seed = 5, .epoch = 3};

// A scalar from any output: its product with fixed random weights.
Var weighted(Tape& t, Var out) {
  if (out.rows() == 1 && out.cols() == 1) return out;
  return soft_nll(t.constant(random_matrix(out.rows(), out.cols(), 77)), out);
}

TEST(OpsTest, GradientsMatchCentralDifferences) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(cat(c.op, " ", c.variant));
    Inputs in;
    Tape tape;
    Var loss = weighted(tape, c.build(tape, in));
    const Plan plan = tape.plan({loss});
    const auto value = [&] {
      tape.params_changed();
      tape.forward(plan, kPass);
      return static_cast<double>(loss.scalar());
    };
    value();
    tape.backward(plan, kPass, loss);
    bool some = false;
    // Sinkhorn targets carry no gradient by definition: differences must hold them fixed.
    const bool target_from_y = std::string_view(c.variant) == "target from sinkhorn";
    for (Param* p : in.all()) {
      if (std::none_of(plan.begin(), plan.end(), [&](Node* n) { return n->param == p; })) continue;
      if (target_from_y && p == &in.Y) continue;
      const Matrix grad = p->grad;
      for (Index i = 0; i < p->value.rows(); ++i)
        for (Index j = 0; j < p->value.cols(); ++j) {
          const float kept = p->value(i, j), h = 1e-2f;
          p->value(i, j) = kept + h;
          const double up = value();
          p->value(i, j) = kept - h;
          const double down = value();
          p->value(i, j) = kept;
          EXPECT_NEAR(grad(i, j), (up - down) / (2.0 * h), 2e-3) << p->name << " " << i << "," << j;
          some |= grad(i, j) != 0;
        }
    }
    EXPECT_TRUE(some) << "every gradient was zero";
  }
}

TEST(OpsTest, EveryOpHasACase) {
  // Without a gradient; their values are tested by themselves.
  std::set<std::string> covered = {"sinkhorn", "correct_and_smooth"};
  for (const Case& c : kCases) covered.insert(c.op);
  for (const char* op : op_names()) EXPECT_TRUE(covered.contains(op)) << op << " has no case";
  // And the cases really record the op they claim.
  for (const Case& c : kCases) {
    Inputs in;
    Tape tape;
    c.build(tape, in);
    EXPECT_TRUE(std::any_of(tape.nodes().begin(), tape.nodes().end(), [&](const auto& n) {
      return std::string_view(n->op) == c.op;
    })) << c.op;
  }
}

}  // namespace
}  // namespace scrl
