// scrl/scrl.h: the whole public interface.
#pragma once
#include "scrl/csr.h"
#include "scrl/dataset.h"
#include "scrl/error.h"
#include "scrl/model.h"
#include "scrl/predictor.h"
#include "scrl/trust.h"
#include "scrl/types.h"
