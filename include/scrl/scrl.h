// scrl/scrl.h: the whole public interface.
#pragma once
#include "scrl/csr.h"
#include "scrl/dataset.h"
#include "scrl/error.h"
#include "scrl/predict.h"
#include "scrl/train.h"
#include "scrl/types.h"
