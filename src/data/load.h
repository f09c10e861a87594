// data/load.h: load_dataset() is part of the public interface.
#pragma once
#include "scrl/dataset.h"
