// models/gcn_encoder.h: the encoder of one view of SCRL, two graph convolutions.
//
//   H = drop(relu(A drop(X) W1 + b1))          (n,h1)
//   Z = drop(relu(B H W2 + b2))                (n,h)     B = (A + A^2 + ... + A^hops) / hops
// With one hop B = A, the layer of Kipf and Welling.
#pragma once
#include <string>

#include "models/model.h"

namespace scrl {

struct EncoderOptions {
  int hidden1 = 256, hidden2 = 128;
  double dropout = 0.5, input_dropout = 0;
  int hops = 1;  // of the second layer
};

// Parameters are named W1_VIEW, b1_VIEW, W2_VIEW and b2_VIEW.
Var gcn_encoder(Model& model, const Inputs& in, const SparseOperand& A, const EncoderOptions& o,
                const std::string& view);

}  // namespace scrl
